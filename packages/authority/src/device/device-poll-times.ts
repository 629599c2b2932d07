/**
 * When each device last polled, in the memory of one node: a poll writes nothing. The price: a client whose polls reach
 * several nodes, or that polls across a restart, is told to slow down later than it should be.
 */
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'
import { BoundedCache } from '../bounded-cache.ts'
import type { Clock } from '../ports/environment.ts'

const maxDevices = 100_000

export class DevicePollTimes {
  readonly #heard = new BoundedCache<string, Instant>(maxDevices)

  /** The time of the previous poll, null where there was none; remembers this one. */
  recordPoll(tenant: TenantId, device: Handle, at: Instant): Instant | null {
    const key = `${tenant} ${device}`
    const before = this.#heard.get(key) ?? null
    this.#heard.set(key, at)
    return before
  }
}

/** Returns the time of the previous poll with the same device code. */
export type RecordPoll = (tenant: TenantId, device: Handle) => Instant | null

/** For one request: a request that is decided again on fresh facts is still the same poll. */
export function recordPollOnce(clock: Pick<Clock, 'now'>, times: DevicePollTimes): RecordPoll {
  let before: Instant | null | undefined
  return (tenant, device) => (before === undefined ? (before = times.recordPoll(tenant, device, clock.now())) : before)
}
