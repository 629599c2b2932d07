/** /v1/grants: what apps may do for which person; DELETE ends a grant with all its tokens. */
import { type ActionPlan, collection, type Collection, type StoredResource } from '@grantor/api'
import type { Authority } from '@grantor/authority'
import { problem } from '@grantor/protocol/http'
import { isJsonObject } from '@grantor/protocol/types'
import type { UsedGrant } from '@grantor/store'
import { Type } from 'typebox'
import { actorOf, adminProblem, found, listed, removed } from './admin-problem.ts'
import { receiptLink } from './event-log/receipt-link.ts'
import { accessSearch, iso, isoIf, newestFirst, tenantOf, time } from './fields.ts'
import { versionOfShown } from './shown-version.ts'

export const GrantSchema = Type.Object({
  id: Type.String({ readOnly: true, maxLength: 64, description: 'The grant_id of events and introspection' }),
  client_id: Type.String({ readOnly: true }),
  subject: Type.String({ readOnly: true, description: 'Who allowed it, or for whom it is' }),
  session_id: Type.String({ readOnly: true, description: 'The session in which it was allowed' }),
  scope: Type.String({ readOnly: true }),
  resources: Type.Array(Type.String(), { readOnly: true }),
  acr: Type.String({ readOnly: true, description: 'How strongly they had signed in' }),
  bound: Type.Boolean({ readOnly: true, description: 'Its refresh tokens belong to a key or a certificate' }),
  created_at: time('When it was allowed'),
  expires_at: time('When it ends by itself'),
  last_used_at: Type.Optional(time('When it last issued a token')),
})
type GrantDocument = Type.Static<typeof GrantSchema>

const documentOf = ({ authentication: by, ...grant }: UsedGrant): GrantDocument => ({
  id: grant.id,
  client_id: grant.clientId,
  subject: by.subject,
  session_id: by.sessionId,
  scope: [...grant.scope].join(' '),
  resources: [...grant.resources],
  acr: by.acr,
  bound: grant.confirmation !== null,
  created_at: iso(grant.createdAt),
  expires_at: iso(grant.expiresAt),
  ...isoIf('last_used_at', grant.lastUsedAt),
})

/** The version is made of the shown members, as a grant also loses scopes when its client loses them. */
function entryOf(grant: UsedGrant): StoredResource<GrantDocument> {
  const value = documentOf(grant)
  return { tenant: grant.tenant, version: versionOfShown(value), value }
}

export function grants({ admin }: Authority): Collection {
  const acts = admin.grants
  return collection<typeof GrantSchema>({
    name: 'grants',
    description: 'What people allowed apps to do, as long as it stands',
    schema: GrantSchema,
    example: exampleGrant,
    scopes: { read: 'admin:grants:read', write: 'admin:grants:write' },
    cacheControl: 'no-store',
    list: { filter: { subject: ['eq'], client_id: ['eq'] }, ...newestFirst },
    statusLink: ({ id }) => receiptLink({ grant_id: id }),
    handlers: {
      list: async (query, context) => listed(await acts.list(tenantOf(context), accessSearch(query)), entryOf),
      get: async (id, context) => found(await acts.find(tenantOf(context), id), (it) => entryOf(it)),
      remove: async (id, _expected, context) =>
        removed(await acts.revoke(actorOf(context.caller), tenantOf(context), id)),
    },
    actions: { revoke: revokeAll(admin), 'revoke-token': revokeToken(admin) },
  })
}

const revokeAll = ({ grants: acts }: Authority['admin']): ActionPlan<GrantDocument> => ({
  on: 'collection',
  scope: 'admin:grants:write',
  summary: 'End all grants of a person, of a client, or of a person to a client',
  body: Type.Object(
    {
      subject: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
      client_id: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    },
    { minProperties: 1, description: 'Whose: `subject`, `client_id`, or both' },
  ),
  example: { subject: '0192f0c3-0000-7c3d-8e4f-5a6b7c8d9e0f' },
  statusLink: (named: { readonly subject?: string; readonly client_id?: string }, result) =>
    isJsonObject(result) && result['revoked'] !== 0 ? receiptLink(named) : null,
  async run({ subject, client_id: clientId }: { readonly subject?: string; readonly client_id?: string }, context) {
    const ended = await acts.revokeAll(actorOf(context.caller), tenantOf(context), {
      subject: subject ?? null,
      clientId: clientId ?? null,
    })
    return ended.kind === 'ok' ? { revoked: ended.value } : adminProblem(ended.error)
  },
})

const revokeToken = ({ tokens }: Authority['admin']): ActionPlan<GrantDocument> => ({
  on: 'collection',
  scope: 'admin:grants:write',
  summary: 'End one access token, whose jti an event names; what else its grant issued lives on',
  body: Type.Object({ jti: Type.String({ minLength: 1, maxLength: 64 }) }),
  example: { jti: '0192f0c5-0000-7c3d-8e4f-5a6b7c8d9e0f' },
  statusLink: ({ jti }: { readonly jti: string }) => receiptLink({ jti }),
  async run({ jti }: { readonly jti: string }, context) {
    const ended = await tokens.revokeById(actorOf(context.caller), tenantOf(context), jti)
    if (ended.kind === 'ok') return { jti, revoked: ended.value === 'revoked' }
    return ended.error.reason === 'conflict' ? listedToken : adminProblem(ended.error)
  },
})

const listedToken = problem(
  'conflict',
  'Whoever looks at its status list would not hear of it. End its grant, or revoke the token itself at /revoke.',
)

const exampleGrant: GrantDocument = {
  id: '0192f0c4-0000-7c3d-8e4f-5a6b7c8d9e0f',
  client_id: 'web',
  subject: '0192f0c3-0000-7c3d-8e4f-5a6b7c8d9e0f',
  session_id: '0192f0c2-0000-7c3d-8e4f-5a6b7c8d9e0f',
  scope: 'openid profile offline_access',
  resources: [],
  acr: 'urn:grantor:acr:1fa',
  bound: false,
  created_at: '2026-11-15T10:00:00.000Z',
  expires_at: '2027-11-15T10:00:00.000Z',
}
