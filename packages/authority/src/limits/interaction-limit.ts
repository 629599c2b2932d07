/** Limits, by address, how many short-lived interactions and similar rows an unknown caller can create. */
import { addressKey, type CountedLimits, limitReached, type LimitRefusal } from './limits.ts'

/** Each kind has its own count, so that one does not use up the other. */
export async function interactionLimitReached(
  kind: 'interaction' | 'passkey' | 'logout' | 'pushed' | 'provider',
  { ip }: { readonly ip: string | null },
  limits: CountedLimits,
): Promise<LimitRefusal | null> {
  return ip === null ? null : limitReached(await limits.take('authorize', `${kind} ${addressKey(ip)}`))
}
