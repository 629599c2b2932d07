/** What is told of where an event goes to: for whom it was sent, and what the log says when it is given up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { err, ok } from '@grantor/protocol/result'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { openEventDelivery } from '../../src/background/event-delivery.ts'
import { mostTries } from '../../src/webhooks/judge-attempt.ts'
import { root } from '../support/deployment.ts'

const now = 1_800_000_000_000 as Instant

interface Row {
  readonly kind: 'stream' | 'webhook'
  readonly tries?: number
  readonly opens?: boolean
  readonly answer?: object
  /** When it was disabled; gone: there is none. */
  readonly client?: Instant | null | 'gone'
}

async function delivered(it: Row) {
  const { kind, tries = 1, opens = true, answer = ok({ status: 204, retryAfter: null }), client = null } = it
  const config = { url: 'https://there.example/in', clientId: 'web', events: ['*'] }
  const to = { tenant: root, id: 'r', kind, config, sealedSecret: Buffer.alloc(24), previous: null, failures: 0 }
  const row = {
    tenant: root,
    receiver: 'r',
    id: 'e',
    type: 'session.ended',
    attempts: 4,
    tries,
    payload: '{}',
    madeAt: now,
    queuedAt: now,
    to: { ...to, failingSince: null },
  }
  const rows = [row]
  const posted: unknown[] = []
  const settled: { outcome: JsonObject; events: readonly JsonObject[] }[] = []
  const taken: JsonObject[] = []
  const delivery = openEventDelivery({
    clock: { now: () => now, margin: 0, until: () => Promise.resolve() },
    ids: { id: () => 'id' },
    issuers: { issuerOf: () => 'https://as.example' },
    directory: {
      currentCatalogue: async () => ({}),
      currentClient: async (_: unknown, id: string) =>
        id === 'web' && client !== 'gone' ? { disabledAt: client } : null,
    },
    keyring: { signer: async () => ({ sign: async () => 'a.b.c' }) },
    vault: { open: () => (opens ? Buffer.alloc(24) : null) },
    outbound: { post: async (url: string, _: unknown, cause: object) => (posted.push([url, cause]), answer) },
    store: {
      events: { watch: () => () => {} },
      eventReceivers: { reading: async () => ({ cursor: 0, since: null }) },
      eventDeliveries: {
        due: async () => true,
        take: async (request: JsonObject) => (taken.push(request), rows.shift() ?? null),
        settle: async (_: unknown, outcome: JsonObject, events: readonly JsonObject[]) =>
          void settled.push({ outcome, events }),
      },
    },
  } as never)
  await delivery.deliverDue()
  await delivery.close()
  const [{ outcome, events } = assert.fail('nothing was settled')] = settled
  const told = events.map(({ name, reason, clientId, data, actor }) => ({ name, reason, clientId, data, actor }))
  return { posted, outcome, told, taken }
}

const away = err('unreachable')
const actor = { kind: 'system', id: null }

test('a stream is sent to for its client, a webhook for nobody; a row is its own for half a minute', async () => {
  const url = 'https://there.example/in'
  const stream = await delivered({ kind: 'stream' })
  assert.deepEqual(stream.posted, [[url, { purpose: 'shared_signals', clientId: 'web' }]])
  const webhook = await delivered({ kind: 'webhook' })
  assert.deepEqual(webhook.posted, [[url, { purpose: 'webhooks', clientId: null }]])
  assert.deepEqual([webhook.told, webhook.outcome['state']], [[], 'delivered'])
  assert.ok(Number.isInteger(webhook.outcome['latency']) && Number(webhook.outcome['latency']) < 60_000)
  assert.deepEqual(webhook.taken[0], { now, lease: 30_000, busy: [] })
})

test('what is given up is told, by whom it was meant for, and what was tried', async () => {
  const data = { id: 'e', type: 'session.ended', attempts: 4 }
  const stream = await delivered({ kind: 'stream', tries: mostTries, answer: away })
  const name = 'stream.undelivered'
  assert.deepEqual(stream.told, [
    { name, reason: 'unreachable', clientId: 'web', data: { stream: 'r', ...data }, actor },
  ])
  const webhook = await delivered({ kind: 'webhook', tries: mostTries, answer: away })
  assert.deepEqual(webhook.told, [
    { name: 'webhook.undelivered', reason: 'unreachable', clientId: null, data: { webhook: 'r', ...data }, actor },
  ])
  assert.deepEqual((await delivered({ kind: 'webhook', answer: away })).told, [], 'not while it is tried again')
})

test('a receiver that wants to hear no more is told of as disabled', async () => {
  const gone = ok({ status: 410, retryAfter: null })
  const webhook = await delivered({ kind: 'webhook', answer: gone })
  const about = { reason: 'gone', clientId: null, actor }
  assert.deepEqual(webhook.told, [{ name: 'webhook.disabled', ...about, data: { webhook: 'r', status: 410 } }])
  const stream = await delivered({ kind: 'stream', answer: gone })
  assert.deepEqual(stream.told, [
    { name: 'stream.disabled', ...about, clientId: 'web', data: { stream: 'r', status: 410 } },
  ])
})

test('nothing leaves for a client that is disabled or gone; a webhook is nobody’s', async () => {
  for (const client of [now, 'gone'] as const) {
    const { posted, outcome, told } = await delivered({ kind: 'stream', client })
    assert.deepEqual([posted, outcome['state'], outcome['latency']], [[], 'dead', null])
    assert.deepEqual(
      told.map(({ name, reason }) => [name, reason]),
      [['stream.undelivered', 'client_disabled']],
    )
    assert.equal((await delivered({ kind: 'webhook', client })).outcome['state'], 'delivered')
  }
})

test('what no key of ours opens goes nowhere, and has taken no time', async () => {
  const { posted, outcome } = await delivered({ kind: 'webhook', opens: false })
  assert.deepEqual([posted, outcome['error'], outcome['latency']], [[], 'unopened', null])
})
