/** Webhooks from the event to the receiver's door: signed, in order for each subject, at least once, and then given up. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import type { Outbound, PostAnswer, SignedMessage } from '@grantor/authority'
import type { NewEvent } from '@grantor/protocol/events'
import { err, ok } from '@grantor/protocol/result'
import type { EventId, Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import { openEventDelivery } from '../../src/background/event-delivery.ts'
import type { Deliveries } from '../../src/background/deliveries.ts'
import { openDirectory } from '../../src/directory.ts'
import { openKeyring } from '../../src/keys/keyring.ts'
import { longestTrying, mostTries } from '../../src/webhooks/judge-attempt.ts'
import {
  bounded,
  type Database,
  databases,
  declare,
  type Deployment,
  nowhere,
  openDeployment,
  operator,
  root,
} from '../support/deployment.ts'

const acme = 'acme' as TenantId

const signing = ({ ports }: Deployment) => ({
  ...ports,
  directory: openDirectory(ports.store),
  keyring: openKeyring(ports),
})
const day = 86_400_000

interface Received extends SignedMessage {
  readonly url: string
  readonly body: JsonObject
}

/** The world outside: keeps what it is told, and answers as it was set to. */
class World {
  readonly received: Received[] = []
  answer: (it: Received) => ReturnType<Outbound['post']> = () => Promise.resolve(answered(204))
  readonly outbound: Outbound = {
    ...nowhere,
    post: (url, message) => {
      const it = { ...message, url, body: JSON.parse(message.content) as JsonObject }
      this.received.push(it)
      return this.answer(it)
    },
  }
  /** The reasons of the events that arrived, which the tests tell them by. */
  readonly told = (): readonly unknown[] => this.received.map(({ body }) => (body['data'] as JsonObject)['reason'])
}

const answered = (status: number, retryAfter: number | null = null) => ok<PostAnswer>({ status, retryAfter })

interface Scene {
  readonly deployment: Deployment
  readonly world: World
  readonly node: Deliveries
  /** Events about people, by a reason that tells them apart. */
  happen(...events: readonly (readonly [reason: string, subject: string | null])[]): Promise<void>
  make(input?: JsonObject, tenant?: TenantId): Promise<{ readonly id: string; readonly secret: string }>
  states(id: string): Promise<readonly (readonly [string, string, number])[]>
}

async function openScene(database: Database): Promise<Scene> {
  const deployment = await openDeployment(database)
  await declare(deployment, { tenants: [{ id: 'acme' }] })
  const world = new World()
  const { store, authority } = deployment
  const { webhooks } = authority.admin
  return {
    deployment,
    world,
    node: openEventDelivery({ ...signing(deployment), outbound: world.outbound }),
    async happen(...events) {
      await store.events.append(events.map(([reason, subject]) => ended(deployment, reason, subject)))
      await store.events.position()
    },
    async make(input = {}, tenant = root) {
      const made = await webhooks.create(operator, tenant, {
        url: 'https://hooks.example/in',
        events: ['session.*'],
        ...input,
      })
      assert.ok(made.kind === 'ok', JSON.stringify(made))
      return { id: made.value.webhook.id, secret: made.value.secret }
    },
    async states(id) {
      const found = await webhooks.deliveries(root, { receiver: id, state: null, before: null, limit: 200 })
      assert.ok(found.kind === 'ok')
      return found.value.map(({ payload, state, attempts }) => {
        const { data } = JSON.parse(payload) as { readonly data: { readonly reason: string } }
        return [data.reason, state, attempts] as const
      })
    },
  }
}

const ended = (
  { ports, clock }: Deployment,
  reason: string,
  subject: string | null,
  tenant: TenantId = root,
): NewEvent => ({
  id: ports.ids.id() as EventId,
  tenant,
  at: clock as Instant,
  name: 'session.ended',
  actor: { kind: 'system', id: null },
  subject,
  clientId: null,
  grantId: null,
  jti: null,
  scope: null,
  reason,
  ip: '192.0.2.1',
  traceId: null,
  data: { sid: 's1' },
})

/** As Standard Webhooks 1.0.0 says, by nothing of ours. */
function verifies({ headers, content }: SignedMessage, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${content}`
  const expected = createHmac('sha256', key).update(signed).digest('base64')
  return (headers['webhook-signature'] ?? '').split(' ').includes(`v1,${expected}`)
}

for (const database of databases) {
  describe(`webhooks on ${database}`, bounded, () => {
    test('Standard Webhooks: a message is signed, says what happened, and is told to whoever asked for it', async () => {
      const { world, node, happen, make, deployment } = await openScene(database)
      await happen(['before', 'ada'])
      const hook = await make()
      const other = await make({ url: 'https://other.example/', events: ['consent.granted'] })
      await make({ url: 'https://acme.example/' }, acme)
      await happen(['signed_out', 'ada'])
      await node.deliverDue()
      const [message = assert.fail('nothing came')] = world.received
      assert.deepEqual(
        [world.received.length, message.url, message.type],
        [1, 'https://hooks.example/in', 'application/json'],
      )
      const { data, ...body } = message.body
      assert.deepEqual(body, { type: 'session.ended', timestamp: '2026-11-15T12:00:00.400Z', tenant: 'default' })
      const { id, seq, ...event } = data as JsonObject
      assert.deepEqual(event, {
        actor: { kind: 'system', id: null },
        subject: 'ada',
        reason: 'signed_out',
        ip: '192.0.2.1',
        data: { sid: 's1' },
      })
      assert.deepEqual([message.headers['webhook-id'], typeof seq], [id, 'number'])
      assert.equal(message.headers['webhook-timestamp'], String(Math.floor(deployment.clock / 1000)))
      assert.ok(verifies(message, hook.secret))
      assert.ok(!verifies(message, other.secret))
      assert.ok(!verifies({ ...message, content: `${message.content} ` }, hook.secret))
    })

    test('what is about one person waits for the earlier one; others pass, and what fails for long is given up', async () => {
      const { world, node, happen, make, states, deployment } = await openScene(database)
      const { id } = await make()
      world.answer = async ({ body }) => answered((body['data'] as JsonObject)['reason'] === 'bad' ? 500 : 200)
      await happen(['bad', 'ada'], ['next', 'ada'])
      await node.deliverDue()
      // Told afterwards: a receiver that took nothing else for three days would be disabled with it.
      await happen(['else', 'bob'], ['none', null])
      await node.deliverDue()
      assert.deepEqual(world.told().map(String).toSorted(), ['bad', 'else', 'none'])
      for (let n = 0; n < mostTries; n += 1) {
        deployment.clock += day
        await node.deliverDue()
      }
      assert.equal(world.told().filter((it) => it === 'bad').length, 4, 'three days')
      assert.equal(world.told().at(-1), 'next', world.told().join(' '))
      assert.deepEqual((await states(id)).map((it) => it.join(' ')).toSorted(), [
        'bad dead 4',
        'else delivered 1',
        'next delivered 1',
        'none delivered 1',
      ])
      assert.deepEqual(await named(deployment, 'webhook.undelivered'), [['status', id]])
      // What was given up is sent again when somebody says so, under the same id.
      world.answer = async () => answered(200)
      const { webhooks } = deployment.authority.admin
      assert.deepEqual(await webhooks.replay(operator, root, { id, delivery: null }), ok(1))
      await node.deliverDue()
      assert.equal(world.told().at(-1), 'bad')
      assert.equal(new Set(world.received.map(({ headers }) => headers['webhook-id'])).size, 4)
    })

    test('Retry-After is waited for; 410 disables, and what waits comes when it is enabled again', async () => {
      const { world, node, happen, make, deployment } = await openScene(database)
      const { id } = await make()
      world.answer = async () => answered(429, 300)
      await happen(['one', 'ada'])
      await node.deliverDue()
      deployment.clock += 299_000
      await node.deliverDue()
      assert.equal(world.received.length, 1)
      world.answer = async () => answered(410)
      deployment.clock += 2_000
      await node.deliverDue()
      const { webhooks } = deployment.authority.admin
      const found = await webhooks.find(root, id)
      assert.ok(found.kind === 'ok')
      assert.deepEqual([found.value.settings.status, found.value.disabledBecause], ['disabled', 'gone'])
      assert.deepEqual(await named(deployment, 'webhook.disabled'), [['gone', id]])
      await happen(['while disabled', 'ada'])
      await node.deliverDue()
      assert.equal((await webhooks.test(operator, root, id)).kind, 'error')
      world.answer = async () => answered(200)
      const input = { url: 'https://hooks.example/in', events: ['session.*'] }
      const put = async (version: number, status: string): Promise<string | null> => {
        const changed = await webhooks.replace(operator, root, { id, version, input: { ...input, status } })
        assert.ok(changed.kind === 'ok')
        return changed.value.disabledBecause
      }
      assert.equal(await put(found.value.version, 'disabled'), 'gone', 'it still is')
      assert.equal(await put(found.value.version + 1, 'enabled'), null)
      await happen(['after', 'ada'])
      await node.deliverDue()
      assert.deepEqual(world.told(), ['one', 'one', 'one', 'after'])
    })

    test('what one address answers is not held against the one that takes its place', async () => {
      const { world, node, happen, make, deployment } = await openScene(database)
      const { id } = await make()
      const { webhooks } = deployment.authority.admin
      const found = async () => {
        const webhook = await webhooks.find(root, id)
        assert.ok(webhook.kind === 'ok')
        return webhook.value
      }
      const move = async (url: string): Promise<void> => {
        const { version } = await found()
        const input = { url, events: ['session.*'] }
        assert.equal((await webhooks.replace(operator, root, { id, version, input })).kind, 'ok')
      }
      const addresses = () => world.received.map(({ url }) => url.split('/').at(-1))
      world.answer = async ({ url }) => {
        if (url.endsWith('/two')) return answered(204)
        await move('https://hooks.example/two')
        return answered(410)
      }
      await happen(['one', 'ada'])
      await node.deliverDue()
      assert.deepEqual([addresses(), (await found()).settings.status], [['in', 'two'], 'enabled'])
      world.answer = async () => err('unreachable')
      await happen(['two', 'ada'])
      await node.deliverDue()
      deployment.clock += longestTrying
      await move('https://hooks.example/three')
      await happen(['three', 'bob'])
      await node.deliverDue()
      assert.equal(addresses().at(-1), 'three')
      assert.equal((await found()).settings.status, 'enabled', 'it has not failed for three days')
      assert.deepEqual(await named(deployment, 'webhook.disabled'), [])
    })

    test('a receiver that fails is asked once at a time, and after three days no more', async () => {
      const { world, node, happen, make, deployment } = await openScene(database)
      const { id } = await make()
      world.answer = async () => err('time')
      await happen(...Array.from({ length: 40 }, (_, n) => [`n${n}`, `person ${n}`] as const))
      await node.deliverDue()
      const first = world.received.length
      assert.ok(first < 12, `${first} at first`)
      deployment.clock += 5 * 60_000
      await node.deliverDue()
      assert.equal(world.received.length, first + 1)
      deployment.clock += longestTrying
      await node.deliverDue()
      assert.deepEqual(await named(deployment, 'webhook.disabled'), [['failing', id]])
      const last = world.received.length
      deployment.clock += day
      await node.deliverDue()
      assert.equal(world.received.length, last)
    })

    test('a rotated secret signs beside the old one, and alone when the overlap is over', async () => {
      const { world, node, happen, make, deployment } = await openScene(database)
      const { id, secret } = await make()
      const rotated = await deployment.authority.admin.webhooks.rotateSecret(operator, root, { id, overlap: 60 })
      assert.ok(rotated.kind === 'ok')
      await happen(['during', 'ada'])
      await node.deliverDue()
      deployment.clock += 60_000
      await happen(['after', 'ada'])
      await node.deliverDue()
      const signed = world.received.map((it) => [verifies(it, secret), verifies(it, rotated.value.secret)])
      assert.deepEqual(signed, [
        [true, true],
        [false, true],
      ])
    })

    test('two nodes at once tell each event once and in order; what a dead node held comes after its lease', async () => {
      const { world, node, happen, make, deployment } = await openScene(database)
      const { id } = await make()
      const another = openEventDelivery({ ...signing(deployment), outbound: world.outbound })
      world.answer = async () => {
        await new Promise((resolve) => setImmediate(resolve))
        return answered(204)
      }
      const events = Array.from({ length: 60 }, (_, n) => [`${n}`, `person ${n % 5}`] as const)
      await happen(...events)
      await Promise.all([node.deliverDue(), another.deliverDue()])
      await node.deliverDue()
      assert.equal(world.received.length, 60)
      for (let person = 0; person < 5; person += 1) {
        const order = world
          .told()
          .map(Number)
          .filter((n) => n % 5 === person)
        assert.deepEqual(
          order,
          order.toSorted((one, two) => one - two),
        )
      }
      await happen(['held', 'ada'], ['behind', 'ada'])
      const closed = openEventDelivery({
        ...signing(deployment),
        outbound: { ...nowhere, post: () => new Promise(() => {}) },
      })
      void closed.deliverDue()
      const waitsIn = async () => {
        const held = await deployment.store.eventDeliveries.search(root, {
          receiver: id,
          state: 'waiting',
          before: null,
          limit: 9,
        })
        return held.some(({ attempts }) => attempts > 0)
      }
      while (!(await waitsIn())) await new Promise((resolve) => setImmediate(resolve))
      await another.deliverDue()
      assert.equal(world.received.length, 60, 'it is still its own')
      deployment.clock += 31_000
      await another.deliverDue()
      assert.deepEqual(world.told().slice(60), ['held', 'behind'])
    })

    test('what waits for a deleted webhook is gone, and nothing of it is another tenant’s to see', async () => {
      const { world, node, happen, make, deployment } = await openScene(database)
      const { id } = await make()
      const { webhooks } = deployment.authority.admin
      world.answer = async () => err('unreachable')
      await happen(['lost', 'ada'])
      await node.deliverDue()
      for (const act of [
        webhooks.find(acme, id),
        webhooks.remove(operator, acme, id),
        webhooks.test(operator, acme, id),
        webhooks.replay(operator, acme, { id, delivery: null }),
        webhooks.deliveries(acme, { receiver: id, state: null, before: null, limit: 9 }),
        webhooks.rotateSecret(operator, acme, { id, overlap: 0 }),
      ]) {
        const answer = await act
        assert.equal(answer.kind === 'error' && answer.error.reason, 'absent')
      }
      assert.deepEqual(await webhooks.remove(operator, root, id), ok(null))
      deployment.clock += day
      await node.deliverDue()
      assert.equal(world.received.length, 1)
    })

    test('a page of events is queued once, however long the log is', async () => {
      const { world, node, happen, make } = await openScene(database)
      await make({ events: ['*'] })
      await happen(...Array.from({ length: 1_200 }, (_, n) => [`${n}`, `person ${n % 400}`] as const))
      await node.deliverDue()
      const told = world.received.filter(({ body }) => body['type'] === 'session.ended')
      assert.equal(new Set(told.map(({ headers }) => headers['webhook-id'])).size, 1_200)
      assert.equal(told.length, 1_200)
    })
  })
}

test('addresses that are private, without TLS or at another port are refused, and so are unknown events', async () => {
  const { authority } = await openDeployment()
  const { webhooks } = authority.admin
  const bad: readonly (readonly [JsonObject, string])[] = [
    [{ url: 'http://hooks.example/', events: ['*'] }, 'url'],
    [{ url: 'https://127.0.0.1/', events: ['*'] }, 'url'],
    [{ url: 'https://10.0.0.1/', events: ['*'] }, 'url'],
    [{ url: 'https://[::1]/', events: ['*'] }, 'url'],
    [{ url: 'https://localhost/', events: ['*'] }, 'url'],
    [{ url: 'https://hooks.example:6379/', events: ['*'] }, 'url'],
    [{ url: 'no address', events: ['*'] }, 'url'],
    [{ url: 'https://hooks.example/', events: [] }, 'events'],
    [{ url: 'https://hooks.example/', events: ['session.exploded'] }, 'events'],
    [{ url: 'https://hooks.example/', events: ['webhook.*'] }, 'events'],
    [{ url: 'https://hooks.example/', events: ['sess'] }, 'events'],
    [{ url: 'https://hooks.example/', events: [7] }, 'events'],
    [{ url: 'https://hooks.example/', events: '*' }, 'events'],
    [{ url: 'https://hooks.example/', events: ['*'], status: 'paused' }, 'status'],
    [{ url: 'https://hooks.example/', events: ['*'], description: '\u202e' }, 'description'],
  ]
  for (const [input, field] of bad) {
    const made = await webhooks.create(operator, root, input)
    assert.ok(made.kind === 'error' && made.error.reason === 'invalid', JSON.stringify(input))
    assert.deepEqual(
      made.error.problems.map((it) => it.field),
      [field],
    )
  }
  assert.deepEqual(await webhooks.list(root, { after: null, limit: 9 }), ok([]))
})

async function named({ store }: Deployment, name: string): Promise<readonly (readonly [string | null, unknown])[]> {
  await store.events.position()
  const events = await store.events.after(root, 0, 10_000)
  return events.filter((it) => it.name === name).map(({ reason, data }) => [reason, data?.['webhook']] as const)
}
