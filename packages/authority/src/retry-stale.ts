/** Deciding again on fresh facts, and what becomes of an outage: a refusal at an endpoint, patience in the background. */
import { err } from '@grantor/protocol/result'
import type { TenantId } from '@grantor/protocol/types'
import { StoreUnavailable } from '@grantor/store'
import type { EndpointResult } from './endpoint.ts'
import type { Hands } from './hands.ts'
import { KeyUnopened } from './keys/keyring.ts'
import type { Soon } from './soon.ts'

const maxAttempts = 4

/** Runs an attempt; one that rested on facts that are no longer true is forgotten with its facts, and made again. */
export async function retryStale<T>(
  tenant: TenantId,
  hands: Pick<Hands, 'directory'>,
  attempt: () => Soon<EndpointResult<T> | 'stale'>,
): Promise<EndpointResult<T>> {
  try {
    for (let tries = 0; tries < maxAttempts; tries++) {
      const answer = await attempt()
      if (answer !== 'stale') return answer
      hands.directory.forget(tenant)
    }
    // Only a directory that changes between every read and its commit comes here.
    return err({ reason: 'unavailable', retryAfter: 1 })
  } catch (cause) {
    if (isOutage(cause)) return err({ reason: 'unavailable', retryAfter: 2 })
    throw cause
  }
}

export const isOutage = (cause: unknown): boolean => cause instanceof StoreUnavailable || cause instanceof KeyUnopened

/** For work in the background, which comes round again. Anything but an outage is a bug and must be seen. */
export function ignoreOutage(cause: unknown): void {
  if (!isOutage(cause)) throw cause
}
