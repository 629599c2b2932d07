/**
 * Counts requests that are refused to clients and strangers: one event a minute for each client and reason, however
 * often they try. The counts wait in memory, so a node that dies loses up to a minute of them; requests that succeed
 * are not counted.
 */
import type { Instant } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import {
  type EventDependencies,
  localOrigin,
  newEvent,
  type RefusalRecorder,
  type RefusedRequest,
  systemActor,
} from '../events.ts'
import { openLoop } from './loop.ts'

export interface RefusedRequests extends RefusalRecorder {
  /** Calls the watcher for the first refusal of each kind in every minute, from now on. */
  watch(watcher: (refused: RefusedRequest) => void): void
  begin(): void
  /** Writes the counts. */
  flush(): Promise<void>
  close(): Promise<void>
}

const every = 60_000
/**
 * Kinds counted separately at most. Beyond, clients are no longer told apart; if even that is too much, nothing is
 * counted.
 */
const mostKinds = 1_000

interface Counted extends RefusedRequest {
  readonly firstAt: Instant
  lastAt: Instant
  count: number
}

export function openRefusedRequests(
  deps: EventDependencies & { readonly store: Pick<Store, 'events'> },
): RefusedRequests {
  let counted = new Map<string, Counted>()
  let watcher = (_refused: RefusedRequest): void => {}

  function record(refused: RefusedRequest): void {
    const now = deps.clock.now()
    const key = keyOf(refused)
    const held = counted.get(key)
    if (held !== undefined) {
      held.count++
      held.lastAt = now
    } else if (counted.size < mostKinds) {
      counted.set(key, { ...refused, count: 1, firstAt: now, lastAt: now })
      watcher(refused)
    } else if (refused.clientId !== null) {
      record({ ...refused, clientId: null })
    } else if (counted.size < 2 * mostKinds) {
      counted.set(key, { ...refused, count: 1, firstAt: now, lastAt: now })
    }
  }

  async function flush(): Promise<void> {
    if (counted.size === 0) return
    const written = counted
    counted = new Map()
    try {
      await deps.store.events.append([...written.values()].map((refused) => eventOf(refused, deps)))
    } catch (cause) {
      // Kept for the next attempt, added to the refusals that were counted meanwhile.
      for (const [key, later] of counted) {
        const before = written.get(key)
        written.set(key, before === undefined ? later : added(before, later))
      }
      counted = written
      throw cause
    }
  }

  const loop = openLoop(flush, { every })
  return {
    record,
    flush,
    watch(next) {
      watcher = next
    },
    begin: () => loop.begin(),
    async close() {
      await loop.close()
      await flush().catch(() => undefined)
    },
  }
}

const added = (before: Counted, later: Counted): Counted => ({
  ...later,
  firstAt: before.firstAt,
  count: before.count + later.count,
})

/** Separated by spaces: no tenant, name, reason or URI contains one. */
const keyOf = ({ name, tenant, reason, resource, clientId }: RefusedRequest): string =>
  `${name} ${tenant} ${reason} ${resource ?? ''} ${clientId ?? ''}`

const eventOf = (
  { name, tenant, clientId, reason, resource, count, firstAt, lastAt }: Counted,
  deps: EventDependencies,
) =>
  newEvent(deps, localOrigin(tenant), name, {
    // The client that a made-up token claims is unknown; the client here is the API that asked about it.
    ...(name === 'token.rejected'
      ? { actor: { kind: 'resource_server', id: clientId } }
      : { actor: systemActor, clientId }),
    reason,
    data: { ...(resource === undefined ? {} : { resource }), count, first_at: firstAt, last_at: lastAt },
  })
