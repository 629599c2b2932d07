/** The Orders API: one collection over one table. */
import {
  type ApiMetrics,
  collection,
  type Collection,
  type IdempotencyStore,
  type ResourceServer,
  resourceServer,
} from '@grantor/api'
import type { Validator } from '@grantor/resource'
import { exampleOrder, Order, type OrderBody } from './order.ts'
import type { OrdersTable } from './orders-table.ts'

export function orders(table: OrdersTable): Collection {
  return collection<typeof Order, OrderBody>({
    name: 'orders',
    description: 'What was bought',
    schema: Order,
    example: exampleOrder,
    scopes: { read: 'orders:read', write: 'orders:write', delete: 'orders:delete' },
    list: {
      filter: {
        status: ['eq', 'ne', 'in'],
        total: ['eq', 'gt', 'gte', 'lt', 'lte'],
        created_at: ['gt', 'gte', 'lt', 'lte'],
      },
      sort: ['created_at', 'total'],
      order: '-created_at',
    },
    concurrency: 'optional',
    idempotency: { rerun: true },
    handlers: {
      list: (query, { tenant }) => table.page(tenant, query),
      get: (id, { tenant }) => table.find(tenant, id),
      // The id comes of the intent: a create that was cut off and is run again finds what it made.
      create(body, { tenant, now, intent }) {
        const id = `ord_${intent.replaceAll('-', '')}`
        const made = table.insert(tenant, id, body, now) ?? table.find(tenant, id)
        if (made === null) throw new Error('an order was deleted while it was made')
        return made
      },
      insert: (id, body, { tenant, now }) => table.insert(tenant, id, body, now) ?? 'changed',
      update: (id, { body, expected }, { tenant, now }) =>
        table.update({ tenant, id, expected: String(expected) }, body, now) ?? 'changed',
      remove: (id, expected, { tenant }) => (table.remove(tenant, id, String(expected)) ? 'removed' : 'changed'),
    },
  })
}

export interface OrdersApiParts {
  readonly audience: string
  readonly issuer: string
  readonly validator: Validator
  readonly table: OrdersTable
  /** By default in the table's file. */
  readonly keys?: IdempotencyStore
  /** Keeps cursors good over a restart. */
  readonly cursorSecret?: Uint8Array
  readonly metrics?: ApiMetrics
}

export function ordersApi(parts: OrdersApiParts): ResourceServer {
  const { audience, issuer, validator, table, cursorSecret, metrics, keys = table.keys } = parts
  return resourceServer({
    name: 'Orders',
    description: 'A small API that accepts the tokens of Grantor.',
    audience,
    issuers: [issuer],
    validator,
    versions: [{ name: 'v1', collections: [orders(table)] }],
    idempotency: keys,
    cors: { origins: '*' },
    // The demo listens on loopback only.
    pages: { metricsPublicWithoutToken: true },
    ...(cursorSecret === undefined ? {} : { cursorSecret }),
    ...(metrics === undefined ? {} : { metrics }),
  })
}
