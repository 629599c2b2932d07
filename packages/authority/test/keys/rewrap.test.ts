/** Another master key under everything that was sealed: keys of every tenant, secrets of apps, the key of the log last. */
import assert from 'node:assert/strict'
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { Vault } from '@grantor/authority'
import { served } from '@grantor/protocol/documents'
import { deliveryMethod } from '@grantor/protocol/ssf'
import type { Instant, TenantId } from '@grantor/protocol/types'
import { openStreams } from '../../src/ssf/streams.ts'
import {
  asking,
  declaration,
  declare,
  type Deployment,
  openDeployment,
  operator,
  root,
  tokenFrom,
} from '../support/deployment.ts'
import { withApp } from '../support/enrolled-person.ts'
import { declarePeople } from '../support/person.ts'

/** Seals under the first of its keys, and opens what any of them sealed. */
function vaultOf(...keys: readonly Uint8Array[]): Vault {
  const current = keys[0] ?? new Uint8Array(32)
  const opened = (sealed: Uint8Array, key: Uint8Array, context: string): Uint8Array | null => {
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 13)).setAAD(Buffer.from(context))
      decipher.setAuthTag(sealed.subarray(-16))
      return Buffer.concat([decipher.update(sealed.subarray(13, -16)), decipher.final()])
    } catch {
      return null
    }
  }
  return {
    isCurrent: (sealed) => sealed[0] === current[0],
    seal,
    sealShortLived: seal,
    open: (sealed, context) => keys.map((key) => opened(sealed, key, context)).find((it) => it !== null) ?? null,
  }
  function seal(plain: Uint8Array, context: string): Uint8Array {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', current, nonce).setAAD(Buffer.from(context))
    return Buffer.concat([current.subarray(0, 1), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  }
}

const key = (first: number) => Uint8Array.from([first, ...randomBytes(31)])
const acme = 'acme' as TenantId

const whsec = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const webhook = { id: 'hook', url: 'https://hooks.example/in', events: ['*'], secret: whsec }
const providers = ['one'].map((id) => ({
  id,
  name: id,
  kind: 'oidc',
  issuer: `https://${id}.example`,
  client_id: 'c',
  client_secret: `the secret of ${id}`,
  signals_url: `https://${id}.example/poll`,
  signals_authorization: 'Bearer for-signals',
}))

/** Two tenants with keys, a person with an app, a provider, a webhook and a stream, all sealed under the old key. */
async function openOld(old: Uint8Array): Promise<Deployment> {
  const deployment = await openDeployment()
  const authority = deployment.node({ vault: vaultOf(old) })
  const before = Object.assign(deployment, { authority })
  await declarePeople(before)
  await declare(before, { tenants: [{ id: acme, name: 'Acme', ...declaration }], webhooks: [webhook], providers })
  await tokenFrom(authority, 'scope=invoices:read')
  await tokenFrom(authority, 'scope=invoices:read', { tenant: acme })
  const sealed = vaultOf(old).seal(await before.store.keys.auditKey(), 'audit-key')
  await before.store.keys.rewrap([{ which: 'audit-key', from: await before.store.keys.auditKey(), to: sealed }], [])
  await withApp(before)
  const delivery = {
    method: deliveryMethod.push,
    endpoint_url: 'https://receiver.example',
    authorization_header: 'Bearer x',
  }
  const call = { origin: { tenant: root, ip: null, traceId: null }, clientId: 'svc' }
  const stream = await openStreams({ ...before.ports, vault: vaultOf(old), served }).create(call, { delivery })
  assert.ok(stream.kind === 'ok')
  return before
}

async function sealedIn({ store }: Deployment): Promise<readonly Uint8Array[]> {
  const keys = [...(await store.keys.list(root)), ...(await store.keys.list(acme))].map((it) => it.sealedPrivate)
  const totps = (await store.factors.totps(root, { after: '', limit: 10 })).map((it) => it.sealedSecret)
  const receivers = await Promise.all(
    (['webhook', 'stream'] as const).map((kind) => store.eventReceivers.list(root, { kind, after: null, limit: 10 })),
  )
  const held = (await store.directory.catalogue(root))?.tenant.providers ?? []
  const secrets = [
    ...receivers.flat().map((it) => it.sealedSecret ?? assert.fail()),
    ...held
      .flatMap((it) => [it.sealed_secret ?? '', it.sealed_signals_authorization ?? ''])
      .map((it) => Buffer.from(it, 'base64url')),
  ]
  assert.equal(secrets.length, 4)
  return [...keys, ...totps, ...secrets, await store.keys.auditKey()]
}

test('everything is put under the current key, once, and the log says how much', async () => {
  const [old, next] = [key(1), key(2)]
  const deployment = await openOld(old)
  const all = await sealedIn(deployment)
  assert.ok(all.length >= 4)
  const both = deployment.node({ vault: vaultOf(next, old) })
  const done = await both.admin.keys.rewrap(operator)
  assert.ok(done.kind === 'ok')
  assert.equal(done.value, all.length)
  assert.deepEqual(new Set((await sealedIn(deployment)).map(([first]) => first)), new Set([2]))
  const again = await both.admin.keys.rewrap(operator)
  assert.ok(again.kind === 'ok' && again.value === 0)
  await deployment.store.events.position()
  const told = (await deployment.store.events.after(root, 0, 1000)).filter(
    (it) => it.name === 'admin.master_key_rewrapped',
  )
  assert.deepEqual(
    told.map((it) => it.data),
    [{ count: all.length }],
  )
  const only = deployment.node({ vault: vaultOf(next) })
  for (const tenant of [root, acme]) assert.ok(await tokenFrom(only, 'scope=invoices:read', { tenant }))
})

test('what neither key opens stops the work, and nothing was changed', async () => {
  const deployment = await openOld(key(1))
  const stranger = deployment.node({ vault: vaultOf(key(2), key(3)) })
  const before = await sealedIn(deployment)
  const done = await stranger.admin.keys.rewrap(operator)
  assert.deepEqual(done.kind === 'error' ? done.error : null, { reason: 'unavailable' })
  assert.deepEqual(await sealedIn(deployment), before)
  assert.equal((await stranger.token(asking('grant_type=client_credentials&scope=invoices:read'))).kind, 'error')
})

test('a mail that waits is sealed anew and can be opened; one that no key opens holds up nothing', async () => {
  const [old, next] = [key(1), key(2)]
  const deployment = await openOld(old)
  const { store, clock } = deployment.ports
  const held = (id: string, by: Uint8Array) => ({
    tenant: root,
    id,
    kind: 'reset_request',
    subject: null,
    sealed: vaultOf(by).seal(Buffer.from('{}'), `mail ${root} ${id}`),
    madeAt: clock.now(),
    expiresAt: (clock.now() + 60_000) as Instant,
  })
  await store.mails.queue([held('ours', old), held('of nobody', key(3))], [])
  const done = await deployment.node({ vault: vaultOf(next, old) }).admin.keys.rewrap(operator)
  assert.equal(done.kind === 'ok' && done.value, (await sealedIn(deployment)).length + 1)
  const row = await store.mails.find(root, 'ours')
  assert.ok(row !== null && row.sealed[0] === 2)
  assert.ok(vaultOf(next).open(row.sealed, `mail ${root} ours`))
  assert.equal((await store.mails.find(root, 'of nobody'))?.sealed[0], 3)
})

test('what was changed by somebody else meanwhile is looked at again, down to the last of it', async () => {
  const [old, next] = [key(1), key(2)]
  const deployment = await openOld(old)
  const { store } = deployment.ports
  let lost = 0
  // Every secret is lost once to somebody else, the key of the log included, which is alone at the end.
  const keys = {
    ...store.keys,
    rewrap: async (...args: Parameters<typeof store.keys.rewrap>) =>
      (lost += 1) % 2 === 1 ? ('changed-meanwhile' as const) : store.keys.rewrap(...args),
  }
  const both = deployment.node({ vault: vaultOf(next, old), store: { ...store, keys } })
  const all = await sealedIn(deployment)
  const done = await both.admin.keys.rewrap(operator)
  assert.equal(done.kind === 'ok' && done.value, all.length)
  assert.deepEqual(new Set((await sealedIn(deployment)).map(([first]) => first)), new Set([2]))
})
