/** /v1/registration-tokens: initial access tokens (RFC 7591 §3), whose secret is shown only once; revoked by DELETE. */
import { collection, type Collection, type StoredResource } from '@grantor/api'
import type { Authority } from '@grantor/authority'
import { problem } from '@grantor/protocol/http'
import type { Secret } from '@grantor/protocol/types'
import type { RegistrationToken } from '@grantor/store'
import { Type } from 'typebox'
import { actorOf, adminProblem, found, listed, removed } from '../admin-problem.ts'
import { idPage, iso, isoIf, tenantOf, time } from '../fields.ts'

const RegistrationTokenSchema = Type.Object({
  id: Type.String({ readOnly: true, maxLength: 64 }),
  token: Type.Optional(Type.String({ readOnly: true, description: 'Only in the answer to the request that made it' })),
  uses_left: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'How many clients it lets in; left out: any number' }),
  ),
  expires_at: Type.Optional(Type.String({ format: 'date-time', description: 'When it ends; left out: never' })),
  created_at: time('When it was made'),
})
type RegistrationTokenDocument = Type.Static<typeof RegistrationTokenSchema>
type RegistrationTokenBody = Pick<RegistrationTokenDocument, 'uses_left' | 'expires_at'>

const entryOf = (it: RegistrationToken, token: Secret | null = null): StoredResource<RegistrationTokenDocument> => ({
  tenant: it.tenant,
  version: it.usesLeft ?? 0,
  value: {
    id: it.id,
    ...(token === null ? {} : { token }),
    ...(it.usesLeft === null ? {} : { uses_left: it.usesLeft }),
    ...isoIf('expires_at', it.expiresAt),
    created_at: iso(it.createdAt),
  },
})

export function registrationTokens({ admin }: Authority): Collection {
  const acts = admin.registrationTokens
  return collection<typeof RegistrationTokenSchema, RegistrationTokenBody>({
    name: 'registration-tokens',
    description: 'Tokens by which clients may register themselves',
    schema: RegistrationTokenSchema,
    example: exampleToken,
    scopes: { read: 'admin:registration-tokens:read', write: 'admin:registration-tokens:write' },
    // One answer contains a token.
    cacheControl: 'no-store',
    handlers: {
      list: async (query, context) => listed(await acts.list(tenantOf(context), idPage(query)), (it) => entryOf(it)),
      get: async (id, context) => found(await acts.find(tenantOf(context), id), (it) => entryOf(it)),
      async create({ uses_left: uses = null, expires_at: ends }, context) {
        const expiresIn = ends === undefined ? null : Math.floor((Date.parse(ends) - context.now) / 1000)
        if (expiresIn !== null && !(expiresIn > 0))
          return problem('validation-error', 'It would be over before it began.', {
            errors: [{ pointer: '#/expires_at', code: 'invalid', detail: 'must be in the future' }],
          })
        const made = await acts.create(actorOf(context.caller), tenantOf(context), { uses, expiresIn })
        return made.kind === 'ok' ? entryOf(made.value, made.value.token) : adminProblem(made.error)
      },
      remove: async (id, _expected, context) =>
        removed(await acts.revoke(actorOf(context.caller), tenantOf(context), id)),
    },
  })
}

const exampleToken: RegistrationTokenDocument = {
  id: '0192f0c4-0000-7c3d-8e4f-5a6b7c8d9e0f',
  uses_left: 5,
  expires_at: '2026-12-15T10:00:00.000Z',
  created_at: '2026-11-15T10:00:00.000Z',
}
