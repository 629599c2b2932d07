/** /v1/sessions: the browser sessions of people; DELETE signs them out. */
import { collection, type Collection, type StoredResource } from '@grantor/api'
import type { Authority } from '@grantor/authority'
import type { SessionRow } from '@grantor/store'
import { Type } from 'typebox'
import { actorOf, found, listed, removed } from './admin-problem.ts'
import { receiptLink } from './event-log/receipt-link.ts'
import { agentFields, agentMembers, filterValue, iso, newestFirst, newestFirstPage, tenantOf, time } from './fields.ts'

export const SessionSchema = Type.Object({
  id: Type.String({ readOnly: true, maxLength: 64, description: 'The sid of tokens' }),
  subject: Type.String({ readOnly: true, description: 'Who is signed in' }),
  acr: Type.String({ readOnly: true, description: 'How strongly' }),
  amr: Type.Array(Type.String(), { readOnly: true, description: 'By what' }),
  ip: Type.Optional(Type.String({ readOnly: true })),
  ...agentFields,
  authenticated_at: time('When they last proved who they are'),
  created_at: time('When it began'),
  last_seen_at: time('When it was last used'),
  expires_at: time('When it ends by itself'),
})
type SessionDocument = Type.Static<typeof SessionSchema>

const documentOf = ({ authentication: by, ...session }: SessionRow): SessionDocument => ({
  id: session.id,
  subject: by.subject,
  acr: by.acr,
  amr: [...by.amr],
  ...(session.ip === null ? {} : { ip: session.ip }),
  ...agentMembers(session.userAgent),
  authenticated_at: iso(by.at),
  created_at: iso(session.createdAt),
  last_seen_at: iso(session.lastSeenAt),
  expires_at: iso(session.expiresAt),
})

const entryOf = (session: SessionRow): StoredResource<SessionDocument> => ({
  tenant: session.tenant,
  version: session.lastSeenAt,
  value: documentOf(session),
})

export function sessions({ admin }: Authority): Collection {
  const acts = admin.sessions
  return collection<typeof SessionSchema>({
    name: 'sessions',
    description: 'Browsers that people are signed in with',
    schema: SessionSchema,
    example: exampleSession,
    scopes: { read: 'admin:sessions:read', write: 'admin:sessions:write' },
    cacheControl: 'no-store',
    list: { filter: { subject: ['eq'] }, ...newestFirst },
    statusLink: ({ subject }) => receiptLink({ subject }),
    handlers: {
      async list(query, context) {
        const subject = filterValue(query.filter, 'subject')
        return listed(await acts.list(tenantOf(context), { ...newestFirstPage(query), subject }), entryOf)
      },
      get: async (id, context) => found(await acts.find(tenantOf(context), id), (it) => entryOf(it)),
      remove: async (id, _expected, context) => removed(await acts.end(actorOf(context.caller), tenantOf(context), id)),
    },
  })
}

const exampleSession: SessionDocument = {
  id: '0192f0c4-0000-7c3d-8e4f-5a6b7c8d9e0f',
  subject: '0192f0c3-0000-7c3d-8e4f-5a6b7c8d9e0f',
  acr: 'urn:grantor:acr:1fa',
  amr: ['pwd'],
  ip: '203.0.113.7',
  authenticated_at: '2026-11-15T10:00:00.000Z',
  created_at: '2026-11-15T10:00:00.000Z',
  last_seen_at: '2026-11-15T10:05:00.000Z',
  expires_at: '2026-12-15T10:00:00.000Z',
}
