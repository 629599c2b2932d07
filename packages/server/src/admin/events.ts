/** /v1/events: the event log of a tenant; and /v1/events/reports, where resource servers report failed validations. */
import { type ActionPlan, collection, type Collection, type StoredResource } from '@grantor/api'
import type { Authority } from '@grantor/authority'
import {
  encodeReportBatch,
  mostReports,
  parseReportBatch,
  reportScope,
  type SealedEvent,
} from '@grantor/protocol/events'
import { problem } from '@grantor/protocol/http'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { Type } from 'typebox'
import { exported, follow, verify } from './event-log/actions.ts'
import { searchOf } from './event-log/query.ts'
import { type EventDocument, eventEntry, EventSchema, exampleEvent } from './event-log/event.ts'
import { adminProblem, found, searched } from './admin-problem.ts'

/** Events never change, so the sequence number serves as version. */
const entryOf = (event: SealedEvent): StoredResource<EventDocument> => ({
  tenant: event.tenant,
  version: event.seq,
  modifiedAt: event.at,
  value: eventEntry(event),
})

export function events({ admin }: Authority, basePath: (tenant: string) => string): Collection {
  return collection<typeof EventSchema>({
    name: 'events',
    description: 'What happened, in order; sealed, never edited',
    schema: EventSchema,
    example: exampleEvent,
    scopes: { read: 'admin:events:read' },
    list: {
      filter: {
        name: ['eq', 'in'],
        subject: ['eq', 'in'],
        client_id: ['eq', 'in'],
        grant_id: ['eq', 'in'],
        jti: ['eq', 'in'],
        reason: ['eq', 'in'],
        ip: ['eq', 'in'],
        seq: ['gt', 'gte', 'lt', 'lte'],
        at: ['gt', 'gte', 'lt', 'lte'],
      },
      sort: ['seq'],
      order: '-seq',
      // The log has one order; for another, all of it would have to be read before the first page.
      sortsById: false,
    },
    handlers: {
      async list(query, { tenant }) {
        const search = searchOf(query)
        if (search.kind === 'error') return search.error
        return searched(await admin.events.search(tenant as TenantId, search.value), entryOf)
      },
      get: async (id, { tenant }) => found(await admin.events.find(tenant as TenantId, id), (it) => entryOf(it)),
    },
    views: { export: exported(admin.events, basePath) },
    actions: { reports: reports(admin), follow: follow(admin.events), verify: verify(admin.events) },
  })
}

const text = () => Type.String({ minLength: 1, maxLength: 2048 })
const maybe = () => Type.Union([text(), Type.Null()])
const time = () =>
  Type.String({
    format: 'date-time',
    pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(?:\.\d{1,9})?Z$`,
    description: 'ISO, UTC',
  })
const code = () => Type.String({ pattern: '^[a-z_]{1,64}$' })
const count = (description = 'How often') => Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description })

const Batch = Type.Object({
  resource: text(),
  reports: Type.Array(
    Type.Object({
      id: text(),
      at: time(),
      code: code(),
      issuer: text(),
      tenant: maybe(),
      subject: text(),
      client_id: text(),
      grant_id: maybe(),
      jti: text(),
    }),
    { maxItems: mostReports, description: 'Refused tokens that were genuine' },
  ),
  counts: Type.Array(Type.Object({ id: text(), code: code(), count: count(), from: time(), to: time() }), {
    maxItems: mostReports,
    description: 'Refused tokens that nothing can be believed of',
  }),
  dropped: count('Reports that were given up since the last batch'),
})

const reports = ({ reports: acts }: Authority['admin']): ActionPlan<EventDocument> => ({
  on: 'collection',
  scope: reportScope,
  summary: 'Hand in failed validations',
  body: Batch,
  example: exampleBatch,
  async run(body: JsonObject, { caller, tenant }) {
    const batch = parseReportBatch(body)
    if (batch === null) return problem('validation-error', 'A time or a code of the batch is malformed.')
    const taken = await acts.record(tenant as TenantId, caller.clientId, batch)
    return taken.kind === 'ok' ? { recorded: taken.value.recorded } : adminProblem(taken.error)
  },
})

const exampleBatch: JsonObject = encodeReportBatch({
  resource: 'https://api.example',
  reports: [
    {
      id: '4f6c0c1e-7a2b-4f1e-9d57-1f0a5f3f8b11',
      at: Date.parse('2026-11-15T10:00:00.000Z') as SealedEvent['at'],
      code: 'token_revoked',
      issuer: 'https://as.example',
      tenant: null,
      subject: 'web',
      clientId: 'web',
      grantId: null,
      jti: '0192f0c4-0000-7c3d-8e4f-5a6b7c8d9e0f',
    },
  ],
  counts: [],
  dropped: 0,
})
