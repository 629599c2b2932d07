/** Those who fetch what waits for them, and wait for it where nothing is there yet: RFC 8936 §2.4. */
import { setTimeout } from 'node:timers/promises'
import type { PollRequest } from '@grantor/protocol/ssf'
import type { EventDeliveryRow, ReceiverRow, Store } from '@grantor/store'
import { type SetDependencies, signedSet } from './signed-set.ts'

export interface PollDependencies extends SetDependencies {
  readonly store: Pick<Store, 'eventDeliveries'>
}

/** Shorter than the patience of proxies. */
const longestWait = 20_000
const lookEvery = 500
/** Of all streams together; who comes beyond that is answered at once. */
const mostWaiting = 200

export interface Polled {
  readonly sets: Readonly<Record<string, string>>
  readonly moreAvailable: boolean
}

export function openPolls(deps: PollDependencies): (to: ReceiverRow, request: PollRequest) => Promise<Polled> {
  /** One request of a stream waits at a time. */
  const waiting = new Set<string>()

  async function arrived(to: ReceiverRow, { maxEvents, returnImmediately }: PollRequest) {
    const read = (): Promise<readonly EventDeliveryRow[]> => deps.store.eventDeliveries.waiting(to, maxEvents + 1)
    const key = `${to.tenant} ${to.id}`
    const rows = await read()
    const isPatient = !returnImmediately && maxEvents > 0 && to.status === 'enabled'
    if (rows.length > 0 || !isPatient || waiting.has(key) || waiting.size >= mostWaiting) return rows
    waiting.add(key)
    try {
      for (let waited = 0; waited < longestWait; waited += lookEvery) {
        await setTimeout(lookEvery, undefined, { ref: false })
        const found = await read()
        if (found.length > 0) return found
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
      const set = await signedSet(row, to, deps)
      if (set !== null) sets[row.id] = set
    }
    return { sets, moreAvailable: rows.length > request.maxEvents }
  }
}
