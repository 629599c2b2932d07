/** /v1/statistics: numbers of events, as series of counts. */
import { collection, type Collection, type PageQuery, type StoredResource } from '@grantor/api'
import type { Authority, CountedSeries, StatisticsQuery } from '@grantor/authority'
import { seriesPlan, statisticsSeries } from '@grantor/protocol/events'
import type { FilterTerm } from '@grantor/protocol/http'
import type { Instant, TenantId } from '@grantor/protocol/types'
import { type StatisticsStep, statisticsSteps } from '@grantor/store'
import { Type } from 'typebox'
import { adminProblem } from '../admin-problem.ts'
import { filterValue, inOrder, iso, tenantOf, time } from '../fields.ts'
import { versionOfShown } from '../shown-version.ts'

const counts = (description: string) => Type.Array(Type.Integer({ minimum: 0 }), { readOnly: true, description })

const SeriesSchema = Type.Object({
  id: Type.Enum([...statisticsSeries], { readOnly: true, description: 'What is counted' }),
  description: Type.String({ readOnly: true }),
  step: Type.Enum(Object.keys(statisticsSteps) as StatisticsStep[], {
    readOnly: true,
    description: 'How long each value counts for; days are those of UTC',
  }),
  from: time('When the first value begins'),
  to: time('When the last value ends; it may not be over yet'),
  total: Type.Integer({ readOnly: true, minimum: 0 }),
  values: counts('How many in each step, in order'),
  reasons: Type.Optional(
    Type.Record(Type.String(), counts('How many of this reason in each step'), {
      readOnly: true,
      description: 'The same for each reason that occurred',
    }),
  ),
})
type SeriesDocument = Type.Static<typeof SeriesSchema>

const documentOf = ({ series, step, from, to, total, values, reasons }: CountedSeries): SeriesDocument => ({
  id: series,
  description: seriesPlan(series).description,
  step,
  from: iso(from),
  to: iso(to),
  total,
  values: [...values],
  ...(reasons === null
    ? {}
    : { reasons: Object.fromEntries(Object.entries(reasons).map(([reason, of]) => [reason, [...of]])) }),
})

export function statistics({ admin }: Authority): Collection {
  const entryOf = (tenant: TenantId, counted: CountedSeries): StoredResource<SeriesDocument> => {
    const value = documentOf(counted)
    return { tenant, version: versionOfShown(value), value }
  }
  return collection<typeof SeriesSchema>({
    name: 'statistics',
    description: 'How much happened, minute by minute, hour by hour or day by day',
    schema: SeriesSchema,
    example: exampleSeries,
    scopes: { read: 'admin:statistics:read' },
    cacheControl: 'no-store',
    list: { filter: { id: ['eq', 'in'], step: ['eq'], from: ['eq'], to: ['eq'] } },
    handlers: {
      async list(query, context) {
        const tenant = tenantOf(context)
        const found = await admin.statistics.counts(tenant, queryOf(query.filter))
        if (found.kind === 'error') return adminProblem(found.error)
        return page(found.value, query).map((counted) => entryOf(tenant, counted))
      },
      async get(id, context) {
        const tenant = tenantOf(context)
        const found = await admin.statistics.counts(tenant, queryOf([]))
        if (found.kind === 'error') return adminProblem(found.error)
        const counted = found.value.find(({ series }) => series === id)
        return counted === undefined ? null : entryOf(tenant, counted)
      },
    },
  })
}

function queryOf(filter: readonly FilterTerm[]): StatisticsQuery {
  const at = (field: string): Instant | null => {
    const value = filterValue(filter, field)
    return value === null ? null : (Date.parse(value) as Instant)
  }
  return { from: at('from'), to: at('to'), step: (filterValue(filter, 'step') ?? 'hour') as StatisticsStep }
}

function page(all: readonly CountedSeries[], query: PageQuery): readonly CountedSeries[] {
  const wanted = query.filter.find(({ field }) => field === 'id')
  const asked = all.filter(({ series }) => wanted === undefined || wanted.values.includes(series))
  return inOrder(
    asked.map((counted) => ({ ...counted, id: counted.series })),
    query,
  )
}

const exampleSeries: SeriesDocument = {
  id: 'sign_in_failed',
  description: seriesPlan('sign_in_failed').description,
  step: 'hour',
  from: '2026-11-15T10:00:00.000Z',
  to: '2026-11-15T13:00:00.000Z',
  total: 5,
  values: [2, 0, 3],
  reasons: { password: [2, 0, 2], second_factor: [0, 0, 1] },
}
