/** The two versions of the collection: how each shows a stored order, and how it stores what a client writes. */
import type { ListPlan } from '@grantor/api'
import type { Static, TObject } from 'typebox'
import {
  exampleOrder,
  exampleOrderV2,
  type KeptOrder,
  type KeptOrderBody,
  Order,
  type OrderBody,
  OrderV2,
  type OrderV2Body,
} from './order.ts'

export interface OrderVersion<S extends TObject, W> {
  readonly schema: S
  readonly example: Static<S>
  readonly list: ListPlan
  /** The column that stores each member of the schema. */
  readonly columns: Readonly<Record<string, string>>
  shown(order: KeptOrder): Static<S>
  /** Makes what is stored from a client's body; `before` is the order that a change replaces. */
  kept(body: W, before: KeptOrder | null): KeptOrderBody
}

const compared = ['eq', 'gt', 'gte', 'lt', 'lte'] as const
const filter = { status: ['eq', 'ne', 'in'], created_at: ['gt', 'gte', 'lt', 'lte'] } as const
const columns = { id: 'id', status: 'status', created_at: 'created_at' }

export const orderV1: OrderVersion<typeof Order, OrderBody> = {
  schema: Order,
  example: exampleOrder,
  list: { filter: { ...filter, total: compared }, sort: ['created_at', 'total'], order: '-created_at' },
  columns: { ...columns, total: 'total' },
  shown: ({ owner: _owner, currency: _currency, ...order }) => order,
  // This version has no currency, so it leaves the stored one as it is.
  kept: (body, before) => ({ ...body, currency: before?.currency ?? 'EUR' }),
}

export const orderV2: OrderVersion<typeof OrderV2, OrderV2Body> = {
  schema: OrderV2,
  example: exampleOrderV2,
  list: {
    filter: { ...filter, total_cents: compared, currency: ['eq', 'in'] },
    sort: ['created_at', 'total_cents'],
    order: '-created_at',
  },
  columns: { ...columns, total_cents: 'total', currency: 'currency' },
  shown: ({ total, ...order }) => ({ ...order, total_cents: total }),
  kept: ({ total_cents: total, ...body }) => ({ ...body, total }),
}
