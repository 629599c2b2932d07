/** Decides a request again on fresh facts if its commit found that the earlier ones are no longer true. */
import type { Refusal } from '@grantor/protocol/oauth'
import { type Err, err } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'
import type { Directory } from './directory.ts'
import { isOutage } from './outage.ts'

const maxAttempts = 4

/** Runs an attempt; if it was stale, forgets the cached facts and runs it again. An outage becomes a refusal. */
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
    // Reached only if the directory changes between every read and its commit.
    return err({ reason: 'unavailable', retryAfter: 1 })
  } catch (cause) {
    if (isOutage(cause)) return err({ reason: 'unavailable', retryAfter: 2 })
    throw cause
  }
}
