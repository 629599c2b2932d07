/** /v1/consents: the records of consents; DELETE withdraws all consents of that person to that client. */
import { collection, type Collection, type StoredResource } from '@grantor/api'
import type { Authority } from '@grantor/authority'
import type { ConsentRecord } from '@grantor/store'
import { Type } from 'typebox'
import { actorOf, adminProblem, found, listed } from './admin-problem.ts'
import { receiptLink } from './event-log/receipt-link.ts'
import { accessSearch, iso, isoIf, newestFirst, tenantOf, time } from './fields.ts'

export const ConsentSchema = Type.Object({
  id: Type.String({ readOnly: true, maxLength: 64 }),
  subject: Type.String({ readOnly: true, description: 'Who agreed' }),
  client_id: Type.String({ readOnly: true }),
  client: Type.Object({}, { readOnly: true, additionalProperties: true, description: 'What was shown of the client' }),
  scope: Type.String({ readOnly: true }),
  resources: Type.Array(Type.String(), { readOnly: true }),
  how: Type.Enum(['page', 'device', 'back_channel', 'administrator'], { readOnly: true }),
  grant_id: Type.String({ readOnly: true, description: 'What came of it' }),
  granted_at: time('When they agreed'),
  expires_at: Type.Optional(time('When it ends by itself')),
  revoked_at: Type.Optional(time('When it was withdrawn')),
  revoked_by: Type.Optional(Type.String({ readOnly: true })),
})
type ConsentDocument = Type.Static<typeof ConsentSchema>

const entryOf = (it: ConsentRecord): StoredResource<ConsentDocument> => ({
  tenant: it.tenant,
  version: it.revokedAt ?? 0,
  value: {
    id: it.id,
    subject: it.subject,
    client_id: it.clientId,
    client: it.client,
    scope: it.scope,
    resources: [...it.resources],
    how: it.how,
    grant_id: it.grantId,
    granted_at: iso(it.grantedAt),
    ...isoIf('expires_at', it.expiresAt),
    ...isoIf('revoked_at', it.revokedAt),
    ...(it.revokedBy === null ? {} : { revoked_by: it.revokedBy }),
  },
})

export function consents({ admin }: Authority): Collection {
  const acts = admin.consents
  return collection<typeof ConsentSchema>({
    name: 'consents',
    description: 'What people agreed to: a record that is never edited',
    schema: ConsentSchema,
    example: exampleConsent,
    scopes: { read: 'admin:consents:read', write: 'admin:consents:write' },
    cacheControl: 'no-store',
    list: { filter: { subject: ['eq'], client_id: ['eq'] }, ...newestFirst },
    // DELETE removes the permission; the record stays, with the time of its withdrawal.
    removal: 'accepted',
    statusLink: ({ subject, client_id }) => receiptLink({ subject, client_id }),
    handlers: {
      list: async (query, context) => listed(await acts.list(tenantOf(context), accessSearch(query)), entryOf),
      get: async (id, context) => found(await acts.find(tenantOf(context), id), (it) => entryOf(it)),
      async remove(id, _expected, context) {
        const tenant = tenantOf(context)
        const withdrawn = await acts.withdraw(actorOf(context.caller), tenant, id)
        const record = withdrawn.kind === 'ok' ? await acts.find(tenant, id) : withdrawn
        if (record.kind === 'ok') return entryOf(record.value)
        return record.error.reason === 'absent' ? 'changed' : adminProblem(record.error)
      },
    },
  })
}

const exampleConsent: ConsentDocument = {
  id: '0192f0c4-0000-7c3d-8e4f-5a6b7c8d9e0f',
  subject: '0192f0c3-0000-7c3d-8e4f-5a6b7c8d9e0f',
  client_id: 'web',
  client: { client_name: 'Web shop' },
  scope: 'openid profile',
  resources: [],
  how: 'page',
  grant_id: '0192f0c5-0000-7c3d-8e4f-5a6b7c8d9e0f',
  granted_at: '2026-11-15T10:00:00.000Z',
}
