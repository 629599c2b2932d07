/** API keys as an administrator makes, lists and revokes them; what the log says of it, and when uses are noted. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ApiKey } from '@grantor/protocol/oauth'
import type { Instant, TenantId } from '@grantor/protocol/types'
import { openKeyUses } from '../../src/api-keys/key-uses.ts'
import { api, asking, declare, type Deployment, openDeployment, operator, root } from '../support/deployment.ts'

const wanted = {
  name: 'Nightly export',
  clientId: 'svc',
  resource: api,
  scope: 'invoices:read',
  addresses: ['192.0.2.0/24'],
  expiresAt: null,
}
const page = { clientId: null, resource: null, after: null, limit: 10, descending: false }

async function open() {
  const deployment = await openDeployment()
  await declare(deployment)
  return { deployment, keys: deployment.authority.admin.apiKeys }
}

const errorOf = (result: { readonly kind: string; readonly error?: unknown }): unknown =>
  result.kind === 'error' ? result.error : 'ok'

const lastEvent = async ({ store }: Deployment) => (await store.events.before(root, Number.MAX_SAFE_INTEGER, 1))[0]

async function isActive({ authority }: Deployment, key: string): Promise<unknown> {
  const answer = await authority.introspect(asking(`token=${key}`, { as: 'api' }))
  assert.ok(answer.kind === 'ok')
  return answer.value['active']
}

describe('administration of API keys', () => {
  test('a key is made, shown once, found and listed, and the log says what it is for and never what it is', async () => {
    const { deployment, keys } = await open()
    const made = await keys.create(operator, root, wanted)
    assert.ok(made.kind === 'ok')
    const { key, apiKey } = made.value
    const { id, ...rest } = apiKey
    assert.deepEqual(rest, {
      name: 'Nightly export',
      clientId: 'svc',
      resource: api,
      scope: new Set(['invoices:read']),
      addresses: ['192.0.2.0/24'],
      expiresAt: null,
      tenant: root,
      createdAt: deployment.clock,
      createdBy: operator,
      lastUsedAt: null,
      revokedAt: null,
    })
    assert.deepEqual(await keys.find(root, id), { kind: 'ok', value: apiKey })
    assert.deepEqual(await keys.list(root, page), { kind: 'ok', value: [apiKey] })
    assert.equal(await isActive(deployment, key), true)
    const event = await lastEvent(deployment)
    assert.deepEqual(
      [event?.name, event?.actor, event?.clientId, event?.jti, event?.scope, event?.data],
      [
        'api_key.created',
        operator,
        'svc',
        id,
        'invoices:read',
        { name: 'Nightly export', resource: api, addresses: ['192.0.2.0/24'], expires_at: null },
      ],
    )
    assert.equal(JSON.stringify(event).includes(key), false)
  })

  test('a key without a scope of its own has none in the log', async () => {
    const { deployment, keys } = await open()
    const made = await keys.create(operator, root, { ...wanted, scope: null })
    assert.ok(made.kind === 'ok')
    assert.equal(made.value.apiKey.scope, null)
    assert.equal((await lastEvent(deployment))?.scope, null)
  })

  test('what is wrong is named by its field, and nothing is made', async () => {
    const { keys } = await open()
    const refused = errorOf(await keys.create(operator, root, { ...wanted, clientId: 'nobody', name: ' ' }))
    assert.deepEqual(
      [
        (refused as { reason: string }).reason,
        (refused as { problems: { field: string }[] }).problems.map(({ field }) => field),
      ],
      ['invalid', ['name', 'client_id']],
    )
    const nowhere = 'nowhere' as TenantId
    assert.deepEqual(errorOf(await keys.create(operator, nowhere, wanted)), {
      reason: 'absent',
      what: 'tenant nowhere',
    })
    assert.deepEqual(await keys.list(root, page), { kind: 'ok', value: [] })
  })

  test('a client that goes while its key is made has none', async () => {
    const { deployment } = await open()
    const { store } = deployment
    const apiKeys = { ...store.apiKeys, add: () => Promise.resolve('absent' as never) }
    const node = deployment.node({ store: { ...store, apiKeys } })
    assert.deepEqual(errorOf(await node.admin.apiKeys.create(operator, root, wanted)), {
      reason: 'conflict',
      what: 'the client or the resource was removed at the same moment',
    })
  })

  test('a key is revoked once, in its own tenant; the log says so, and how long the news matter', async () => {
    const { deployment, keys } = await open()
    const made = await keys.create(operator, root, wanted)
    assert.ok(made.kind === 'ok')
    const { id } = made.value.apiKey
    const absent = { reason: 'absent', what: `API key ${id}` }
    assert.deepEqual(errorOf(await keys.revoke(operator, 'acme' as TenantId, id)), absent)
    assert.deepEqual(errorOf(await keys.find(root, 'none')), { reason: 'absent', what: 'API key none' })
    assert.equal(errorOf(await keys.revoke(operator, root, id)), 'ok')
    const event = await lastEvent(deployment)
    assert.equal(await isActive(deployment, made.value.key), false)
    assert.deepEqual(
      [event?.name, event?.actor, event?.clientId, event?.jti, event?.data],
      [
        'api_key.revoked',
        operator,
        'svc',
        id,
        { name: 'Nightly export', resource: api, until: deployment.clock + 300_000 },
      ],
    )
    assert.deepEqual(errorOf(await keys.revoke(operator, root, id)), absent)
  })
})

describe('the use of a key', () => {
  const key = (id: string, lastUsedAt: number | null = null, tenant = root): ApiKey =>
    ({ tenant, id, lastUsedAt }) as unknown as ApiKey

  function scene(fails = false) {
    const written: string[] = []
    const noteUse = (tenant: TenantId, id: string, at: Instant) => {
      written.push(`${tenant} ${id} ${at}`)
      return fails ? Promise.reject(new Error('away')) : Promise.resolve()
    }
    const uses = openKeyUses({ store: { apiKeys: { noteUse } as never } })
    return { written, note: (it: ApiKey, at: number) => uses.note(it, at as Instant), uses }
  }

  test('is noted at most once a minute, for each key of each tenant', () => {
    const { written, note } = scene()
    const acme = 'acme' as TenantId
    for (const at of [1_000_000, 1_059_999, 1_060_000]) note(key('a'), at)
    note(key('b'), 1_000_000)
    note(key('a', null, acme), 1_000_000)
    assert.deepEqual(written, ['default a 1000000', 'default a 1060000', 'default b 1000000', 'acme a 1000000'])
  })

  test('is not noted where another node did so within the minute; a time to come is none', () => {
    const { written, note } = scene()
    note(key('a', 1_000_000), 1_059_999)
    assert.deepEqual(written, [])
    note(key('a', 1_000_000), 1_060_000)
    note(key('b', 2_000_000), 1_999_999)
    note(key('c', 2_000_000), 2_000_000)
    assert.deepEqual(written, ['default a 1060000', 'default b 1999999'])
  })

  test('that cannot be written harms nobody, and closing waits for what is being written', async () => {
    const { note, uses, written } = scene(true)
    note(key('a'), 1_000_000)
    await uses.close()
    assert.equal(written.length, 1)
    let finish = () => {}
    const slow = openKeyUses({
      store: { apiKeys: { noteUse: () => new Promise<void>((resolve) => (finish = resolve)) } as never },
    })
    slow.note(key('a'), 1_000_000 as Instant)
    let closed = false
    const closing = slow.close().then(() => (closed = true))
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    assert.equal(closed, false)
    finish()
    await closing
  })

  test('is noted by introspection of the API, not by its own client', async () => {
    const { deployment, keys } = await open()
    const made = await keys.create(operator, root, wanted)
    assert.ok(made.kind === 'ok')
    const usedAt = async () => {
      const found = await keys.find(root, made.value.apiKey.id)
      return found.kind === 'ok' ? found.value.lastUsedAt : undefined
    }
    await deployment.authority.introspect(asking(`token=${made.value.key}`, { as: 'svc' }))
    const wrong = deployment.node()
    await wrong.introspect(asking('token=gk_0', { as: 'api' }))
    await wrong.close()
    assert.equal(await usedAt(), null)
    const node = deployment.node()
    await node.introspect(asking(`token=${made.value.key}`, { as: 'api' }))
    await node.close()
    assert.equal(await usedAt(), deployment.clock)
  })
})
