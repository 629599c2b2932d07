/** An order: the one schema from which checks, types and the description follow. */
import { Type } from 'typebox'

export const Order = Type.Object({
  id: Type.String({
    readOnly: true,
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    description: 'Made by the server, or chosen by PUT',
  }),
  status: Type.Enum(['open', 'paid', 'shipped'], { default: 'open' }),
  items: Type.Array(
    Type.Object({
      sku: Type.String({ minLength: 1, maxLength: 64 }),
      qty: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
    }),
    { minItems: 1, maxItems: 200 },
  ),
  total: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000, description: 'In cents' }),
  note: Type.Optional(Type.String({ maxLength: 1000 })),
  created_at: Type.String({ readOnly: true, format: 'date-time' }),
  updated_at: Type.String({ readOnly: true, format: 'date-time' }),
})
export type Order = Type.Static<typeof Order>

/** What a client writes: an order without what the server keeps. */
export type OrderBody = Omit<Order, 'id' | 'created_at' | 'updated_at'>

export const exampleOrder: Order = {
  id: 'ord_0192f0c4a1b27c3d8e4f5a6b7c8d9e0f',
  status: 'open',
  items: [{ sku: 'tea-green-100g', qty: 2 }],
  total: 1290,
  note: 'Leave at the door',
  created_at: '2026-11-15T10:00:00.000Z',
  updated_at: '2026-11-15T10:00:00.000Z',
}
