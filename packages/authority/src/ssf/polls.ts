/** Polling receivers: returns what is queued for them, or waits until something is (RFC 8936 §2.4). */
import { setTimeout } from 'node:timers/promises'
import type { PollRequest } from '@grantor/protocol/ssf'
import { type EventDeliveryRow, isFetching, type ReceiverRow, type Store } from '@grantor/store'
import { BoundedCache } from '../bounded-cache.ts'
import { type SetDependencies, signedSet } from './signed-set.ts'

export interface PollDependencies extends SetDependencies {
  readonly store: Pick<Store, 'eventDeliveries' | 'eventReceivers'>
}

/** Milliseconds; shorter than the timeout of proxies. */
const longestWait = 20_000
const lookEvery = 500
/** Of all streams together; further requests are answered at once. */
const mostWaiting = 200
/** Events that are not acknowledged are sent again, so signed ones are cached. Some two kilobytes each. */
const rememberedSets = 4_000

export interface Poll extends PollRequest {
  /** Whether the client has disconnected. */
  over(): boolean
  /** Called after each pause with its milliseconds, which do not count as time that the answer took. */
  waited?(milliseconds: number): void
}

export interface Polled {
  readonly sets: Readonly<Record<string, string>>
  readonly moreAvailable: boolean
}

export function openPolls(deps: PollDependencies): (to: ReceiverRow, request: Poll) => Promise<Polled> {
  const { eventDeliveries, eventReceivers } = deps.store
  const signing = { ...deps, signed: new BoundedCache<string, string>(rememberedSets) }
  /** Streams with a waiting request: one at a time for each stream. */
  const waiting = new Set<string>()

  async function arrived(to: ReceiverRow, { maxEvents, returnImmediately, ...asking }: Poll) {
    const read = (as: ReceiverRow): Promise<readonly EventDeliveryRow[]> => eventDeliveries.waiting(as, maxEvents + 1)
    const key = `${to.tenant} ${to.id}`
    const rows = await read(to)
    const isPatient = !returnImmediately && maxEvents > 0 && to.status === 'enabled'
    if (rows.length > 0 || !isPatient || waiting.has(key) || waiting.size >= mostWaiting) return rows
    waiting.add(key)
    try {
      for (let waited = 0; waited < longestWait && !asking.over(); waited += lookEvery) {
        await setTimeout(lookEvery, undefined, { ref: false })
        asking.waited?.(lookEvery)
        const as = await eventReceivers.find(to.tenant, to.id)
        if (as === null || !isFetching(as)) return []
        const found = await read(as)
        if (found.length > 0 || as.status !== 'enabled') return found
      }
      return []
    } finally {
      waiting.delete(key)
    }
  }

  return async (to, request) => {
    const rows = await arrived(to, request)
    const sets: Record<string, string> = {}
    for (const row of rows.slice(0, request.maxEvents)) {
      const set = await signedSet(row, to, signing)
      if (set !== null) sets[row.id] = set
    }
    return { sets, moreAvailable: rows.length > request.maxEvents }
  }
}
