/** A token shows of deferred work what it could have asked for itself: tokens of one client and person differ in scope. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import { Type } from 'typebox'
import type { ActionPlan } from '../../src/collection/handlers.ts'
import { mayLook } from '../../src/deferred/may-look.ts'
import type { DeferredRequest, OperationStore } from '../../src/deferred/operation-store.ts'
import { memoryOperations } from '../../src/stores/memory-operations.ts'
import type { TestClient } from '../../src/testing/test-client.ts'
import { sample, type SampleOptions } from '../sample.ts'
import { onEveryStore } from './stores.ts'

const all = 'parcels:all'
const weigh: ActionPlan<never> = {
  on: 'collection',
  scope: { any: ['parcels:read', all] },
  summary: 'Weigh',
  body: Type.Object({}),
  example: {},
  deferred: 'always',
  run: (_body, { caller }) => ({ weighed: caller.scope.has(all) ? 'everything' : 'mine' }),
}
const planned = (operations: OperationStore): SampleOptions => ({
  plan: { deferred: 'preferred', actions: { weigh } },
  server: {
    operations,
    operationScopes: { read: 'operations:read', write: 'operations:write' },
    workTiming: { renew: 10, poll: 10 },
  },
})

const as = (scope: string) => ({ sub: 'alice', clientId: 'web', scope })

async function begin(client: TestClient, scope: string): Promise<string> {
  const creating = scope.includes('write')
  const accepted = await client({
    method: 'POST',
    url: creating ? '/v1/parcels' : '/v1/parcels/weigh',
    body: creating ? { label: 'x', weight: 1 } : {},
    as: as(scope),
    headers: creating ? { prefer: 'respond-async', 'idempotency-key': crypto.randomUUID() } : {},
  })
  assert.equal(accepted.status, 202)
  return String(accepted.headers['location'])
}

async function ended(client: TestClient, url: string): Promise<void> {
  const giveUp = performance.now() + 30_000
  while ((await client({ url, as: as('operations:read') })).json()['ended_at'] === null) {
    if (performance.now() > giveUp) throw new Error('it never ended')
    await new Promise((resolve) => void setTimeout(resolve, 5))
  }
}

const looks = async (client: TestClient, url: string, scope: string): Promise<readonly number[]> => {
  const statuses: number[] = []
  for (const path of [url, `${url}/result`]) statuses.push((await client({ url: path, as: as(scope) })).status)
  return statuses
}

const listed = async (client: TestClient, scope: string, query = ''): Promise<JsonObject> =>
  (await client({ url: `/v1/operations${query}`, as: as(scope) })).json()

const idsIn = (page: JsonObject): readonly string[] =>
  (page['items'] as JsonObject[]).map(({ links }) => (links as { readonly self: string }).self)

onEveryStore('who lacks the scope of the call finds no operation, no result and nothing to cancel', async (store) => {
  const { client, api } = sample(planned(store))
  const exported = await begin(client, 'parcels:read')
  const made = await begin(client, 'parcels:write')
  for (const url of [exported, made]) await ended(client, url)
  for (const [url, scope, other] of [
    [exported, 'parcels:read', 'parcels:write'],
    [made, 'parcels:write', 'parcels:read'],
  ] as const) {
    assert.deepEqual(await looks(client, url, other), [404, 404])
    assert.equal((await client({ method: 'DELETE', url, as: as(other) })).status, 404)
    assert.deepEqual(await looks(client, url, scope), [200, url === made ? 201 : 200])
    assert.deepEqual(idsIn(await listed(client, scope)), [url])
    // Ended, so that it can no longer be canceled, which only whoever may look learns.
    assert.equal((await client({ method: 'DELETE', url, as: as(scope) })).status, 409)
  }
  assert.equal(idsIn(await listed(client, 'parcels:read parcels:write')).length, 2)
  await Promise.all([client.close(), api.close()])
})

test('what was done with the scope that sees everything is not for one that does not, nor the other way round', async () => {
  const { client, api } = sample(planned(memoryOperations()))
  const wide = await begin(client, `parcels:read ${all}`)
  const narrow = await begin(client, 'parcels:read')
  for (const url of [wide, narrow]) await ended(client, url)
  assert.deepEqual(await looks(client, wide, 'parcels:read'), [404, 404])
  assert.deepEqual(await looks(client, wide, all), [404, 404])
  assert.deepEqual(await looks(client, narrow, all), [404, 404])
  // What the call held beside its need does not count: another token of the same rights is as good.
  assert.deepEqual(await looks(client, wide, `${all} parcels:delete parcels:read`), [200, 200])
  assert.deepEqual(await looks(client, narrow, 'parcels:read'), [200, 200])
  await Promise.all([client.close(), api.close()])
})

test('the scopes for operations read and cancel all of one’s own, each for itself', async () => {
  const { client } = sample({
    ...planned(memoryOperations()),
    server: { ...planned(memoryOperations()).server, workers: 0 },
  })
  const url = await begin(client, 'parcels:read')
  assert.deepEqual(await looks(client, url, 'operations:read'), [200, 409])
  assert.equal((await client({ url, as: as('operations:read') })).json()['request'], undefined)
  assert.deepEqual(await looks(client, url, 'operations:write parcels:write'), [404, 404])
  assert.equal((await client({ method: 'DELETE', url, as: as('operations:read parcels:write') })).status, 404)
  assert.equal((await client({ method: 'DELETE', url, as: as('parcels:write') })).status, 404)
  assert.equal((await client({ url, as: as('parcels:read') })).json()['status'], 'pending')
  assert.equal((await client({ method: 'DELETE', url, as: as('operations:write') })).status, 202)
  await client.close()
})

onEveryStore('a list leaves out what one may not see and goes on to the end, page by page', async (store) => {
  const { client, api, clock } = sample({ ...planned(store), server: { ...planned(store).server, workers: 0 } })
  const mine: string[] = []
  for (let n = 0; n < 9; n++) {
    clock.now = (clock.now + 1) as typeof clock.now
    const url = await begin(client, n % 3 === 0 ? 'parcels:read' : 'parcels:write')
    if (n % 3 === 0) mine.push(url)
  }
  const seen: string[] = []
  let query = '?limit=2'
  for (let pages = 1; query !== ''; pages++) {
    const page = await listed(client, 'parcels:read', query)
    seen.push(...idsIn(page))
    const cursor = page['next_cursor'] as string | null
    query = cursor === null ? '' : `?limit=2&cursor=${encodeURIComponent(cursor)}`
    if (query === '') assert.equal(pages, 5)
  }
  assert.deepEqual(seen, mine.toReversed())
  await Promise.all([client.close(), api.close()])
})

test('of work whose need nobody knows any more, whoever looks has all the call had; details are compared whole', () => {
  const detail = (of: string) => ({ type: 'account', of })
  const caller = {
    credential: 'access_token' as const,
    issuer: 'i',
    tenant: null,
    subject: 's',
    clientId: 'c',
    jti: 'j',
    grantId: null,
    claims: {},
    expiresAt: 0 as DeferredRequest['caller']['expiresAt'],
  }
  const who = (scope: string, ...of: string[]) => ({
    ...caller,
    scope: new Set(scope.split(' ')),
    authorizationDetails: of.map(detail),
  })
  const asked = (need: DeferredRequest['need'], scope: string, ...of: string[]): DeferredRequest => ({
    version: 'v9',
    collection: 'gone',
    action: null,
    item: null,
    path: '/v9/gone',
    body: null,
    prefer: [],
    requestId: 'r',
    intent: 'i',
    caller: { ...caller, scope: scope.split(' '), authorizationDetails: of.map(detail) },
    ...(need === undefined ? {} : { need }),
  })
  const unknown = asked(undefined, 'a b', '1')
  assert.deepEqual(
    [who('a b', '1'), who('a b c', '2', '1'), who('a', '1'), who('a b', '2')].map((one) => mayLook(unknown, one)),
    [true, true, false, false],
  )
  const detailed = asked({ details: 'account' }, 'a', '1')
  assert.deepEqual(
    [who('b', '1'), who('a', '2'), who('a')].map((one) => mayLook(detailed, one)),
    [true, false, false],
  )
  assert.equal(mayLook(asked('a', 'a b', '1'), who('a')), true)
  assert.equal(mayLook(asked({ all: ['a', 'b'] }, 'a b'), who('a')), false)
})
