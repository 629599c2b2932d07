/** /v1/streams: streams of shared signals, which clients create; administrators list, stop and delete them. */
import { collection, type Collection, type StoredResource } from '@grantor/api'
import type { Authority, SignalStream } from '@grantor/authority'
import { streamStatuses } from '@grantor/protocol/ssf'
import { Type } from 'typebox'
import { actorOf, adminProblem, found, listed, removed } from '../admin-problem.ts'
import { iso, isoIf, pageById, tenantOf, time } from '../fields.ts'
import { shownVersion, storedVersion } from '../shown-version.ts'
import { deliveries, replay } from './delivery-actions.ts'

const StreamSchema = Type.Object({
  id: Type.String({ readOnly: true, maxLength: 64 }),
  client_id: Type.String({ readOnly: true, description: 'Whose it is: the audience of what it is told' }),
  delivery: Type.Enum(['push', 'poll'], { readOnly: true, description: 'RFC 8935, or RFC 8936' }),
  endpoint_url: Type.Optional(Type.String({ readOnly: true, description: 'Where it is pushed to' })),
  events_requested: Type.Array(Type.String(), { readOnly: true }),
  events_delivered: Type.Array(Type.String(), { readOnly: true, description: 'Of these, what is told here' }),
  description: Type.Optional(Type.String({ readOnly: true, description: 'What its client says of it' })),
  status: Type.Enum([...streamStatuses], {
    description: 'Paused: what happens is kept. Disabled: it is not. The client is told, and cannot undo either.',
  }),
  status_reason: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: 'Why; the client is told this, too' }),
  ),
  held: Type.Boolean({ readOnly: true, description: 'An administrator stopped it' }),
  failing_since: Type.Optional(time('Since when nothing arrived')),
  created_at: time('When it was made'),
})
type StreamDocument = Type.Static<typeof StreamSchema>
type StreamBody = Pick<StreamDocument, 'status' | 'status_reason'>

const entryOf = ({ settings, ...it }: SignalStream): StoredResource<StreamDocument> => ({
  tenant: it.tenant,
  // `failing_since` changes without a new stored version, so the ETag includes it.
  version: shownVersion(it.version, { failing: it.failingSince ?? undefined }),
  value: {
    id: it.id,
    client_id: settings.clientId,
    delivery: settings.method,
    ...(settings.url === null ? {} : { endpoint_url: settings.url }),
    events_requested: [...settings.requested],
    events_delivered: [...settings.delivered],
    ...(settings.description === null ? {} : { description: settings.description }),
    status: it.status,
    ...(it.statusReason === null ? {} : { status_reason: it.statusReason }),
    held: settings.held,
    ...isoIf('failing_since', it.failingSince),
    created_at: iso(it.createdAt),
  },
})

export function streams({ admin }: Authority): Collection {
  const acts = admin.streams
  return collection<typeof StreamSchema, StreamBody>({
    name: 'streams',
    description: 'Streams of shared signals: which client is told of what becomes of people, and how that fares',
    schema: StreamSchema,
    example: exampleStream,
    // The scopes of webhooks, because both tell others of events.
    scopes: { read: 'admin:webhooks:read', write: 'admin:webhooks:write' },
    handlers: {
      async list(query, context) {
        const held = listed(await acts.list(tenantOf(context)), entryOf)
        return 'kind' in held ? held : pageById(held, query)
      },
      get: async (id, context) => found(await acts.find(tenantOf(context), id), entryOf),
      async update(id, { body, expected }, context) {
        const { status, status_reason: reason = null } = body
        const to = { id, version: Number(storedVersion(expected)), status, reason }
        const done = await acts.setStatus(actorOf(context.caller), tenantOf(context), to)
        if (done.kind === 'ok') return entryOf(done.value)
        const { reason: why } = done.error
        return why === 'conflict' || why === 'absent' ? 'changed' : adminProblem(done.error)
      },
      remove: async (id, _expected, context) =>
        removed(await acts.remove(actorOf(context.caller), tenantOf(context), id)),
    },
    actions: { deliveries: deliveries(acts), replay: replay(acts) },
  })
}

const exampleStream: StreamDocument = {
  id: '0192f0c4-0000-7c3d-8e4f-5a6b7c8d9e0f',
  client_id: 'shop',
  delivery: 'push',
  endpoint_url: 'https://shop.example/signals',
  events_requested: ['https://schemas.openid.net/secevent/caep/event-type/session-revoked'],
  events_delivered: ['https://schemas.openid.net/secevent/caep/event-type/session-revoked'],
  status: 'enabled',
  held: false,
  created_at: '2026-11-15T10:00:00.000Z',
}
