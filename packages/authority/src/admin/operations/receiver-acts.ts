/** The acts that webhooks and streams share: finding one, removing one, listing its deliveries, and repeating them. */
import type { Actor } from '@grantor/protocol/events'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import type { EventDeliveryRow, EventDeliverySearch, ReceiverKind, ReceiverRow, Store } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent } from '../../events.ts'
import type { AdminResult } from '../result.ts'

export interface ReceiverDeliveries {
  deliveries(tenant: TenantId, search: EventDeliverySearch): Promise<AdminResult<readonly EventDeliveryRow[]>>
  /** Repeats one finished delivery, or (null) all that were given up; returns how many are queued again. */
  replay(
    by: Actor,
    tenant: TenantId,
    which: { readonly id: string; readonly delivery: string | null },
  ): Promise<AdminResult<number>>
}

export interface ReceiverDeliveryDependencies extends EventDependencies {
  readonly store: Pick<Store, 'eventReceivers' | 'eventDeliveries'>
}

export interface ReceiverActs extends ReceiverDeliveries {
  /** Only a receiver of this kind. */
  held(tenant: TenantId, id: string): Promise<ReceiverRow | null>
  absent(id: string): ReturnType<typeof err<{ readonly reason: 'absent'; readonly what: string }>>
  changed(by: Actor, tenant: TenantId, data: JsonObject): readonly ReturnType<typeof newEvent>[]
  /** Removes the receiver and its waiting deliveries. */
  remove(by: Actor, tenant: TenantId, id: string): Promise<AdminResult<null>>
}

const changeOf = { webhook: 'admin.webhook_changed', stream: 'stream.changed' } as const

export function openReceiverActs(kind: ReceiverKind, deps: ReceiverDeliveryDependencies): ReceiverActs {
  const { clock, store } = deps
  const { eventReceivers, eventDeliveries } = store
  const acts: Pick<ReceiverActs, 'held' | 'absent' | 'changed'> = {
    async held(tenant, id) {
      const row = await eventReceivers.find(tenant, id)
      return row?.kind === kind ? row : null
    },
    absent: (id) => err({ reason: 'absent', what: `${kind} ${id}` }),
    changed: (by, tenant, data) => [newEvent(deps, localOrigin(tenant), changeOf[kind], { actor: by, data })],
  }
  return {
    ...acts,

    async remove(by, tenant, id) {
      if ((await acts.held(tenant, id)) === null) return acts.absent(id)
      const gone = await eventReceivers.remove(tenant, id, acts.changed(by, tenant, { id, removed: true }))
      return gone === 'removed' ? ok(null) : acts.absent(id)
    },

    async deliveries(tenant, search) {
      if ((await acts.held(tenant, search.receiver)) === null) return acts.absent(search.receiver)
      return ok(await eventDeliveries.search(tenant, search))
    },

    async replay(by, tenant, { id, delivery }) {
      if ((await acts.held(tenant, id)) === null) return acts.absent(id)
      const found = delivery === null ? null : await eventDeliveries.find(tenant, id, delivery)
      if (delivery !== null && found === null) return err({ reason: 'absent', what: `delivery ${delivery}` })
      const events = acts.changed(by, tenant, { id, replayed: delivery ?? 'dead' })
      return ok(await eventDeliveries.replay({ tenant, receiver: id, id: delivery, at: clock.now(), events }))
    },
  }
}
