/**
 * When a token may say that it was issued. Tokens say so in whole seconds, and where something ended all tokens up to a
 * second (protocol/feed.ts), one from after that must say a later one: it is made in the next second. It never says a
 * second that has not come, because whatever ends in this one would not reach it.
 */
import type { Grant } from '@grantor/protocol/grants'
import type { Catalogue } from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import type { Instant } from '@grantor/protocol/types'
import type { Clock } from '../ports/environment.ts'

export interface Issuance {
  readonly catalogue: Catalogue
  readonly client: Client
  /** What the token hangs on; null for a client's own. */
  readonly grant: Grant | null
  readonly now: Instant
}

/** The same, once it is late enough; at once for nearly all. */
export async function whenIssuable<I extends Issuance>(it: I, clock: Clock): Promise<I> {
  const { client, catalogue, grant } = it
  const deadUpTo = Math.max(
    client.tokensDeadUpTo ?? 0,
    catalogue.tenant.tokensDeadUpTo ?? 0,
    grant?.tokensDeadUpTo ?? 0,
  )
  if (deadUpTo < issueSecond(it.now, clock)) return it
  await clock.until((deadUpTo + 1000 + clock.margin) as Instant)
  return { ...it, now: clock.now() }
}

/** The second that a token says: one that is over by every node's reading, so that an end at any of them reaches it. */
export const issueSecond = (now: Instant, { margin }: Pick<Clock, 'margin'>): Instant =>
  (Math.floor((now - margin) / 1000) * 1000) as Instant
