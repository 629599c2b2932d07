/** Takes rows that are due and works on a few of them at once; a node that dies leaves its rows due again. */
import type { TenantId } from '@grantor/protocol/types'
import type { LoopTimes } from '@grantor/store'
import { BoundedCache } from '../bounded-cache.ts'
import { ignoreOutage } from '../outage.ts'
import { openLoop } from './loop.ts'

/**
 * Deliveries under way to one client at most: a client that hangs must not hold up the others, nor must several
 * together.
 */
const maxPerClient = { well: 4, failing: 1 }
const rememberedClients = 10_000

interface ToClient {
  readonly tenant: TenantId
  readonly clientId: string
}

export interface ClientTurns {
  /** The clients that have as many deliveries under way as they may, as `tenant client`, the busiest first. */
  busy(underWay: readonly ToClient[]): readonly string[]
  /** Records how the last try ended. */
  note(of: ToClient, arrived: boolean): void
}

export function openClientTurns(): ClientTurns {
  const failing = new BoundedCache<string, true>(rememberedClients)
  const nameOf = ({ tenant, clientId }: ToClient): string => `${tenant} ${clientId}`
  return {
    busy: (underWay) =>
      [...Map.groupBy(underWay, nameOf)]
        .filter(([name, rows]) => rows.length >= maxPerClient[failing.get(name) === true ? 'failing' : 'well'])
        .toSorted(([, a], [, b]) => b.length - a.length)
        .map(([name]) => name),
    note(of, arrived) {
      if (arrived) failing.delete(nameOf(of))
      else failing.set(nameOf(of), true)
    },
  }
}

export interface DueRows<R> extends LoopTimes {
  readonly atOnce: number
  /** Runs before rows are taken, and may make rows due. */
  prepare?(): Promise<void>
  /** Takes the next row that is due, considering those under way; null where there is none. */
  take(underWay: readonly R[]): Promise<R | null>
  deliver(row: R): Promise<void>
}

export interface Deliveries {
  begin(): void
  /** To be called when something may be due. */
  wake(): void
  /** Works on everything that is due; resolves when nothing is left. */
  deliverDue(): Promise<void>
  /** Takes no more rows, and waits for the deliveries under way. */
  close(): Promise<void>
}

export function openDeliveries<R>(rows: DueRows<R>): Deliveries {
  const underWay = new Map<Promise<void>, R>()
  let closed = false
  let begun = 0

  const loop = openLoop(async () => {
    await rows.prepare?.()
    for (;;) {
      const row = closed || underWay.size >= rows.atOnce ? null : await rows.take([...underWay.values()])
      if (row === null) return
      const delivery: Promise<void> = rows
        .deliver(row)
        .catch(ignoreOutage)
        .finally(() => {
          underWay.delete(delivery)
          loop.wake()
        })
      underWay.set(delivery, row)
      begun += 1
    }
  }, rows)

  return {
    begin() {
      loop.begin()
      loop.wake()
    },
    wake: loop.wake,
    async deliverDue() {
      for (;;) {
        await Promise.all(underWay.keys())
        // Only a delivery can make more rows due. So everything is done after a run with no delivery under way before,
        // during or after it; `begun` reveals deliveries that began and ended in between.
        const [wasIdle, begunBefore] = [underWay.size === 0, begun]
        await loop.run()
        if (wasIdle && underWay.size === 0 && begun === begunBefore) return
      }
    },
    async close() {
      closed = true
      await loop.close()
      await Promise.all(underWay.keys())
    },
  }
}
