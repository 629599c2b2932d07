/**
 * A provider's claims about a person under our names: only mapped claims of the right type, and only verified
 * addresses.
 */
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

/** An address that the provider itself calls verified; null for any other. */
export function verifiedEmail(upstreamClaims: JsonObject, provider: Provider): string | null {
  const { email = 'email', email_verified: verified = 'email_verified' } = claimMapping(provider)
  const address = claimIn(upstreamClaims, email)
  const isVerified = claimIn(upstreamClaims, verified)
  // Apple sends it as a string.
  if (isVerified !== true && isVerified !== 'true') return null
  return typeof address === 'string' && isMailAddress(address) ? address : null
}

/**
 * The claims of a new account. An address is copied only if the provider calls it verified, and counts as verified here
 * only if the tenant trusts that.
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

/** Usernames to try for a new account, the best first; they may be taken. */
export function usernamesFor(upstreamClaims: JsonObject, provider: Provider): readonly string[] {
  const { username = '' } = claimMapping(provider)
  const wished = [claimIn(upstreamClaims, username), verifiedEmail(upstreamClaims, provider)]
  return wished.filter((it): it is string => typeof it === 'string' && normaliseUsername(it) !== null)
}

// A property inherited from Object is not a claim.
const claimIn = (upstreamClaims: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(upstreamClaims, name) ? upstreamClaims[name] : undefined

function isOfKind(name: string, value: Json): boolean {
  const kind = claimKind(name)
  if (kind === 'boolean') return false
  if (kind === 'seconds') return Number.isSafeInteger(value)
  if (kind === 'object') return false
  return displayTextProblem(value, textLimits.claim) === null
}
