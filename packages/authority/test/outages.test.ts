/** While the database is away: documents go on from memory, all else says when to come back; a bug is never taken for it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { servedBy } from '@grantor/protocol/documents'
import type { TenantId } from '@grantor/protocol/types'
import { type Store, StoreUnavailable } from '@grantor/store'
import { builtIn } from '../src/authority.ts'
import { openDirectory } from '../src/directory.ts'
import { openDocuments } from '../src/documents.ts'
import { systemActor } from '../src/events.ts'
import { openKeyring } from '../src/keys/keyring.ts'
import { asking, declare, openDeployment, root, tokenFrom } from './support/deployment.ts'

/** The same store, of which every verb fails as it is told to. */
function failing(store: Store, state: { error: Error | null }): Store {
  const wrap = (value: unknown): unknown => {
    if (typeof value === 'function')
      return (...args: unknown[]) => {
        if (state.error !== null) return Promise.reject(state.error)
        return (value as (...args: unknown[]) => unknown)(...args)
      }
    if (typeof value !== 'object' || value === null) return value
    return new Proxy(value, { get: (of, name) => wrap(Reflect.get(of, name)) })
  }
  const kept = new Set(['subscribe', 'watch', 'unreadable', 'close', 'subjects'])
  return new Proxy(store, {
    get: (of, name) => (kept.has(String(name)) ? Reflect.get(of, name) : wrap(Reflect.get(of, name))),
  })
}

async function open() {
  const deployment = await openDeployment()
  await declare(deployment)
  const state: { error: Error | null } = { error: null }
  const store = failing(deployment.store, state)
  return { deployment, state, node: deployment.node({ store }) }
}

const unavailable = { kind: 'error', error: { reason: 'unavailable', retryAfter: 2 } }

test('an issuer that was never looked at says when to come back; a bug is thrown', async () => {
  const { node, state } = await open()
  state.error = new StoreUnavailable('away')
  for (const ask of [node.keySet, node.metadata, node.grantor]) assert.deepEqual(await ask(root), unavailable)
  assert.deepEqual(await node.userinfo('ga_x', { tenant: root, ip: null, traceId: null }), {
    kind: 'error',
    error: 'unavailable',
  })
  state.error = new Error('a bug')
  await assert.rejects(node.metadata(root), /a bug/)
  await assert.rejects(node.userinfo('ga_x', { tenant: root, ip: null, traceId: null }), /a bug/)
})

test('documents that were looked at go on as they were, and a bug is not hidden by them', async () => {
  const { node, state } = await open()
  const before = [await node.keySet(root), await node.metadata(root), await node.grantor(root)]
  assert.deepEqual(
    before.map(({ kind }) => kind),
    ['ok', 'ok', 'ok'],
  )
  state.error = new StoreUnavailable('away')
  assert.deepEqual([await node.keySet(root), await node.metadata(root), await node.grantor(root)], before)
  const [keys] = before
  assert.ok(keys?.kind === 'ok' && 'maxAge' in keys.value)
  assert.equal(keys.value.maxAge, 3600)
  assert.deepEqual(
    (keys.value as { body: { keys: readonly { alg: string }[] } }).body.keys.map(({ alg }) => alg).toSorted(),
    ['ES256', 'RS256'],
  )
})

test('a key that is being made is waited for: a key set that is known to be old is given to nobody', async () => {
  const { deployment } = await open()
  const stored = await deployment.store.directory.catalogue(root)
  assert.ok(stored)
  const made = { kid: 'first', count: 0 }
  const catalogue = async () => ({
    ...stored,
    tenant: { ...stored.tenant, revision: stored.tenant.revision + made.count },
  })
  const keyring = openKeyring(deployment.ports)
  const documents = openDocuments({
    ...deployment.ports,
    served: {} as never,
    directory: { ...deployment.store.directory, catalogue, currentCatalogue: catalogue } as never,
    keyring: {
      ...keyring,
      // Longer than a database that hangs is waited for.
      signer: async () => sleep(1200),
      published: async () => [{ kid: made.kid, alg: 'ES256', publicJwk: {}, droppedAt: null }] as never,
    },
  })
  const kids = async () => {
    const answer = await documents.keySet(root)
    assert.ok(answer.kind === 'ok')
    return (answer.value.body['keys'] as { kid: string }[]).map(({ kid }) => kid)
  }
  assert.deepEqual(await kids(), ['first'])
  assert.deepEqual(await kids(), ['first'], 'nothing has changed that anybody was told of')
  await sleep(1500)
  Object.assign(made, { kid: 'second', count: 1 })
  assert.deepEqual(await kids(), ['second'])
})

test('a database that is slow is waited for: the key set has the key that signs by now', async () => {
  const { deployment } = await open()
  const keyring = openKeyring(deployment.ports)
  const directory = openDirectory(deployment.store)
  let pause = 0
  const documents = openDocuments({
    ...deployment.ports,
    served: {} as never,
    directory: {
      ...directory,
      currentCatalogue: async (tenant) => (await sleep(pause), await directory.currentCatalogue(tenant)),
    },
    keyring,
  })
  const kids = async () => {
    const answer = await documents.keySet(root)
    assert.ok(answer.kind === 'ok')
    return (answer.value.body['keys'] as { kid: string }[]).map(({ kid }) => kid)
  }
  const before = await kids()
  const ring = await deployment.store.keys.list(root)
  const activatesAt = deployment.ports.clock.now()
  const key = await keyring.add(systemActor, root, { alg: 'ES256', activatesAt, ring })
  assert.ok(key)
  pause = 400
  assert.deepEqual((await kids()).toSorted(), [...before, key.kid].toSorted())
})

test('a catalogue that was read before the last change does not bring an older key set back', async () => {
  const { deployment } = await open()
  const keyring = openKeyring(deployment.ports)
  const directory = openDirectory(deployment.store)
  const old = await directory.currentCatalogue(root)
  assert.ok(old)
  await keyring.signer(old, 'ES256')
  const documents = openDocuments({
    ...deployment.ports,
    served: {} as never,
    // Another request remembers what it had begun to read before the change.
    directory: { ...directory, catalogue: () => old },
    keyring: { ...keyring, published: async ({ tenant }) => (tenant.revision === old.tenant.revision ? [] : keys()) },
  })
  const keys = () => deployment.store.keys.list(root)
  await keyring.add(systemActor, root, { alg: 'ES256', activatesAt: deployment.ports.clock.now(), ring: await keys() })
  const answer = await documents.keySet(root)
  assert.ok(answer.kind === 'ok')
  assert.deepEqual(
    (answer.value.body['keys'] as { kid: string }[]).map(({ kid }) => kid).toSorted(),
    (await keys()).map(({ kid }) => kid).toSorted(),
  )
})

test('while a look at the database hangs nobody begins another, and afterwards all look again', async () => {
  const { deployment } = await open()
  const stored = await deployment.store.directory.catalogue(root)
  assert.ok(stored)
  let looks = 0
  const hanging = Promise.withResolvers<void>()
  let ready: Promise<void> = Promise.resolve()
  const currentCatalogue = async () => ((looks += 1), await ready, stored)
  const documents = openDocuments({
    ...deployment.ports,
    served: servedBy(builtIn.grants, builtIn.clientAuthMethods, deployment.ports.policy.addresses),
    directory: { ...deployment.store.directory, currentCatalogue } as never,
    keyring: openKeyring(deployment.ports),
  })
  const asked = async (times: number) => {
    for (let n = 0; n < times; n++) assert.equal((await documents.metadata(root)).kind, 'ok')
    return looks
  }
  assert.equal(await asked(2), 2)
  ready = hanging.promise
  assert.equal(await asked(5), 3, 'the first waits a moment, the others not at all')
  ready = Promise.resolve()
  hanging.resolve()
  await sleep(0)
  assert.equal(await asked(2), 5)
})

test('a tenant that is not there or is switched off has no documents', async () => {
  const { deployment, node } = await open()
  const unknown = { kind: 'error', error: { reason: 'tenant_unknown' } }
  assert.deepEqual(await node.metadata('nowhere' as TenantId), unknown)
  await deployment.tamper(`update tenants set disabled_at = 1, revision = revision + 1 where id = '${root}'`)
  const other = deployment.node()
  assert.deepEqual(await other.metadata(root), unknown)
})

test('RFC 7662: what introspection cannot ask is 503, and never “not active”', async () => {
  const { node, state } = await open()
  const token = await tokenFrom(node, 'scope=invoices:read')
  state.error = new StoreUnavailable('away')
  const answer = await node.introspect(asking(`token=${token}`))
  assert.equal(answer.kind === 'error' && answer.error.reason, 'unavailable')
})

test('RFC 7009 §2.2: what is revoked already is said to be so once it is as safe as a revocation', async () => {
  const deployment = await openDeployment()
  await declare(deployment)
  const state = { asked: 0, error: null as Error | null }
  const untilDurable = async (): Promise<void> => {
    state.asked += 1
    if (state.error !== null) throw state.error
  }
  const node = deployment.node({ store: { ...deployment.store, untilDurable } })
  const token = await tokenFrom(node, 'scope=invoices:read')
  const revoked = () => node.revoke(asking(`token=${token}`))
  assert.equal((await revoked()).kind, 'ok')
  assert.equal(state.asked, 0)
  state.error = new StoreUnavailable('no standby has it')
  const { kind, ...refused } = await revoked()
  assert.deepEqual({ kind, ...refused, quota: undefined }, { ...unavailable, quota: undefined })
  state.error = null
  assert.equal((await revoked()).kind, 'ok')
  assert.equal(state.asked, 2)
  assert.equal((await node.revoke(asking('token=of-nobody'))).kind, 'ok')
  assert.equal(state.asked, 2)
})
