/** An order in two versions: the schemas from which checks, types and the API description are made. */
import { Type } from 'typebox'

const id = Type.String({
  readOnly: true,
  pattern: '^[A-Za-z0-9_-]{1,64}$',
  description: 'Made by the server, or chosen by PUT',
})
const status = Type.Enum(['open', 'paid', 'shipped'], { default: 'open' })
const items = Type.Array(
  Type.Object({
    sku: Type.String({ minLength: 1, maxLength: 64 }),
    qty: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  }),
  { minItems: 1, maxItems: 200 },
)
const cents = { minimum: 0, maximum: 1_000_000_000_000 }
const note = Type.Optional(Type.String({ maxLength: 1000 }))
const time = Type.String({ readOnly: true, format: 'date-time' })

/** The first version: an order has a total, without a currency. */
export const Order = Type.Object({
  id,
  status,
  items,
  total: Type.Integer({ ...cents, description: 'In cents' }),
  note,
  created_at: time,
  updated_at: time,
})
export type Order = Type.Static<typeof Order>

/** What a client writes: an order without the members that the server sets. */
export type OrderBody = Omit<Order, 'id' | 'created_at' | 'updated_at'>

/** The second version adds the owner, and the currency of the amount. */
export const OrderV2 = Type.Object({
  id,
  owner: Type.String({ readOnly: true, description: 'The person or client whose order it is' }),
  status,
  items,
  total_cents: Type.Integer(cents),
  currency: Type.Enum(['EUR', 'USD', 'GBP'], { default: 'EUR' }),
  note,
  created_at: time,
  updated_at: time,
})
export type OrderV2 = Type.Static<typeof OrderV2>
export type OrderV2Body = Omit<OrderV2, 'id' | 'owner' | 'created_at' | 'updated_at'>

/** An order as stored, from which each version is made. */
export type KeptOrder = Order & Pick<OrderV2, 'owner' | 'currency'>
export type KeptOrderBody = OrderBody & Pick<OrderV2, 'currency'>

const times = { created_at: '2026-11-15T10:00:00.000Z', updated_at: '2026-11-15T10:00:00.000Z' }

export const exampleOrder: Order = {
  id: 'ord_0192f0c4a1b27c3d8e4f5a6b7c8d9e0f',
  status: 'open',
  items: [{ sku: 'tea-green-100g', qty: 2 }],
  total: 1290,
  note: 'Leave at the door',
  ...times,
}

export const exampleOrderV2: OrderV2 = {
  id: exampleOrder.id,
  owner: 'demo-service',
  status: 'open',
  items: exampleOrder.items,
  total_cents: 1290,
  currency: 'EUR',
  note: 'Leave at the door',
  ...times,
}
