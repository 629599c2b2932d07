/** What a provider says of a person, in our names: declared claims only, each of its kind, and of an address only a verified one. */
import { claimKind } from '../oidc/claims.ts'
import { displayTextProblem } from '../oauth/display-text.ts'
import { textLimits } from '../oauth/text-limits.ts'
import { isMailAddress } from '../people/mail-address.ts'
import { normaliseUsername } from '../people/username.ts'
import type { Json, JsonObject } from '../types.ts'
import { presetOf } from './presets.ts'
import type { Provider } from './provider.ts'

/** Our claim ← its claim. */
export const claimMapping = (provider: Provider): Readonly<Record<string, string>> => ({
  ...presetOf(provider).claims,
  ...provider.claims,
})

/** An address that the provider itself calls verified; null for any other, which is nobody's. */
export function verifiedEmail(upstreamClaims: JsonObject, provider: Provider): string | null {
  const { email = 'email', email_verified: verified = 'email_verified' } = claimMapping(provider)
  const address = claimIn(upstreamClaims, email)
  const isVerified = claimIn(upstreamClaims, verified)
  // Apple says so in a text.
  if (isVerified !== true && isVerified !== 'true') return null
  return typeof address === 'string' && isMailAddress(address) ? address : null
}

/**
 * What an account is made with. An address is taken over only where the provider calls it verified, and counts as
 * verified here only where the tenant believes that.
 */
export function claimsFor(upstreamClaims: JsonObject, provider: Provider): JsonObject {
  const claims: Record<string, Json> = {}
  for (const [ours, theirs] of Object.entries(claimMapping(provider))) {
    if (ours === 'username' || ours === 'email' || ours === 'email_verified') continue
    const value = claimIn(upstreamClaims, theirs)
    if (value !== undefined && isOfKind(ours, value)) claims[ours] = value
  }
  const email = verifiedEmail(upstreamClaims, provider)
  if (email === null) return claims
  return { ...claims, email, ...(provider.trust_email === true ? { email_verified: true } : {}) }
}

/** Names to try for a new account, the best first; whether anybody has them is not known here. */
export function usernamesFor(upstreamClaims: JsonObject, provider: Provider): readonly string[] {
  const { username = '' } = claimMapping(provider)
  const wished = [claimIn(upstreamClaims, username), verifiedEmail(upstreamClaims, provider)]
  return wished.filter((it): it is string => typeof it === 'string' && normaliseUsername(it) !== null)
}

// What every object inherits is no claim.
const claimIn = (upstreamClaims: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(upstreamClaims, name) ? upstreamClaims[name] : undefined

function isOfKind(name: string, value: Json): boolean {
  const kind = claimKind(name)
  if (kind === 'boolean') return false
  if (kind === 'seconds') return Number.isSafeInteger(value)
  if (kind === 'object') return false
  return displayTextProblem(value, textLimits.claim) === null
}
