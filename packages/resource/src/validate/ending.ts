/** Why what a caller was let in with is over by now: for what stays open beyond its first answer. */
import type { Instant } from '@grantor/protocol/types'
import type { RevocationSource } from '../revocation/revocation-source.ts'
import type { Caller } from './caller.ts'
import type { JudgeOptions } from './judge.ts'
import { hasNews } from './news.ts'
import { expired, outage, type Rejection, rejection } from './rejections.ts'
import { revocableOf, verificationOf, type VerifiedToken } from './verified-token.ts'

/** `stale`: nobody can say any more whether it was revoked. */
export type Ending = 'expired' | 'revoked' | 'stale'

/** What whoever comes back with the same token is told. */
export function endingRejection(ending: Ending, { expiresAt }: Caller): Rejection {
  if (ending === 'expired') return expired(expiresAt)
  return ending === 'revoked' ? rejection('token_revoked') : outage('revocation_state_stale', 5)
}

/**
 * `openedAt`: whoever came with a token that had just expired is served for the leeway, everybody else to the end of the
 * token. A promise only where a status list has to be fetched.
 */
export function endingOf(
  caller: Caller,
  openedAt: number,
  options: JudgeOptions,
): Ending | null | Promise<Ending | null> {
  const verified = verificationOf(caller)
  // Not let in by a validator: nothing is known of it.
  if (verified === undefined) return null
  const { expiresAt } = caller
  if (options.time.now() >= (openedAt < expiresAt ? expiresAt : expiresAt + options.leeway)) return 'expired'
  const { key, issuer, revocable } = verified
  if (issuer.revocation?.isRevoked(revocable) === true || key?.present === false) return 'revoked'
  // Whoever has an API key comes back, and then its issuer is asked.
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
  const otherwise = revocation === null && (statusLists === null || key === null) ? null : 'stale'
  if (status === null || statusLists === null) return otherwise
  const listed = statusLists.statusOf(status)
  const endings = { valid: null, invalid: 'revoked', unknown: otherwise } as const
  return listed instanceof Promise ? listed.then((late) => endings[late]) : endings[listed]
}

/** Whether it was revoked since, for work that may go on in another process: all that is known is what is kept of the caller. */
export function isRevokedSince(
  caller: Caller,
  revocation: RevocationSource | null,
  { time, leeway }: Pick<JudgeOptions, 'time' | 'leeway'>,
): boolean {
  if (revocation === null) return false
  const revocable = revocableOf(caller)
  const { credential, askedOn } = caller
  if (credential !== 'api_key' || askedOn === undefined) return revocation.isRevoked(revocable)
  // A key outlives what ends all tokens up to some second: it is as new as what the issuer said of it last.
  const isRevokedAt = (moment: number): boolean => {
    // Cutoffs are whole seconds, rounded down.
    const issuedAt = (Math.floor(moment / 1000) * 1000) as Instant
    return revocation.isRevoked({ ...revocable, issuedAt })
  }
  if (isRevokedAt(askedOn)) return true
  // Our clock may be ahead of the issuer's: of what lies close together, what was heard after the question came later.
  const asked = time.monotonic() - (time.now() - askedOn)
  return isRevokedAt(askedOn - leeway) && revocation.hasNewsOf?.(revocable, asked) !== false
}
