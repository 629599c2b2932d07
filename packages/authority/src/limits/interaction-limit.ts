/** What anybody can have us keep for some minutes without being known: so many by one address, and no more. */
import { addressKey, type CountedLimits, limitReached, type LimitRefusal } from './limits.ts'

/** Each kind has its own count, so that one does not use up the other. */
export async function interactionLimitReached(
  kind: 'interaction' | 'passkey' | 'logout' | 'pushed' | 'provider',
  { ip }: { readonly ip: string | null },
  limits: CountedLimits,
): Promise<LimitRefusal | null> {
  return ip === null ? null : limitReached(await limits.take('authorize', `${kind} ${addressKey(ip)}`))
}
