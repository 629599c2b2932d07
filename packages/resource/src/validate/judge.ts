/** The checks made on every request, also with a cached token: time, tenant, address, revocation, in this order. */
import { err, ok, type Result } from '@grantor/protocol/result'
import type { StatusReference } from '@grantor/protocol/status-list'
import { isWithinBlocks } from '@grantor/protocol/uri'
import type { TrustedIssuer } from '../issuer/trusted-issuers.ts'
import type { Time } from '../time.ts'
import type { PresentedCredentials, StalePolicy } from './presented-credentials.ts'
import type { RevocationSource } from '../revocation/revocation-source.ts'
import { expired, outage, type Rejection, rejection } from './rejections.ts'
import type { VerifiedToken } from './verified-token.ts'

export interface JudgeOptions {
  readonly time: Time
  /** Milliseconds. */
  readonly leeway: number
  readonly onStale: StalePolicy
  /** Milliseconds: up to this age of the revocation state the policy `serve` accepts tokens. */
  readonly serveStaleFor: number
  readonly onStaleDecision: (policy: StalePolicy) => void
}

/** The view is too old or missing, so a status list has to be checked. */
export interface ListQuestion {
  readonly reference: StatusReference
  /** The refusal where no list knows the token either; null where it is accepted then. */
  readonly otherwise: Rejection | null
}

/** 'introspect': the view is stale, so the issuer must be asked about this token. */
export type Judgement = Result<'accept' | 'introspect' | ListQuestion, Rejection>

const accept: Judgement = ok('accept')
const introspect: Judgement = ok('introspect')

export interface TokenPresentation {
  readonly presented: PresentedCredentials
  readonly scheme: 'bearer' | 'dpop'
  readonly token: string
}

/** A presented token with the one header line that it came in, which is its key in the cache. */
export interface HeaderPresentation extends TokenPresentation {
  readonly line: string | null
}

export function judgeToken(
  verified: VerifiedToken,
  { presented }: TokenPresentation,
  options: JudgeOptions,
): Judgement {
  const { caller, issuer } = verified
  const now = options.time.now()
  // With a leeway of 60 s a token is accepted 59 s after its `exp`, but not 60 s after it.
  if (now >= caller.expiresAt + options.leeway) return err(expired(caller.expiresAt))
  if (verified.validFrom > now + options.leeway) return err(rejection('token_not_yet_valid'))
  if (presented.tenant !== undefined && presented.tenant !== caller.tenant) return err(rejection('tenant_mismatch'))
  const { addresses } = verified
  if (addresses !== null && !isWithinBlocks(presented.request?.address?.() ?? '', addresses))
    return err(rejection('address_not_allowed'))
  const { revocation } = issuer
  // A known revocation holds, however old the view is.
  if (isKnownRevoked(verified)) return err(rejection('token_revoked'))
  // An introspected token has no key: the issuer was asked about it within the bound, so the feed's age does not
  // matter.
  if (verified.key === null) return accept
  if (revocation !== null) return byFreshness(verified, presented, options)
  return issuer.statusLists === null ? accept : byListAlone(verified)
}

/** A token is looked for again only after news: in a large view, that is most of the cost of a warm check. */
function isKnownRevoked(verified: VerifiedToken): boolean {
  const { revocation } = verified.issuer
  if (revocation === null) return false
  const revision = revocation.revision?.()
  if (revision !== undefined && revision === verified.foundGoodAt) return false
  if (revocation.isRevoked(verified.revocable)) return true
  verified.foundGoodAt = revision
  return false
}

/** Without a feed, status lists are the only source: a token that names none cannot be judged. */
function byListAlone({ status }: VerifiedToken): Judgement {
  if (status === null) return err(rejection('token_malformed'))
  return ok({ reference: status, otherwise: outage('revocation_state_stale', 5) })
}

function byFreshness(verified: VerifiedToken, presented: PresentedCredentials, options: JudgeOptions): Judgement {
  const { revocation, introspector, statusLists } = verified.issuer
  const freshness = revocation?.freshness()
  if (revocation === null || freshness === 'live' || freshness === 'lagging') return accept
  const policy = presented.onStale ?? options.onStale
  options.onStaleDecision(policy)
  // Only the token's own issuer can answer: the root of a deployment does not know a tenant's token.
  const canIntrospect = introspector !== null && introspector.issuer === verified.issuer.issuer
  if (policy === 'introspect' && canIntrospect) return introspect
  const isServed = policy === 'serve' && isServedStale(revocation, options)
  const otherwise = isServed ? null : outage('revocation_state_stale', 5)
  if (verified.status !== null && statusLists !== null) return ok({ reference: verified.status, otherwise })
  return otherwise === null ? accept : err(otherwise)
}

/** Whether `serve` may go on with a stale state. Before the first snapshot there is no state to serve by. */
const isServedStale = (revocation: RevocationSource, { serveStaleFor }: JudgeOptions): boolean =>
  revocation.freshness() === 'stale' && revocation.age() <= serveStaleFor

/**
 * Whether some token of this issuer, whose keys are known, could be accepted now, as far as that is known without a
 * token.
 */
export function mayAccept(issuer: TrustedIssuer, ofRoutes: readonly StalePolicy[], options: JudgeOptions): boolean {
  const { revocation, statusLists, introspector, seen } = issuer
  // A status list is fetched only when a token arrives, so an instance without traffic would never fetch the next one.
  if (revocation === null) return true
  const freshness = revocation.freshness()
  if (freshness === 'live' || freshness === 'lagging') return true
  const policies = new Set([options.onStale, ...ofRoutes])
  if (policies.has('serve') && isServedStale(revocation, options)) return true
  const canAsk = introspector !== null && (seen.asked || policies.has('introspect'))
  const isListed = statusLists !== null && seen.listed
  return (canAsk || isListed) && !issuer.isAway()
}
