/** Token Status Lists: whose tokens have a place, what a list says, and when. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Authority } from '@grantor/authority'
import { decodeStatuses, statusAt, statusListSize, statusReference } from '@grantor/protocol/status-list'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose'
import { openStatusIndexes } from '../../src/status-lists/status-indexes.ts'
import {
  api,
  asking,
  databases,
  declaration,
  declare,
  type Deployment,
  openDeployment,
  operator,
  root,
} from '../support/deployment.ts'

const acme = 'acme' as TenantId
const listed = {
  ...declaration,
  resources: declaration.resources.map((it) => ({ ...it, status_list: true })),
  tenants: [{ id: acme, name: 'Acme', ...declaration }],
}

async function tokenFor(node: Authority, scope = 'invoices:read', tenant = root): Promise<string> {
  const answer = await node.token(asking(`grant_type=client_credentials&scope=${scope}`, { tenant }))
  assert.ok(answer.kind === 'ok', JSON.stringify(answer))
  return answer.value['access_token'] as string
}

const placeOf = (token: string) => {
  const place = statusReference(decodeJwt(token) as JsonObject)
  assert.ok(place)
  return { ...place, list: place.uri.slice(place.uri.lastIndexOf('/') + 1) }
}

interface ReadList {
  readonly claims: JsonObject
  readonly etag: string
  statusOf(idx: number): number | null
}

/** As somebody else reads it: by the published keys. */
async function read(node: Authority, list: string, tenant = root): Promise<ReadList> {
  const [keys, answer] = [await node.keySet(tenant), await node.statusLists.list(tenant, list)]
  assert.ok(answer.kind === 'ok' && keys.kind === 'ok', JSON.stringify(answer))
  const { payload } = await jwtVerify(
    answer.value.token,
    createLocalJWKSet(keys.value.body as unknown as JSONWebKeySet),
    { typ: 'statuslist+jwt', currentDate: new Date(Number(decodeJwt(answer.value.token).iat) * 1000) },
  )
  const { bits, lst } = payload['status_list'] as { bits: 1; lst: string }
  const bytes = await decodeStatuses(lst, statusListSize / 8)
  assert.ok(bytes)
  assert.equal(bytes.length, statusListSize / 8)
  const statusOf = (idx: number) => statusAt({ bits, bytes }, idx)
  return { claims: payload as JsonObject, etag: answer.value.etag, statusOf }
}

/** Later than what is remembered of a list. */
const later = (deployment: Deployment) => void (deployment.clock += 1_000)

for (const database of databases) {
  describe(`status lists on ${database}`, () => {
    test('draft-ietf-oauth-status-list §6.1: tokens of a resource that asks for it have a place each, others have none', async () => {
      const deployment = await openDeployment(database)
      const { authority } = deployment
      await declare(deployment, declaration)
      assert.equal(decodeJwt(await tokenFor(authority))['status'], undefined)
      assert.deepEqual(await deployment.store.statusLists.lists(root, 0 as never), [])
      await declare(deployment, listed)
      const places = await Promise.all(Array.from({ length: 20 }, async () => placeOf(await tokenFor(authority))))
      assert.equal(new Set(places.map(({ idx }) => idx)).size, 20)
      assert.match(places[0]?.uri ?? '', /^https:\/\/as\.example\/status-lists\/[\w-]{12}$/)
      assert.equal(new Set(places.map(({ uri }) => uri)).size, 1)
      // In an order of chance: twenty in a row would say who came when.
      const indexes = places.map(({ idx }) => idx)
      assert.notDeepEqual(
        indexes,
        indexes.toSorted((a, b) => a - b),
      )
      assert.equal(decodeJwt(await tokenFor(authority, 'invoices:read', acme))['status'], undefined)
    })

    test('draft-ietf-oauth-status-list §5.1: a list is signed with a published key and says what was revoked', async () => {
      const deployment = await openDeployment(database)
      const { authority } = deployment
      await declare(deployment, listed)
      const [kept, dead] = [await tokenFor(authority), await tokenFor(authority)]
      const { list, idx, uri } = placeOf(dead)
      const before = await read(authority, list)
      const iat = Math.floor(deployment.clock / 1000)
      const { status_list: _, ...claims } = before.claims
      assert.deepEqual(claims, { sub: uri, iat, exp: iat + 120, ttl: 60 })
      assert.deepEqual([before.statusOf(placeOf(kept).idx), before.statusOf(idx)], [0, 0])
      assert.equal(before.statusOf(statusListSize), null)
      assert.ok((await authority.revoke(asking(`token=${dead}`))).kind === 'ok')
      // Within the second the list of before is given to all who ask.
      assert.equal((await read(authority, list)).etag, before.etag)
      later(deployment)
      const other = deployment.node()
      for (const node of [authority, other]) {
        const after = await read(node, list)
        assert.deepEqual([after.statusOf(placeOf(kept).idx), after.statusOf(idx)], [0, 1])
      }
      const { etag } = await read(authority, list)
      deployment.clock += 20_000
      assert.equal((await read(authority, list)).etag, etag)
      deployment.clock += 20_000
      const renewed = await read(authority, list)
      assert.notEqual(renewed.etag, etag)
      assert.equal(renewed.claims['iat'], Math.floor(deployment.clock / 1000))
      assert.equal(renewed.statusOf(idx), 1)
    })

    test('an opaque token has a place as well, and introspection tells it', async () => {
      const deployment = await openDeployment(database)
      const { authority } = deployment
      await declare(deployment, listed)
      const token = await tokenFor(authority, 'files:read')
      const described = await authority.introspect(asking(`token=${token}`))
      assert.ok(described.kind === 'ok')
      const place = statusReference(described.value)
      assert.ok(place)
      assert.ok((await authority.revoke(asking(`token=${token}`))).kind === 'ok')
      const list = await read(authority, place.uri.slice(place.uri.lastIndexOf('/') + 1))
      assert.equal(list.statusOf(place.idx), 1)
    })

    test('no index is given twice by processes that allocate at once, across blocks and lists', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment, listed)
      const catalogue = await deployment.store.directory.catalogue(root)
      assert.ok(catalogue)
      const nodes = Array.from({ length: 3 }, () => openStatusIndexes(deployment.ports))
      const end = deployment.ports.clock.now()
      const taken = await Promise.all(
        nodes.flatMap((node) => Array.from({ length: 2_500 }, async () => node.take(catalogue, end))),
      )
      assert.equal(new Set(taken.map(({ list, idx }) => `${list} ${idx}`)).size, 7_500)
      for (const node of nodes) await node.close()
    })

    test('whatever ends the lists, or makes tokens live longer, makes a process lease anew', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment, listed)
      const { list, idx } = placeOf(await tokenFor(deployment.authority))
      // Looked at before, so that a list of before is there to be given out by mistake.
      const before = await read(deployment.authority, list)
      assert.equal(before.statusOf(idx), 0)
      assert.ok((await deployment.authority.admin.deployment.restored(operator, 'a backup')).kind === 'ok')
      later(deployment)
      deployment.clock += 2_000
      const next = placeOf(await tokenFor(deployment.authority))
      assert.notEqual(next.list, list)
      // Everything that has a place in the old one is dead, also what the backup does not know.
      const old = await read(deployment.authority, list)
      assert.deepEqual([0, 1023, 4711, statusListSize - 1].map(old.statusOf), [1, 1, 1, 1])
      assert.notEqual(old.etag, before.etag)
      assert.equal((await read(deployment.authority, next.list)).statusOf(next.idx), 0)
    })

    test('draft-ietf-oauth-status-list §9: the aggregation names the lists of its issuer, and is there without any', async () => {
      const deployment = await openDeployment(database)
      const { authority } = deployment
      await declare(deployment, listed)
      const named = async (tenant: TenantId) => {
        const answer = await authority.statusLists.aggregation(tenant)
        return answer.kind === 'ok' ? answer.value : answer.error
      }
      assert.deepEqual(await named(root), { status_lists: [] })
      const { uri, list } = placeOf(await tokenFor(authority))
      later(deployment)
      assert.deepEqual(await named(root), { status_lists: [uri] })
      assert.deepEqual(await named(acme), { status_lists: [] })
      assert.deepEqual(await named('nobody' as TenantId), { reason: 'tenant_unknown' })
      for (const [tenant, id] of [
        [root, 'nosuchlist12'],
        [root, '../jwks'],
        [acme, list],
      ] as const)
        assert.deepEqual(await authority.statusLists.list(tenant, id), {
          kind: 'error',
          error: { reason: 'not_found' },
        })
    })

    test('a list disappears when all its tokens have ended, after a margin', async () => {
      const deployment = await openDeployment(database)
      const { authority } = deployment
      await declare(deployment, listed)
      const token = await tokenFor(authority)
      const { list } = placeOf(token)
      // The block is used for an hour, and what gets a place at its end lives its whole life.
      deployment.clock = Number(decodeJwt(token).exp) * 1000 + 3_600_000
      assert.ok((await authority.statusLists.list(root, list)).kind === 'ok')
      deployment.clock += 620_000
      const gone = await authority.statusLists.list(root, list)
      assert.deepEqual(gone.kind === 'error' && gone.error, { reason: 'not_found' })
      await deployment.store.sweep(deployment.ports.clock.now(), 1_000)
      const everything = [{ dimension: 'client', key: 'svc', issuedUpTo: deployment.ports.clock.now() }] as const
      assert.deepEqual(await deployment.store.statusLists.places(root, everything), [])
    })
  })
}

test('a token that has a place is not revoked by its id alone, though its resource wants no lists any more', async () => {
  const deployment = await openDeployment()
  // An event is found by the time in the id.
  deployment.clock = Date.now()
  const { admin } = deployment.authority
  const revokeById = async (token: string) => {
    const ended = await admin.tokens.revokeById(operator, root, String(decodeJwt(token).jti))
    return ended.kind === 'ok' ? ended.value : ended.error.reason
  }
  await declare(deployment, listed)
  const placed = await tokenFor(deployment.authority)
  assert.equal(await revokeById(placed), 'conflict')
  await declare(deployment, declaration)
  const plain = await tokenFor(deployment.authority)
  assert.equal(await revokeById(placed), 'conflict')
  assert.equal(await revokeById(plain), 'revoked')
  // By the token itself everybody hears of it, whoever looks at the list included.
  assert.ok((await admin.tokens.revoke(operator, root, placed)).kind === 'ok')
  later(deployment)
  const { list, idx } = placeOf(placed)
  assert.equal((await read(deployment.authority, list)).statusOf(idx), 1)
})

test('a declared resource says that it wants status lists, is exported so, and says nothing where it does not', async () => {
  const deployment = await openDeployment()
  await declare(deployment, listed)
  const { authority } = deployment
  const exported = await authority.admin.declared.export()
  assert.ok(exported.kind === 'ok')
  assert.deepEqual((exported.value['resources'] as unknown as readonly JsonObject[])[0], {
    identifier: api,
    name: 'Invoices API',
    token_format: 'jwt',
    status_list: true,
  })
  await declare(deployment, declaration)
  const without = await authority.admin.declared.export()
  assert.ok(without.kind === 'ok')
  assert.equal('status_list' in ((without.value['resources'] as unknown as readonly JsonObject[])[0] ?? {}), false)
})
