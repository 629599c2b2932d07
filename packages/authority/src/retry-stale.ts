/** Deciding again on fresh facts, where a commit found that those it rested on are no longer true. */
import type { Refusal } from '@grantor/protocol/oauth'
import { type Err, err } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'
import type { Directory } from './directory.ts'
import { isOutage } from './outage.ts'

const maxAttempts = 4

/** Runs an attempt; one that was stale is forgotten with its facts, and made again. An outage is a refusal. */
export async function retryStale<T>(
  tenant: TenantId,
  directory: Pick<Directory, 'forget'>,
  attempt: () => Promise<T | 'stale'>,
): Promise<T | Err<Refusal>> {
  try {
    for (let tries = 0; tries < maxAttempts; tries++) {
      const answer = await attempt()
      if (answer !== 'stale') return answer
      directory.forget(tenant)
    }
    // Only a directory that changes between every read and its commit comes here.
    return err({ reason: 'unavailable', retryAfter: 1 })
  } catch (cause) {
    if (isOutage(cause)) return err({ reason: 'unavailable', retryAfter: 2 })
    throw cause
  }
}
