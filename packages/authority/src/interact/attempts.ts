/** Attempts to sign in, counted before they are tried: guesses at passwords and at codes alike. */
import { normaliseUsername, retryAfter, type TenantId } from '@grantor/protocol'
import { event } from '../events.ts'
import type { Hands } from '../hands.ts'
import { addressKey, type LimitName } from '../limits.ts'
import type { Visitor } from './visitor.ts'

export interface Attempt {
  /** To wait; 0 for none. */
  readonly seconds: number
  readonly counted: readonly (readonly [LimitName, string])[]
}

/** However they spell their name: it is one account, and has one count. */
export const accountKey = (tenant: TenantId, username: string): string =>
  `${tenant} ${normaliseUsername(username) ?? ''}`

/**
 * Every attempt is taken as a failure before it is tried, and given back when it was none: a hundred attempts at once
 * do not all slip past the count. Failures are counted per account name, whether or not anybody has it, and per
 * address; where no name is typed, per address.
 */
export async function attempted(username: string | null, visitor: Visitor, hands: Hands): Promise<Attempt> {
  const { tenant, ip } = visitor
  const counted: (readonly [LimitName, string])[] = []
  if (username !== null) counted.push(['loginAccount', accountKey(tenant, username)])
  if (ip !== null) counted.push(['loginAddress', addressKey(ip)])
  let seconds = 0
  for (const [limit, key] of counted) {
    const policy = hands.limits[limit]
    if (policy !== null) seconds = Math.max(seconds, retryAfter(await hands.limiter.take(policy, key)))
  }
  return { seconds, counted }
}

export async function unspend({ counted }: Attempt, { limits, limiter }: Hands): Promise<void> {
  for (const [limit, key] of counted) {
    const policy = limits[limit]
    if (policy !== null) await limiter.giveBack(policy, key)
  }
}

/** Tells the log why; whoever tried is told nothing. */
export async function failed(
  { subject, reason }: { readonly subject: string | null; readonly reason: 'password' | 'second_factor' | 'passkey' },
  visitor: Visitor,
  hands: Hands,
): Promise<{ readonly did: 'rejected' }> {
  const about = { actor: { kind: 'user' as const, id: subject }, subject, reason }
  await hands.store.events.append([event(hands, visitor, 'login.failed', about)])
  return { did: 'rejected' }
}
