/** What is checked on every request, also of a token seen before: time, tenant, revocation, proof. In this order. */
import type { JsonObject } from '@grantor/protocol/types'
import type { Time } from '../time.ts'
import type { Presented, StalePolicy } from './presented-credentials.ts'
import { expired, outage, type Rejection, rejection } from './rejections.ts'
import type { Verified } from './verified-token.ts'

/** Whether the caller proved possession of what the token is bound to (RFC 9449, RFC 8705). */
export type Confirm = (confirmation: JsonObject, presented: Presented, token: string) => boolean

export interface JudgeOptions {
  readonly time: Time
  /** Milliseconds. */
  readonly leeway: number
  readonly onStale: StalePolicy
  /** Milliseconds that the policy `serve` goes on after the state turned stale. */
  readonly serveStaleFor: number
  readonly confirm: Confirm | null
  readonly staleDecision: (policy: StalePolicy) => void
}

/** 'introspect': the view cannot say; the issuer must be asked about this very token. */
export type Judgement = Rejection | 'accept' | 'introspect'

export interface Occasion {
  readonly presented: Presented
  readonly scheme: 'bearer' | 'dpop'
  readonly token: string
}

export function judge(verified: Verified, occasion: Occasion, options: JudgeOptions): Judgement {
  const { caller, killable, trust } = verified
  const { presented } = occasion
  const now = options.time.now()
  // The seed's example leeway: 59 s late is accepted, 60 s is not.
  if (now >= caller.expiresAt + options.leeway) return expired(caller.expiresAt)
  if (verified.validFrom > now + options.leeway) return rejection('token_not_yet_valid')
  if (presented.tenant !== undefined && presented.tenant !== caller.tenant) return rejection('tenant_mismatch')
  const { revocation } = trust
  // What is known to be dead is dead, however old the knowledge.
  if (revocation?.kills(killable) === true) return rejection('token_revoked')
  const unproven = proof(verified, occasion, options)
  if (unproven !== null) return unproven
  // An introspected token has no key: the issuer was asked about it within the bound, so the feed's age does not matter.
  return revocation === null || verified.key === null ? 'accept' : byFreshness(verified, presented, options)
}

function byFreshness(verified: Verified, presented: Presented, options: JudgeOptions): Judgement {
  const { revocation, introspector } = verified.trust
  const freshness = revocation?.freshness()
  if (revocation === null || freshness === 'live' || freshness === 'lagging') return 'accept'
  const policy = presented.onStale ?? options.onStale
  options.staleDecision(policy)
  if (policy === 'introspect' && introspector !== null) return 'introspect'
  // Never before the first snapshot: there is no state to serve by.
  if (policy === 'serve' && freshness === 'stale' && revocation.age() <= options.serveStaleFor) return 'accept'
  return outage('revocation_state_stale', 5)
}

function proof(
  verified: Verified,
  { presented, scheme, token }: Occasion,
  { confirm }: JudgeOptions,
): Rejection | null {
  const { confirmation } = verified
  // RFC 9449 §7.1: the DPoP scheme with a token that is bound to nothing proves nothing.
  if (confirmation === null) return scheme === 'dpop' ? rejection('proof_invalid') : null
  if (confirm === null) return rejection('proof_required')
  // RFC 9449 §7.2: a token that is bound to a key must not be accepted as a plain bearer token.
  if (Object.hasOwn(confirmation, 'jkt') && scheme !== 'dpop') return rejection('proof_required')
  return confirm(confirmation, presented, token) ? null : rejection('proof_invalid')
}
