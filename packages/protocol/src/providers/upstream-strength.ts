/** How strongly somebody is signed in who comes from a provider: as it says where it is believed, else by one factor. */
import { acrValues, meetsAcr, type SignInStrength } from '../authorize/strength.ts'
import type { Instant, JsonObject } from '../types.ts'

const [oneFactor, twoFactors, phishingResistant] = acrValues

/** RFC 8176 §2. What is not in it means nothing to whoever reads our tokens. */
const registered: ReadonlySet<unknown> = new Set([
  'face',
  'fpt',
  'geo',
  'hwk',
  'iris',
  'kba',
  'mca',
  'mfa',
  'otp',
  'pin',
  'pop',
  'pwd',
  'rba',
  'retina',
  'sc',
  'sms',
  'swk',
  'tel',
  'user',
  'vbm',
  'wia',
])

/** Nothing is said of `amr` where nobody knows: an empty list is the truth. */
export function upstreamStrength(claims: JsonObject, { trusted }: { readonly trusted: boolean }): SignInStrength {
  if (!trusted) return { acr: oneFactor, amr: [] }
  const { amr, acr } = claims
  const named = Array.isArray(amr) ? [...new Set(amr.filter((it): it is string => registered.has(it)))] : []
  if (acr === phishingResistant || acr === 'phrh') return { acr: phishingResistant, amr: named }
  const two = named.includes('mfa') || (typeof acr === 'string' && meetsAcr(acr, twoFactors))
  return { acr: two ? twoFactors : oneFactor, amr: named }
}

/**
 * When somebody signed in there. It is told in whole seconds, so the last moment of that second is meant; one that says
 * nothing of it has just let them in.
 */
export const upstreamSignInTime = ({ auth_time: at }: JsonObject, now: Instant): Instant =>
  typeof at === 'number' ? (Math.min(now, Math.floor(at) * 1000 + 999) as Instant) : now
