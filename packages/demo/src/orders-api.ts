/** The Orders API: one table, shown as two versions of one collection; each caller has its own orders. */
import {
  type ApiMetrics,
  collection,
  type Collection,
  type IdempotencyStore,
  problem,
  type Problem,
  type RequestContext,
  type ResourceServer,
  resourceServer,
  type StoredResource,
} from '@grantor/api'
import type { Instant } from '@grantor/protocol/types'
import type { Validator } from '@grantor/resource'
import type { TObject } from 'typebox'
import { exportOrders } from './export-orders.ts'
import type { KeptOrder } from './order.ts'
import { orderV1, orderV2, type OrderVersion } from './order-versions.ts'
import type { OrderOwner, OrdersTable, OrdersView } from './orders-table.ts'

/** The scope to see everybody's orders; the other scopes still allow actions on the caller's own orders only. */
export const seesAll = 'orders:all'
const reading = { any: ['orders:read', seesAll] }

export const viewOf = ({ caller, tenant }: RequestContext): OrdersView => ({
  tenant,
  owner: caller.scope.has(seesAll) ? null : caller.subject,
})

const ownerOf = ({ caller, tenant }: RequestContext): OrderOwner => ({ tenant, owner: caller.subject })

export interface OrdersOptions {
  /** Milliseconds that an export waits after each page, so that its progress can be watched. */
  readonly exportPause?: number
}

export function orders<S extends TObject, W>(
  table: OrdersTable,
  version: OrderVersion<S, W>,
  { exportPause = 0 }: OrdersOptions = {},
): Collection {
  const { schema, example, list, columns, kept } = version
  const shown = (found: StoredResource<KeptOrder>) => ({ ...found, value: version.shown(found.value) })
  /** Other people's orders do not exist for the caller (null); a caller who may see them all gets `forbidden`. */
  const own = (id: string, context: RequestContext): KeptOrder | Problem | null => {
    const found = table.find(viewOf(context), id)?.value ?? null
    if (found === null || found.owner === context.caller.subject) return found
    return problem('forbidden', 'This order is somebody else’s.')
  }
  return collection<S, W>({
    name: 'orders',
    description: 'What was bought: your own orders, or everybody’s with orders:all',
    schema,
    example,
    scopes: { read: reading, write: 'orders:write', delete: 'orders:delete' },
    list,
    concurrency: 'optional',
    idempotency: { rerun: true },
    deferred: 'preferred',
    handlers: {
      list: (query, context) => table.page(viewOf(context), query, columns).map(shown),
      get(id, context) {
        const found = table.find(viewOf(context), id)
        return found === null ? null : shown(found)
      },
      // The id is made from the intent, so that a create that was interrupted and is retried finds its order.
      create(body, context) {
        const id = `ord_${context.intent.replaceAll('-', '')}`
        const by = ownerOf(context)
        const made = table.insert(by, id, kept(body, null), context.now) ?? table.find(by, id)
        if (made === null) throw new Error('an order was deleted while it was made')
        return shown(made)
      },
      insert(id, body, context) {
        const made = table.insert(ownerOf(context), id, kept(body, null), context.now)
        if (made !== null) return shown(made)
        // The id was taken since the check, or belongs to somebody whose orders the caller does not see.
        const holder = table.find({ ...viewOf(context), owner: null }, id)?.value.owner
        const hidden = holder !== undefined && table.find(viewOf(context), id) === null
        return hidden ? problem('not-found', 'There is no such resource.') : 'changed'
      },
      update(id, { body, expected }, context) {
        const before = own(id, context)
        if (before === null) return 'changed'
        if ('slug' in before) return before
        const at = { ...ownerOf(context), id, expected: String(expected) }
        const updated = table.update(at, kept(body, before), context.now)
        return updated === null ? 'changed' : shown(updated)
      },
      remove(id, expected, context) {
        const before = own(id, context)
        if (before !== null && 'slug' in before) return before
        return table.remove(ownerOf(context), id, String(expected)) ? 'removed' : 'changed'
      },
    },
    actions: { export: exportOrders({ table, version, pause: exportPause, scope: reading, viewOf }) },
  })
}

export interface OrdersApiParts extends OrdersOptions {
  readonly audience: string
  readonly issuer: string
  readonly validator: Validator
  readonly table: OrdersTable
  /** By default the store in the table's file. */
  readonly keys?: IdempotencyStore
  /** With it, cursors stay valid after a restart. */
  readonly cursorSecret?: Uint8Array
  readonly metrics?: ApiMetrics
  readonly now?: () => Instant
}

/** The first version is deprecated: its answers say since when, until when, and where the next version is. */
export const firstVersionEnds = {
  deprecatedAt: Date.UTC(2026, 10, 1) as Instant,
  sunsetAt: Date.UTC(2036, 10, 1) as Instant,
  successor: 'v2',
} as const

export function ordersApi(parts: OrdersApiParts): ResourceServer {
  const { audience, issuer, validator, table, cursorSecret, metrics, now, keys = table.keys } = parts
  return resourceServer({
    name: 'Orders',
    description: 'A small API that accepts the tokens of Grantor.',
    audience,
    issuers: [issuer],
    validator,
    versions: [
      { name: 'v1', collections: [orders(table, orderV1, parts)], ...firstVersionEnds },
      { name: 'v2', collections: [orders(table, orderV2, parts)] },
    ],
    idempotency: keys,
    operations: table.operations,
    cors: { origins: '*' },
    // The demo listens on loopback only.
    pages: { metricsPublicWithoutToken: true },
    ...(cursorSecret === undefined ? {} : { cursorSecret }),
    ...(metrics === undefined ? {} : { metrics }),
    ...(now === undefined ? {} : { now }),
  })
}
