/**
 * When each device was last heard polling, in the memory of one node: a poll writes nothing. The price: a client whose
 * polls land on several nodes, or that polls across a restart, is told to slow down later than it should be.
 */
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'
import { BoundedCache } from '../bounded-cache.ts'
import type { Clock } from '../ports/environment.ts'

const maxDevices = 100_000

export class DevicePollTimes {
  readonly #heard = new BoundedCache<string, Instant>(maxDevices)

  /** The poll before this one, null where there was none; remembers this one. */
  recordPoll(tenant: TenantId, device: Handle, at: Instant): Instant | null {
    const key = `${tenant} ${device}`
    const before = this.#heard.get(key) ?? null
    this.#heard.set(key, at)
    return before
  }
}

/** The poll before that of one request, which presents one device code. */
export type RecordPoll = (tenant: TenantId, device: Handle) => Instant | null

/** For one request: one that is decided anew on fresh facts is still the same poll. */
export function recordPollOnce(clock: Pick<Clock, 'now'>, times: DevicePollTimes): RecordPoll {
  let before: Instant | null | undefined
  return (tenant, device) => (before === undefined ? (before = times.recordPoll(tenant, device, clock.now())) : before)
}
