/** /v1/locks: who is locked out by a limit on guesses, and until when; DELETE unlocks them. */
import { collection, type Collection, type StoredResource } from '@grantor/api'
import type { Authority, Lock } from '@grantor/authority'
import { Type } from 'typebox'
import { actorOf, adminProblem, found, removed } from '../admin-problem.ts'
import { filterValue, iso, pageById, tenantOf, time } from '../fields.ts'
import { versionOfShown } from '../shown-version.ts'

const kinds = ['user', 'client', 'address', 'tenant'] as const

const LockSchema = Type.Object({
  id: Type.String({ readOnly: true, maxLength: 64 }),
  limit: Type.String({ readOnly: true, description: 'Which limit was reached, by its name in the settings' }),
  kind: Type.Enum([...kinds], { readOnly: true, description: 'What is shut out' }),
  subject: Type.Optional(Type.String({ readOnly: true, description: 'The id of the person' })),
  username: Type.Optional(Type.String({ readOnly: true, description: 'The name they sign in with' })),
  client_id: Type.Optional(Type.String({ readOnly: true })),
  address: Type.Optional(Type.String({ readOnly: true, description: 'The address, or the network that it is of' })),
  reached_at: time('When the limit was reached'),
  ends_at: time('When there is a next attempt'),
})
type LockDocument = Type.Static<typeof LockSchema>

const documentOf = ({ id, limit, heldBy, reachedAt, endsAt }: Lock): LockDocument => ({
  id,
  limit,
  kind: heldBy.kind,
  ...(heldBy.kind === 'user' ? { subject: heldBy.id, ...(heldBy.name === null ? {} : { username: heldBy.name }) } : {}),
  ...(heldBy.kind === 'client'
    ? { client_id: heldBy.id, ...(heldBy.name === null ? {} : { address: heldBy.name }) }
    : {}),
  ...(heldBy.kind === 'address' ? { address: heldBy.id } : {}),
  reached_at: iso(reachedAt),
  ends_at: iso(endsAt),
})

function entryOf(lock: Lock): StoredResource<LockDocument> {
  const value = documentOf(lock)
  return { tenant: lock.tenant, version: versionOfShown(value), value }
}

export function locks({ admin }: Authority): Collection {
  const acts = admin.locks
  return collection<typeof LockSchema>({
    name: 'locks',
    description: 'Who is shut out for a while because a limit of guessing was reached',
    schema: LockSchema,
    example: exampleLock,
    scopes: { read: 'admin:locks:read', write: 'admin:locks:write' },
    cacheControl: 'no-store',
    list: { filter: { kind: ['eq'], subject: ['eq'], client_id: ['eq'] } },
    handlers: {
      async list(query, context) {
        const all = await acts.list(tenantOf(context))
        if (all.kind === 'error') return adminProblem(all.error)
        const wanted = (field: 'kind' | 'subject' | 'client_id') => filterValue(query.filter, field)
        const fits = (value: LockDocument) =>
          (['kind', 'subject', 'client_id'] as const).every((field) => [null, value[field]].includes(wanted(field)))
        return pageById(
          all.value.map((it) => entryOf(it)).filter(({ value }) => fits(value)),
          query,
        )
      },
      get: async (id, context) => found(await acts.find(tenantOf(context), id), (it) => entryOf(it)),
      remove: async (id, _expected, context) =>
        removed(await acts.remove(actorOf(context.caller), tenantOf(context), id)),
    },
  })
}

const exampleLock: LockDocument = {
  id: 'Yk3uN2m9cV0dQ5bX7zT1rW8eS4aP6oL2iK9jH3gF5dM',
  limit: 'login-account',
  kind: 'user',
  subject: '0192f0c4-0000-7c3d-8e4f-5a6b7c8d9e0f',
  username: 'ada',
  reached_at: '2026-11-15T10:00:00.000Z',
  ends_at: '2026-11-15T10:01:30.000Z',
}
