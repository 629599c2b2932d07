/** Whether the token of an accepted caller has ended since: for streams and work that outlive the request. */
import type { Instant } from '@grantor/protocol/types'
import type { RevocationSource } from '../revocation/revocation-source.ts'
import type { Caller } from './caller.ts'
import type { JudgeOptions } from './judge.ts'
import { hasNews } from './news.ts'
import { expired, outage, type Rejection, rejection } from './rejections.ts'
import { revocableOf, verificationOf, type VerifiedToken } from './verified-token.ts'

/** `stale`: nobody can say any more whether it was revoked. */
export type Ending = 'expired' | 'revoked' | 'stale'

/** The rejection that the same token would get if it was presented now. */
export function endingRejection(ending: Ending, { expiresAt }: Caller): Rejection {
  if (ending === 'expired') return expired(expiresAt)
  return ending === 'revoked' ? rejection('token_revoked') : outage('revocation_state_stale', 5)
}

/**
 * A token ends at its `exp`; one that was within the leeway when it was presented, at `openedAt`, ends with the leeway.
 * A promise only where a status list has to be fetched.
 */
export function endingOf(
  caller: Caller,
  openedAt: number,
  options: JudgeOptions,
): Ending | null | Promise<Ending | null> {
  const verified = verificationOf(caller)
  // No validator of this process accepted this caller, so nothing is known about its token.
  if (verified === undefined) return null
  const { expiresAt } = caller
  const endsAt = openedAt < expiresAt ? expiresAt : expiresAt + options.leeway
  if (options.time.now() >= endsAt) return 'expired'
  const { key, issuer, revocable } = verified
  if (issuer.revocation?.isRevoked(revocable) === true || key?.present === false) return 'revoked'
  // Only the issuer could say what the news means for this API key. It is asked when the client connects again.
  if (caller.credential === 'api_key' && hasNews(verified)) return 'revoked'
  if (issuer.revocation !== null && isFresh(verified, options)) return null
  return byList(verified)
}

/** The issuer cannot be asked about one token here, so `introspect` is no better than `refuse`. */
function isFresh({ issuer: { revocation } }: VerifiedToken, { onStale, serveStaleFor }: JudgeOptions): boolean {
  const freshness = revocation?.freshness()
  if (revocation === null || freshness === 'live' || freshness === 'lagging') return true
  return onStale === 'serve' && freshness === 'stale' && revocation.age() <= serveStaleFor
}

function byList({ issuer, status, key }: VerifiedToken): Ending | null | Promise<Ending | null> {
  const { revocation, statusLists } = issuer
  // Where nothing tells of revocations at all, there is nothing that could be stale.
  const otherwise = revocation === null && (statusLists === null || key === null) ? null : 'stale'
  if (status === null || statusLists === null) return otherwise
  const listed = statusLists.statusOf(status)
  const endings = { valid: null, invalid: 'revoked', unknown: otherwise } as const
  return listed instanceof Promise ? listed.then((late) => endings[late]) : endings[listed]
}

/** The same by the view alone, for work in another process, where only the Caller is known and not its token. */
export function isRevokedSince(
  caller: Caller,
  revocation: RevocationSource | null,
  { time, leeway }: Pick<JudgeOptions, 'time' | 'leeway'>,
): boolean {
  if (revocation === null) return false
  const revocable = revocableOf(caller)
  const { credential, askedOn } = caller
  if (credential !== 'api_key' || askedOn === undefined) return revocation.isRevoked(revocable)
  // An API key is not ended by a cutoff that ends all tokens up to a second, if its issuer called it active after that.
  const isRevokedAt = (moment: number): boolean => {
    // Cutoffs are whole seconds, rounded down.
    const issuedAt = (Math.floor(moment / 1000) * 1000) as Instant
    return revocation.isRevoked({ ...revocable, issuedAt })
  }
  if (isRevokedAt(askedOn)) return true
  // Our clock may be ahead of the issuer's. So a cutoff shortly before the question counts, too, if it was heard after
  // it.
  const askedAt = time.monotonic() - (time.now() - askedOn)
  return isRevokedAt(askedOn - leeway) && revocation.hasNewsOf?.(revocable, askedAt) !== false
}
