/** Exports all orders of a caller: too many for one answer, so it runs later, page by page, and reports progress. */
import { setTimeout as pauseFor } from 'node:timers/promises'
import type { ActionPlan, PageQuery, RequestContext } from '@grantor/api'
import type { Json } from '@grantor/protocol/types'
import type { ScopeNeed } from '@grantor/resource'
import { type TObject, Type } from 'typebox'
import type { OrderVersion } from './order-versions.ts'
import type { OrdersTable, OrdersView } from './orders-table.ts'

export interface ExportParts<S extends TObject, W> {
  readonly table: OrdersTable
  readonly version: OrderVersion<S, W>
  readonly scope: ScopeNeed
  readonly pause: number
  viewOf(context: RequestContext): OrdersView
}

const pageSize = 10
/** Limit, because the outcome is one JSON document; more orders would need a file. */
const mostExported = 10_000

export function exportOrders<S extends TObject, W>(parts: ExportParts<S, W>): ActionPlan<never> {
  const { table, version, scope, pause, viewOf } = parts
  const { columns, shown } = version
  return {
    on: 'collection',
    scope,
    summary: 'Export all of them, oldest first',
    body: Type.Object({}),
    example: {},
    deferred: 'always',
    async run(_body, context) {
      const { signal, progress } = context
      const view = viewOf(context)
      const total = Math.min(table.count(view), mostExported)
      const items: Json[] = []
      let after: PageQuery['after'] = null
      while (items.length < total) {
        signal.throwIfAborted()
        const sort = ['created_at', 'id'].map((field) => ({ field, descending: false }))
        const page = table.page(view, { take: pageSize, sort, filter: [], after }, columns)
        const last = page.at(-1)
        // Orders may be deleted while the export reads them.
        if (last === undefined) break
        items.push(...page.map(({ value }) => shown(value) as Json))
        after = [last.value.created_at, last.value.id]
        progress(items.length, total)
        if (pause > 0) await pauseFor(pause, undefined, { signal })
      }
      return { exported_at: new Date(context.now).toISOString(), items }
    },
  }
}
