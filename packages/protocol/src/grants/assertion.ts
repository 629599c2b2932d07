/** What grants based on another issuer's assertion share: verifying it, its name, its log entry. */
import type { Refusal } from '../oauth/refusal.ts'
import type { Instant, Json } from '../types.ts'
import type { ForeignToken } from './grant.ts'

export type TrustedAssertion = Extract<ForeignToken, { kind: 'foreign' }>

/** Why a token of another issuer is not accepted, or not yet; null where it is. */
export function foreignRefusal(token: ForeignToken | null): Refusal | null {
  if (token === null || token.kind === 'refused') return { reason: 'assertion_invalid' }
  // The issuer cannot be reached now, so the client may try again.
  return token.kind === 'unavailable' ? { reason: 'issuer_unavailable', retryAfter: 5 } : null
}

/** The name under which a used assertion is remembered. Two issuers may choose the same `jti`, so it has both. */
export const assertionName = (issuer: string, id: string): string => `${issuer} ${id}`

/** For the log: the issuer, subject and id of the assertion. */
export const assertedBy = ({ issuer, subject, id }: TrustedAssertion) => ({
  assertion_issuer: issuer,
  assertion_subject: subject,
  ...(id === null ? {} : { assertion_jti: id }),
})

/**
 * When the person signed in, by the clock of another issuer, which may be wrong: limited to between the epoch and now.
 */
export const assertedSignIn = (at: Json | undefined, now: Instant): Instant =>
  (typeof at === 'number' ? Math.max(0, Math.min(Math.floor(at * 1000), now)) : now) as Instant
