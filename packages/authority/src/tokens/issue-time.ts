/**
 * The second that a token names as its `iat`. A revocation may end all tokens issued up to a given second
 * (protocol/feed.ts), so a token issued later in that same second would be ended too; it waits for the next second. A
 * token never names a future second, because a revocation in the current second would not end it.
 */
import type { Grant } from '@grantor/protocol/grants'
import type { Catalogue } from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import type { Instant } from '@grantor/protocol/types'
import type { Clock } from '../ports/environment.ts'

export interface Issuance {
  readonly catalogue: Catalogue
  readonly client: Client
  /** The grant of the token; null for a client's own token. */
  readonly grant: Grant | null
  readonly now: Instant
}

/**
 * Resolves when the token can be issued in a second after every revocation that applies to it; nearly always at once.
 */
export async function whenIssuable<I extends Issuance>(issuance: I, clock: Clock): Promise<I> {
  const { client, catalogue, grant } = issuance
  const deadUpTo = Math.max(
    client.tokensDeadUpTo ?? 0,
    catalogue.tenant.tokensDeadUpTo ?? 0,
    grant?.tokensDeadUpTo ?? 0,
  )
  if (deadUpTo < issueSecond(issuance.now, clock)) return issuance
  await clock.until((deadUpTo + 1000 + clock.margin) as Instant)
  return { ...issuance, now: clock.now() }
}

/**
 * The last second that has begun by the clock of every node, so that a revocation on any node from now on ends the
 * token.
 */
export const issueSecond = (now: Instant, { margin }: Pick<Clock, 'margin'>): Instant =>
  (Math.floor((now - margin) / 1000) * 1000) as Instant
