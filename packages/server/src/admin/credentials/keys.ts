/** /v1/keys: the public signing keys of a tenant; rotated by an action, and dropped for good by DELETE. */
import { collection, type Collection, type StoredResource } from '@grantor/api'
import type { Authority, ShownKey } from '@grantor/authority'
import type { JsonObject } from '@grantor/protocol/types'
import { Type } from 'typebox'
import { actorOf, adminProblem, removed } from '../admin-problem.ts'
import { iso, isoIf, pageById, tenantOf, time } from '../fields.ts'
import { versionOfShown } from '../shown-version.ts'

const KeySchema = Type.Object({
  id: Type.String({ readOnly: true, maxLength: 128, description: 'The kid of the tokens that it signed' }),
  alg: Type.String({ readOnly: true, description: 'The algorithm it signs with' }),
  state: Type.Enum(['next', 'current', 'retiring', 'retired'], {
    readOnly: true,
    description: 'Announced, signing, still published for what it signed, or no longer published',
  }),
  published_at: time('When it was announced'),
  activates_at: time('When it signs, or began to'),
  rotates_at: Type.Optional(time('Of the current one: when another takes over by itself')),
  leaves_at: Type.Optional(time('Of a retiring one: when it leaves the key set')),
  public_jwk: Type.Unsafe<JsonObject>({ type: 'object', readOnly: true, description: 'As it is in the key set' }),
})
type KeyDocument = Type.Static<typeof KeySchema>

const documentOf = (key: ShownKey): KeyDocument => ({
  id: key.kid,
  alg: key.alg,
  state: key.state as KeyDocument['state'],
  published_at: iso(key.publishedAt),
  activates_at: iso(key.activatesAt),
  ...isoIf('rotates_at', key.rotatesAt),
  ...isoIf('leaves_at', key.leavesAt),
  public_jwk: key.publicJwk,
})

function entryOf(key: ShownKey): StoredResource<KeyDocument> {
  const value = documentOf(key)
  return { tenant: key.tenant, version: versionOfShown(value), value }
}

export function keys({ admin }: Authority): Collection {
  const acts = admin.keys
  /** Dropped keys are not listed; the event log has them. */
  async function held(tenant: Parameters<typeof acts.list>[0]) {
    const all = await acts.list(tenant)
    return all.kind === 'ok'
      ? all.value.filter(({ state }) => state !== 'dropped').map(entryOf)
      : adminProblem(all.error)
  }
  return collection<typeof KeySchema>({
    name: 'keys',
    description: 'Keys that sign the tokens of this issuer',
    schema: KeySchema,
    example: exampleKey,
    scopes: { read: 'admin:keys:read', write: 'admin:keys:write' },
    handlers: {
      async list(query, context) {
        const all = await held(tenantOf(context))
        return 'kind' in all ? all : pageById(all, query)
      },
      async get(id, context) {
        const all = await held(tenantOf(context))
        return 'kind' in all ? all : (all.find(({ value }) => value.id === id) ?? null)
      },
      remove: async (id, _expected, context) =>
        removed(await acts.drop(actorOf(context.caller), tenantOf(context), id)),
    },
    actions: {
      rotate: {
        on: 'collection',
        scope: 'admin:keys:write',
        summary: 'Announce a successor for every algorithm, or let one sign at once',
        body: Type.Object({
          now: Type.Boolean({ default: false, description: 'Sign with it at once, before validators have fetched it' }),
        }),
        example: { now: false },
        async run({ now }: { readonly now: boolean }, context) {
          const rotated = await acts.rotate(actorOf(context.caller), tenantOf(context), { now })
          return rotated.kind === 'ok' ? { keys: [...rotated.value] } : adminProblem(rotated.error)
        },
      },
    },
  })
}

const exampleKey: KeyDocument = {
  id: 'b1946ac92492d2347c6235b4d2611184',
  alg: 'ES256',
  state: 'current',
  published_at: '2026-11-15T10:00:00.000Z',
  activates_at: '2026-11-15T11:00:00.000Z',
  rotates_at: '2027-02-13T11:00:00.000Z',
  public_jwk: { kty: 'EC', crv: 'P-256', x: '…', y: '…', kid: 'b1946ac92492d2347c6235b4d2611184' },
}
