/** What anybody can have us keep for some minutes without being known: so many by one address, and no more. */
import { retryAfter } from '@grantor/protocol/http'
import type { Refusal } from '@grantor/protocol/oauth'
import type { Hands } from '../hands.ts'
import { addressKey } from './limits.ts'
import type { Visitor } from '../interact/visitor.ts'

/** Each kind has its own count, so that one does not use up the other. */
export async function interactionLimitReached(
  kind: 'interaction' | 'passkey' | 'logout',
  { ip }: Pick<Visitor, 'ip'>,
  { limits, limiter }: Pick<Hands, 'limits' | 'limiter'>,
): Promise<Refusal | null> {
  if (limits.authorize === null || ip === null) return null
  const taken = await limiter.take(limits.authorize, `${kind} ${addressKey(ip)}`)
  return taken.allowed ? null : { reason: 'limit_reached', retryAfter: retryAfter(taken) }
}
