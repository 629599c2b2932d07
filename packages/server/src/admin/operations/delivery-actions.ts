/** Actions that webhooks and streams share: list deliveries, and send them again. */
import type { ActionPlan } from '@grantor/api'
import type { Authority } from '@grantor/authority'
import type { JsonObject } from '@grantor/protocol/types'
import type { EventDeliveryRow } from '@grantor/store'
import { Type } from 'typebox'
import { actorOf, adminProblem } from '../admin-problem.ts'
import { iso, isoIf, tenantOf } from '../fields.ts'

type DeliveryActs = Pick<Authority['admin']['webhooks'], 'deliveries' | 'replay'>

interface DeliveryQuestion {
  readonly state?: EventDeliveryRow['state']
  readonly before?: string
  readonly limit?: number
}

export const deliveries = <D extends { readonly id: string }>(acts: DeliveryActs): ActionPlan<D> => ({
  on: 'item',
  scope: 'admin:webhooks:read',
  summary: 'What became of its messages, the newest first',
  body: Type.Object({
    state: Type.Optional(Type.Enum(['waiting', 'delivered', 'dead'], { description: 'Only those; left out: all' })),
    before: Type.Optional(Type.String({ maxLength: 64, description: 'Only those before this id: the last one shown' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: '50 where left out' })),
  }),
  example: { state: 'dead', limit: 50 },
  async run({ state, before, limit = 50 }: DeliveryQuestion, context, entry) {
    const receiver = entry?.value.id ?? ''
    const search = { receiver, state: state ?? null, before: before ?? null, limit }
    const held = await acts.deliveries(tenantOf(context), search)
    return held.kind === 'ok' ? { items: held.value.map(deliveryDocument) } : adminProblem(held.error)
  },
})

export const replay = <D extends { readonly id: string }>(acts: DeliveryActs): ActionPlan<D> => ({
  on: 'item',
  scope: 'admin:webhooks:write',
  summary: 'Send again: one message that was delivered or given up, or all that were given up',
  body: Type.Object({
    delivery: Type.Optional(Type.String({ maxLength: 64, description: 'Its id; left out: all that are dead' })),
  }),
  example: { delivery: '0192f0c4-0000-7c3d-8e4f-5a6b7c8d9e0f' },
  async run({ delivery = null }: { readonly delivery?: string | null }, context, entry) {
    const which = { id: entry?.value.id ?? '', delivery }
    const done = await acts.replay(actorOf(context.caller), tenantOf(context), which)
    return done.kind === 'ok' ? { queued: done.value } : adminProblem(done.error)
  },
})

const deliveryDocument = (it: EventDeliveryRow): JsonObject => ({
  id: it.id,
  type: it.type,
  state: it.state,
  attempts: it.attempts,
  ...(it.lastStatus === null ? {} : { last_status: it.lastStatus }),
  ...(it.lastError === null ? {} : { last_error: it.lastError }),
  ...(it.latency === null ? {} : { latency_ms: it.latency }),
  made_at: iso(it.madeAt),
  ...isoIf('next_try_at', it.dueAt),
  ...isoIf('settled_at', it.settledAt),
})
