/** Streams as their receivers look after them: what stays, what goes, whose they are, and what is told of a refusal. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { served } from '@grantor/protocol/documents'
import { deliveryMethod, mostStreamsOfClient, signalType } from '@grantor/protocol/ssf'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { limits } from '../../src/limits/limits.ts'
import { openStreams } from '../../src/ssf/streams.ts'
import { webhookSecretContext } from '../../src/webhooks/webhook-delivery.ts'
import { bounded, declare, machine, openDeployment, root } from '../support/deployment.ts'

const url = 'https://receiver.example/events'
const pushed = { method: deliveryMethod.push, endpoint_url: url }
const call = (clientId = 'web', tenant = root) => ({ origin: { tenant, ip: null, traceId: null }, clientId })
type Answer = { readonly kind: 'ok'; readonly value: unknown } | { readonly kind: 'error'; readonly error: object }
const told = (answer: Answer) => {
  if (answer.kind === 'ok') return answer.value
  const { status, description } = answer.error as { readonly status: number; readonly description: string }
  return `${status} ${description}`
}
const idOf = (answer: Answer): string => {
  assert.ok(answer.kind === 'ok', JSON.stringify(answer))
  const { stream_id: id } = answer.value as { readonly stream_id: string }
  return id
}

async function open() {
  const deployment = await openDeployment()
  await declare(deployment, {
    clients: [machine('web', ''), machine('other', '')],
    tenants: [{ id: 'acme', clients: [machine('web', '')] }],
  })
  const streams = openStreams({ ...deployment.ports, served })
  const row = (id: string) => deployment.store.eventReceivers.find(root, id)
  /** What the log was told last. */
  const news = async () => {
    await deployment.store.events.position()
    const [last] = await deployment.store.events.before(root, Number.MAX_SAFE_INTEGER, 1)
    return last && [last.name, last.actor, last.clientId, last.data]
  }
  return { deployment, streams, row, news }
}

test('SSF 1.0 §8.1.1: a stream is made as it was asked for, and polled where nothing is said', bounded, async () => {
  const { deployment, streams, row, news } = await open()
  const made = await streams.create(call(), {
    delivery: { ...pushed, authorization_header: 'Bearer x' },
    events_requested: [signalType.sessionRevoked, 'https://x.example/other'],
    description: 'Mine',
  })
  const id = idOf(made)
  const document = told(made) as JsonObject
  assert.deepEqual(
    [document['delivery'], document['events_delivered'], document['description'], document['aud'], document['iss']],
    [pushed, [signalType.sessionRevoked], 'Mine', 'web', 'https://as.example'],
  )
  const held = await row(id)
  const sealed = held?.sealedSecret ?? assert.fail()
  const opened = deployment.ports.vault.open(sealed, webhookSecretContext({ tenant: root, id })) ?? assert.fail()
  assert.equal(Buffer.from(opened).toString(), 'Bearer x')
  assert.deepEqual(
    [held?.kind, held?.status, held?.declared, held?.createdAt],
    ['stream', 'enabled', false, deployment.clock],
  )
  const actor = { kind: 'client', id: 'web' }
  assert.deepEqual(await news(), ['stream.changed', actor, 'web', { id, status: 'enabled', method: 'push' }])
  const plain = await streams.create(call(), {})
  assert.deepEqual(
    [(told(plain) as JsonObject)['events_requested'], (await row(idOf(plain)))?.sealedSecret],
    [[], null],
  )
  assert.match(JSON.stringify((told(plain) as JsonObject)['delivery']), /rfc:8936/)
})

test('SSF 1.0 §8.1.1.3: a change leaves what it does not name; a replacement does not', bounded, async () => {
  const { streams, row, news } = await open()
  const first = {
    delivery: { ...pushed, authorization_header: 'Bearer x' },
    events_requested: [signalType.sessionRevoked],
    description: 'Mine',
  }
  const id = idOf(await streams.create(call(), first))
  const secret = (await row(id))?.sealedSecret
  const changed = told(await streams.change(call(), { stream_id: id, description: 'Yours' }, false)) as JsonObject
  assert.deepEqual(
    [changed['description'], changed['delivery'], changed['events_requested']],
    ['Yours', pushed, [signalType.sessionRevoked]],
  )
  assert.deepEqual((await row(id))?.sealedSecret, secret, 'the same address keeps its header')
  assert.deepEqual((await news())?.[3], { id, status: 'enabled', method: 'push' })
  const cleared = told(await streams.change(call(), { stream_id: id, description: null }, false)) as JsonObject
  assert.equal('description' in cleared, false)
  const moved = { stream_id: id, delivery: { ...pushed, endpoint_url: 'https://elsewhere.example/' } }
  await streams.change(call(), moved, false)
  assert.equal((await row(id))?.sealedSecret, null, 'another address does not get the header of the first')
  await streams.change(call(), { stream_id: id, ...first }, false)
  assert.notEqual((await row(id))?.sealedSecret, null)
  const whole = told(await streams.change(call(), { stream_id: id, delivery: pushed }, true)) as JsonObject
  assert.deepEqual([whole['events_requested'], 'description' in whole, whole['delivery']], [[], false, pushed])
  assert.equal((await row(id))?.sealedSecret, null, 'a replacement without a header has none')
})

test('SSF 1.0 §8.1.1.3: what is wrong with a change is said, and nothing is changed', bounded, async () => {
  const { streams, row } = await open()
  const id = idOf(await streams.create(call(), {}))
  const { version } = (await row(id)) ?? assert.fail()
  assert.equal(
    told(await streams.change(call(), { stream_id: id, aud: 'other' }, false)),
    "400 aud is the transmitter's to say.",
  )
  assert.equal(told(await streams.change(call(), 'x', false)), '400 The body is an object.')
  assert.equal(told(await streams.create(call(), [])), '400 The body is an object.')
  for (const stream_id of ['nothing', 7, null])
    assert.match(String(told(await streams.change(call(), { stream_id }, false))), /^404 /)
  assert.equal((await row(id))?.version, version)
})

test('a stream is its client’s: to another, and in another tenant, it is not there', bounded, async () => {
  const { streams, news } = await open()
  const id = idOf(await streams.create(call(), {}))
  for (const stranger of [call('other'), call('web', 'acme' as TenantId)]) {
    assert.deepEqual(await streams.list(stranger), [])
    const answers = [
      await streams.find(stranger, id),
      await streams.change(stranger, { stream_id: id }, true),
      await streams.remove(stranger, id),
      await streams.status(stranger, id),
      await streams.setStatus(stranger, id, { status: 'disabled', reason: null }),
    ]
    for (const answer of answers) assert.match(String(told(answer)), /^404 /)
  }
  assert.deepEqual(
    (await streams.list(call())).map((it) => it['stream_id']),
    [id],
  )
  assert.equal((told(await streams.find(call(), id)) as JsonObject)['stream_id'], id)
  assert.equal(told(await streams.remove(call(), id)), null)
  assert.deepEqual((await news())?.[3], { id, removed: true })
  assert.match(String(told(await streams.find(call(), id))), /^404 /)
})

test(
  'SSF 1.0 §8.1.2: a client pauses and lets go on, with its reason, but not what an administrator stopped',
  bounded,
  async () => {
    const { deployment, streams, row, news } = await open()
    const id = idOf(await streams.create(call(), {}))
    assert.deepEqual(told(await streams.status(call(), id)), { stream_id: id, status: 'enabled' })
    const paused = { stream_id: id, status: 'paused', reason: 'night' }
    assert.deepEqual(told(await streams.setStatus(call(), id, { status: 'paused', reason: 'night' })), paused)
    assert.deepEqual(told(await streams.status(call(), id)), paused)
    assert.deepEqual((await news())?.[3], { id, status: 'paused', method: 'poll' })
    const receiver = (await row(id)) ?? assert.fail()
    const config = { ...receiver.config, held: true }
    const { store, clock } = deployment
    await store.eventReceivers.replace({
      receiver: { ...receiver, config },
      version: receiver.version,
      at: clock as never,
      events: [],
    })
    assert.match(String(told(await streams.setStatus(call(), id, { status: 'enabled', reason: null }))), /^403 /)
    await streams.change(call(), { stream_id: id, description: 'x' }, true)
    assert.match(
      String(told(await streams.setStatus(call(), id, { status: 'enabled', reason: null }))),
      /^403 /,
      'still',
    )
  },
)

test('a client has as many streams as are published, and no more; another has its own', bounded, async () => {
  const { streams } = await open()
  for (let n = 0; n < mostStreamsOfClient; n += 1) idOf(await streams.create(call(), {}))
  assert.equal(told(await streams.create(call(), {})), '409 A client has at most 5 streams.')
  idOf(await streams.create(call('other'), {}))
  assert.equal((await streams.list(call())).length, 5)
})

test('a client that asks too often leaves one of its name in another tenant its turn', bounded, async () => {
  const { deployment } = await open()
  const isServed = async (tenant: TenantId, clientId: string) =>
    (await deployment.authority.signals.take(tenant, clientId))?.allowed === true
  const turns = await Promise.all(Array.from({ length: limits.ssf.quota }, () => isServed(root, 'web')))
  assert.ok(turns.every(Boolean))
  assert.equal(await isServed(root, 'web'), false)
  assert.equal(await isServed('acme' as TenantId, 'web'), true)
  assert.equal(await isServed(root, 'other'), true)
})
