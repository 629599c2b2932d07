/** CIBA in ping mode (§10.2): from the commit that decides a request to the client's door, and everything in between that fails. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Authority, Outbound } from '@grantor/authority'
import { err, ok } from '@grantor/protocol/result'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import {
  askByBackchannel,
  asked,
  bank,
  cibaGrant,
  declareBanks,
  PersonAtAccount,
  pollRequest,
} from '../support/backchannel-client.ts'
import {
  type Database,
  databases,
  type Deployment,
  machine,
  nowhere,
  openDeployment,
  operator,
  root,
} from '../support/deployment.ts'
import { waitUntil } from '../support/wait-until.ts'

const endpoint = 'https://pinged.example/cb?bank=1'
const token = 'zz9canary-8d67dc78-7faa-4d41-aabd-67707b374255'
const pinged = bank('pinged', {
  backchannel_token_delivery_mode: 'ping',
  backchannel_client_notification_endpoint: endpoint,
})

interface Told {
  readonly url: string
  readonly bearer: string
  readonly body: JsonObject
}

/** The clients' side: keeps what it is told, and answers as it was set to. */
class NotifiedClient {
  readonly told: Told[] = []
  answer: () => ReturnType<Outbound['notify']> = () => Promise.resolve(ok(null))
  readonly outbound: Outbound = {
    ...nowhere,
    notify: (url, { bearer, body }) => {
      this.told.push({ url, bearer, body })
      return this.answer()
    },
  }
}

interface Scene {
  readonly deployment: Deployment
  readonly client: NotifiedClient
  readonly authority: Authority
  readonly alice: PersonAtAccount
}

async function openScene(database: Database = 'sqlite'): Promise<Scene> {
  const deployment = await openDeployment(database)
  await declareBanks(deployment, pinged)
  const client = new NotifiedClient()
  const authority = deployment.node({ outbound: client.outbound })
  return { deployment, client, authority, alice: await PersonAtAccount.signedIn(authority) }
}

const from = { as: 'pinged' }
const ask = ({ authority }: Scene, more: Readonly<Record<string, string | undefined>> = {}) =>
  askByBackchannel(authority, { client_notification_token: token, ...more }, from)

async function undelivered({ deployment: { store } }: Scene) {
  await store.events.position()
  return (await store.events.after(root, 0, 1000)).filter((it) => it.name === 'backchannel.undelivered')
}

const nothingDue =
  ({ deployment }: Scene) =>
  async () =>
    !(await deployment.store.backchannel.notificationsDue((deployment.clock + 9e9) as Instant))

for (const database of databases) {
  test(`CIBA §10.2 on ${database}: told once when it is allowed and when it is denied, with the client's own token`, async () => {
    const scene = await openScene(database)
    const { authority, client, alice, deployment } = scene
    await authority.begin()
    const first = await ask(scene)
    assert.equal(first.answer['interval'], 5)
    assert.deepEqual(await pollRequest(authority, first.id, from), { error: 'device_pending' }, 'it may poll, too')
    assert.deepEqual(client.told, [])
    await alice.answer(true)
    await waitUntil(() => client.told.length === 1, 'told of the approval')
    assert.deepEqual(client.told[0], { url: endpoint, bearer: token, body: { auth_req_id: first.id } })
    assert.ok((await pollRequest(authority, first.id, from)).access_token, 'at once, however short ago it polled')
    const second = await ask(scene, { client_notification_token: 'another' })
    await alice.answer(false)
    await waitUntil(() => client.told.length === 2, 'told of the denial')
    assert.deepEqual(client.told[1], { url: endpoint, bearer: 'another', body: { auth_req_id: second.id } })
    assert.deepEqual(await pollRequest(authority, second.id, from), { error: 'device_denied' })
    await waitUntil(nothingDue(scene), 'all is settled')
    deployment.clock += 900_000
    assert.equal(client.told.length, 2)
    assert.deepEqual(await undelivered(scene), [])
  })

  test(`on ${database} what a node that was killed had decided, or had taken, is told by another`, async () => {
    const scene = await openScene(database)
    const { client, alice, deployment } = scene
    // This node never tells anybody: it is gone right after the commit.
    const first = await ask(scene)
    await alice.answer(true)
    const second = await ask(scene)
    await alice.answer(false)
    assert.ok(
      await deployment.store.backchannel.takeNotification({
        now: deployment.clock as Instant,
        lease: 10_000,
        busy: [],
      }),
    )
    const another = deployment.node({ outbound: client.outbound })
    await another.begin()
    await waitUntil(() => client.told.length === 1, 'what nobody had taken')
    deployment.clock += 10_000
    await waitUntil(() => client.told.length === 2, 'what somebody had taken')
    assert.deepEqual(new Set(client.told.map(({ body }) => body['auth_req_id'])), new Set([first.id, second.id]))
    assert.ok((await pollRequest(another, first.id, from)).access_token)
    await waitUntil(nothingDue(scene), 'all is settled')
  })

  test(`on ${database} the token of a client lies nowhere in the clear, and is gone once it was told`, async () => {
    const scene = await openScene(database)
    const { id } = await ask(scene)
    const { store, clock, ports } = scene.deployment
    await scene.alice.answer(true)
    const due = await store.backchannel.takeNotification({ now: clock as Instant, lease: 1, busy: [] })
    assert.ok(due !== null)
    const kept = Buffer.from(due.sealed).toString('latin1')
    assert.ok(!kept.includes('zz9canary') && !kept.includes(id))
    assert.equal(ports.vault.open(due.sealed, `backchannel notification ${root} ${due.handle}x`), null)
    await store.events.position()
    const log = JSON.stringify(await store.events.after(root, 0, 1000))
    assert.ok(!log.includes(token) && !log.includes(id))
    await store.backchannel.settleNotification(due, [])
    assert.equal(await nothingDue(scene)(), true)
  })
}

test('a client that cannot be reached, or is broken, is tried again with growing pauses, then given up', async () => {
  const scene = await openScene()
  const { client, authority, alice, deployment } = scene
  const faults = ['unreachable', 'status', 'time', 'size', 'address'] as const
  client.answer = () => Promise.resolve(err(faults[client.told.length - 1] ?? 'status'))
  await ask(scene)
  await authority.begin()
  await alice.answer(true)
  for (const [tries, pause] of [10_000, 40_000, 90_000, 160_000].entries()) {
    await waitUntil(() => client.told.length === tries + 1, `try ${tries + 1}`)
    deployment.clock += pause
  }
  await waitUntil(async () => (await undelivered(scene)).length > 0, 'it is given up')
  const [event] = await undelivered(scene)
  assert.deepEqual([event?.clientId, event?.reason, event?.data], ['pinged', 'address', { tries: 5 }])
  assert.equal(client.told.length, 5)
  assert.equal(await nothingDue(scene)(), true)
})

test('a client that refuses is never told again, and may fetch all the same', async () => {
  const scene = await openScene()
  const { client, authority, alice, deployment } = scene
  client.answer = () => Promise.resolve(err('refused'))
  const { id } = await ask(scene)
  await authority.begin()
  await alice.answer(true)
  await waitUntil(async () => (await undelivered(scene)).length > 0, 'it is given up')
  const [event] = await undelivered(scene)
  assert.deepEqual([event?.reason, event?.data], ['refused', { tries: 1 }])
  assert.equal(await nothingDue(scene)(), true)
  assert.equal(client.told.length, 1)
  deployment.clock += 5_000
  assert.ok((await pollRequest(authority, id, from)).access_token)
})

test('a fault that passes is told at the next try', async () => {
  const scene = await openScene()
  const { client, authority, alice, deployment } = scene
  client.answer = () => Promise.resolve(client.told.length < 2 ? err('unreachable') : ok(null))
  await ask(scene)
  await authority.begin()
  await alice.answer(true)
  await waitUntil(() => client.told.length === 1, 'the first try')
  deployment.clock += 10_000
  await waitUntil(() => client.told.length === 2, 'the second try')
  await waitUntil(nothingDue(scene), 'it is settled')
  assert.deepEqual(await undelivered(scene), [])
})

test('nobody is told of what expired, before it was answered or before it could be told', async () => {
  const scene = await openScene()
  const { client, authority, alice, deployment } = scene
  const { id } = await ask(scene, { requested_expiry: '60' })
  await ask(scene, { requested_expiry: '30' })
  deployment.clock += 30_000
  await alice.answer(true)
  deployment.clock += 30_000
  await authority.begin()
  await waitUntil(async () => (await undelivered(scene)).length > 0, 'it is given up')
  assert.equal((await undelivered(scene))[0]?.reason, 'abandoned')
  assert.deepEqual(client.told, [])
  assert.deepEqual(await pollRequest(authority, id, from), { error: 'auth_req_id_expired' })
})

test('a client that was disabled, deleted or polls from now on is not told; nor is who never asked to be', async () => {
  const scene = await openScene()
  const { client, authority, alice, deployment } = scene
  const { clients } = authority.admin
  const others = ['second', 'third'].map((id) => ({ ...pinged, client_id: id }))
  await declareBanks(deployment, pinged, ...others)
  for (const as of ['pinged', 'second', 'third', 'bank']) {
    const { error } = await askByBackchannel(authority, { client_notification_token: token }, { as })
    assert.equal(error, undefined)
    await alice.answer(true)
  }
  const changed = async (id: string, change: { readonly polls: boolean; readonly disabled: boolean }) => {
    const found = await clients.find(root, id)
    assert.ok(found.kind === 'ok')
    const { backchannel_client_notification_endpoint: _, ...metadata } = found.value.metadata
    const mode = { ...metadata, backchannel_token_delivery_mode: 'poll' }
    const { version } = found.value
    return clients.replace(operator, root, {
      id,
      version,
      metadata: change.polls ? mode : found.value.metadata,
      disabled: change.disabled,
    })
  }
  assert.equal((await changed('pinged', { polls: false, disabled: true })).kind, 'ok')
  assert.equal((await changed('second', { polls: true, disabled: false })).kind, 'ok')
  assert.equal((await clients.remove(operator, root, 'third')).kind, 'ok')
  await deployment.node({ outbound: client.outbound }).begin()
  await waitUntil(nothingDue(scene), 'all is settled')
  assert.deepEqual(client.told, [])
  assert.deepEqual(await undelivered(scene), [])
})

test('a client that hangs holds up nobody else', async () => {
  const scene = await openScene()
  const { client, authority, alice, deployment } = scene
  await declareBanks(deployment, pinged, { ...pinged, client_id: 'second' })
  const hanging: (() => void)[] = []
  client.answer = () =>
    client.told.at(-1)?.bearer === token
      ? new Promise((resolve) => hanging.push(() => resolve(ok(null))))
      : Promise.resolve(ok(null))
  await authority.begin()
  for (let n = 0; n < 5; n++) {
    await ask(scene)
    await alice.answer(true)
  }
  await waitUntil(() => hanging.length === 4, 'as many as one client may have')
  await askByBackchannel(authority, { client_notification_token: 'other' }, { as: 'second' })
  await alice.answer(true)
  await waitUntil(() => client.told.some(({ bearer }) => bearer === 'other'), 'the other is told')
  assert.equal(hanging.length, 4)
  while (hanging.length > 0 || client.told.length < 6) {
    hanging.shift()?.()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
})

test('CIBA §7.1: a token of the client is demanded in ping mode, and must fit a header', async () => {
  const scene = await openScene()
  for (const none of [undefined, ''])
    assert.equal((await ask(scene, { client_notification_token: none })).error, 'parameter_missing')
  for (const wrong of [' ', 'a b', 'a\r\nb', 'é', 'a=b', '=', 'x'.repeat(1025), 'a,b', '"a"'])
    assert.equal((await ask(scene, { client_notification_token: wrong })).error, 'parameter_malformed', wrong)
  for (const right of ['a', 'A-._~+/9==', 'x'.repeat(1024)])
    assert.equal((await ask(scene, { client_notification_token: right })).error, undefined, right)
  const polling = await askByBackchannel(scene.authority, { ...asked, client_notification_token: 'a b' })
  assert.equal(polling.error, undefined, 'who polls has no use for one')
})

test('CIBA §4: ping and its endpoint go together; push is not to be had', async () => {
  const deployment = await openDeployment()
  const problems = async (more: JsonObject) => {
    const base = { ...machine('x', 'openid'), grant_types: [cibaGrant] }
    const declared = await deployment.authority.admin.declared.apply(operator, { clients: [{ ...base, ...more }] })
    return declared.kind === 'ok' ? [] : JSON.stringify(declared.error).match(/clients\[0\]\.\w+/g)
  }
  const [mode, at] = ['backchannel_token_delivery_mode', 'backchannel_client_notification_endpoint']
  assert.deepEqual(await problems({ [mode]: 'ping', [at]: endpoint }), [])
  assert.deepEqual(await problems({ [mode]: 'ping' }), [`clients[0].${at}`])
  assert.deepEqual(await problems({ [mode]: 'poll', [at]: endpoint }), [`clients[0].${at}`])
  assert.deepEqual(await problems({ [mode]: 'push', [at]: endpoint }), [`clients[0].${mode}`])
  for (const wrong of [
    'http://pinged.example/',
    'https://10.0.0.1/',
    'https://localhost/cb',
    'https://x.example:25/',
    7,
  ])
    assert.deepEqual(await problems({ [mode]: 'ping', [at]: wrong }), [`clients[0].${at}`], String(wrong))
})
