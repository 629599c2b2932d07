/** The strength of a sign-in at a provider: as the provider states it if it is trusted, else one factor. */
import { acrValues, meetsAcr, type SignInStrength } from '../authorize/strength.ts'
import type { Instant, JsonObject } from '../types.ts'

const [oneFactor, twoFactors, phishingResistant] = acrValues

/** RFC 8176 §2. Other values have no meaning for readers of our tokens. */
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

/** Without a trusted statement, `amr` is unknown, and therefore empty. */
export function upstreamStrength(claims: JsonObject, { trusted }: { readonly trusted: boolean }): SignInStrength {
  if (!trusted) return { acr: oneFactor, amr: [] }
  const { amr, acr } = claims
  const named = Array.isArray(amr) ? [...new Set(amr.filter((it): it is string => registered.has(it)))] : []
  if (acr === phishingResistant || acr === 'phrh') return { acr: phishingResistant, amr: named }
  const two = named.includes('mfa') || (typeof acr === 'string' && meetsAcr(acr, twoFactors))
  return { acr: two ? twoFactors : oneFactor, amr: named }
}

/**
 * When the person signed in there. Times are in whole seconds, so the last moment of that second is assumed; without a
 * stated time, now.
 */
export const upstreamSignInTime = ({ auth_time: at }: JsonObject, now: Instant): Instant =>
  typeof at === 'number' ? (Math.min(now, Math.floor(at) * 1000 + 999) as Instant) : now
