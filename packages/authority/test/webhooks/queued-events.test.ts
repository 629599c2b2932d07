/** Who is told of which event, from where in the log on, and by whose secret a message is signed: over stores that are tables. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SealedEvent } from '@grantor/protocol/events'
import type { JsonObject } from '@grantor/protocol/types'
import { isOwnMessage, webhookSecretOf } from '@grantor/protocol/webhooks'
import type { EventDeliveryStore, NewEventDelivery } from '@grantor/store'
import { queueEvents } from '../../src/webhooks/queue-events.ts'
import { webhookConfig, webhookMessage, webhookSecretContext } from '../../src/webhooks/webhook-delivery.ts'

const hook = (id: string, more: object = {}) => ({
  kind: 'webhook',
  tenant: 'acme',
  id,
  sincePos: 0,
  config: { url: 'https://hooks.example/', events: ['session'], description: null },
  ...more,
})
const event = (pos: number, more: Partial<SealedEvent> = {}) =>
  ({
    id: `e${pos}`,
    pos,
    tenant: 'acme',
    name: 'session.ended',
    at: pos * 1000,
    subject: 'ada',
    clientId: null,
    data: null,
    actor: { kind: 'user', id: 'ada' },
    ...more,
  }) as unknown as SealedEvent

async function queued(
  events: readonly SealedEvent[],
  receivers: readonly ReturnType<typeof hook>[],
  reading: { cursor: number; since: number | null; elsewhere?: number },
) {
  const state = {
    ...reading,
    pages: [] as number[][],
    asked: [] as string[],
    gone: [] as unknown[],
    commits: [] as number[],
  }
  const told: NewEventDelivery[] = []
  let most = 0
  const store = {
    eventReceivers: {
      reading: async () => ({ cursor: state.cursor, since: state.since }),
      listening: async (tenant: string) => (state.asked.push(tenant), receivers.filter((it) => it.tenant === tenant)),
    },
    eventDeliveries: {
      news: async (from: number, limit: number) => (
        state.pages.push([from, limit]),
        events.filter(({ pos }) => pos > from).slice(0, limit)
      ),
      async derive({ from, to, deliveries, removed = [] }: Parameters<EventDeliveryStore['derive']>[0]) {
        assert.equal(from, state.cursor)
        if (to === reading.elsewhere) {
          state.cursor = to
          return 'elsewhere'
        }
        state.commits.push(to)
        state.gone.push(...removed)
        most = Math.max(most, deliveries.length)
        state.cursor = to
        told.push(...deliveries)
        return 'derived'
      },
    },
  }
  const isHeard = await queueEvents({ store } as never)
  return { isHeard, most, told: told.map(({ receiver, id }) => `${receiver} ${id}`), rows: told, ...state }
}

test('nobody listens: nothing is read, and that is said', async () => {
  const { isHeard, pages } = await queued([event(1)], [], { cursor: 0, since: null })
  assert.deepEqual([isHeard, pages], [false, []])
})

test('each event goes to whoever of its tenant wants it and was there before it', async () => {
  const receivers = [
    hook('a'),
    hook('late', { sincePos: 2 }),
    hook('other', { tenant: 'other' }),
    hook('deaf', { config: { events: ['token'] } }),
  ]
  const events = [
    event(1),
    event(2),
    event(3),
    event(4, { tenant: 'other' as never }),
    event(5, { name: 'client.updated' }),
  ]
  const { isHeard, told, cursor, asked, rows } = await queued(events, receivers, { cursor: 0, since: 0 })
  assert.deepEqual([isHeard, told, cursor], [true, ['a e1', 'a e2', 'a e3', 'late e3', 'other e4'], 5])
  assert.deepEqual(asked, ['acme', 'other'], 'each tenant is looked up once')
  const { payload, ...row } = rows[0] ?? assert.fail()
  assert.deepEqual(row, {
    tenant: 'acme',
    receiver: 'a',
    id: 'e1',
    pos: 1,
    type: 'session.ended',
    orderKey: 'subject ada',
    madeAt: 1000,
  })
  assert.equal((JSON.parse(payload) as JsonObject)['type'], 'session.ended')
})

test('it is read from where it was read to, or from where the first who listens began; page by page', async () => {
  const all = Array.from({ length: 1001 }, (_, n) => event(n + 1))
  const long = await queued(all, [hook('a')], { cursor: 0, since: 0 })
  assert.deepEqual(
    [long.told.length, long.cursor, long.pages],
    [
      1001,
      1001,
      [
        [0, 500],
        [500, 500],
        [1000, 500],
      ],
    ],
  )
  assert.deepEqual((await queued(all, [hook('a')], { cursor: 990, since: 5 })).told.length, 11)
  assert.deepEqual((await queued(all, [hook('a')], { cursor: 0, since: 1000 })).told, ['a e1001'])
  const none = await queued([], [hook('a')], { cursor: 7, since: 0 })
  assert.deepEqual([none.isHeard, none.cursor], [true, 7])
})

test('however many listen, a commit queues no more than a thousand and those of one event', async () => {
  const receivers = Array.from({ length: 100 }, (_, n) => hook(`r${n}`))
  const events = Array.from({ length: 30 }, (_, n) => event(n + 1))
  const { most, told, cursor, pages, asked, commits } = await queued(events, receivers, { cursor: 0, since: 0 })
  assert.deepEqual([most, told.length, new Set(told).size, cursor], [1_100, 3_000, 3_000, 30])
  assert.deepEqual(commits, [11, 22, 30])
  assert.deepEqual([pages, asked], [[[0, 500]], ['acme']], 'and reads them once')
})

test('where another node has gone on with a page, it is read anew', async () => {
  const receivers = Array.from({ length: 100 }, (_, n) => hook(`r${n}`))
  const events = Array.from({ length: 30 }, (_, n) => event(n + 1))
  const { told, commits } = await queued(events, receivers, { cursor: 0, since: 0, elsewhere: 22 })
  assert.deepEqual([commits, told.length], [[11, 30], 1_900])
})

test('of whom it was told that they are removed, what streams called them is forgotten with it', async () => {
  const about = { name: 'admin.user_changed', data: { removed: true, cutoff: true } } as const
  const events = [
    event(1, about),
    event(2, { ...about, data: { cutoff: true } }),
    event(3, { ...about, name: 'admin.group_changed', subject: null }),
    event(4, { ...about, subject: 'bob', tenant: 'other' as never }),
  ]
  const { gone } = await queued(events, [hook('a')], { cursor: 0, since: 0 })
  assert.deepEqual(gone, [
    { tenant: 'acme', subject: 'ada' },
    { tenant: 'other', subject: 'bob' },
  ])
})

const [current, before] = [Buffer.alloc(24, 1), Buffer.alloc(24, 2)]
const now = 1_700_000_000_000
/** A vault that opens what was sealed for that webhook, and nothing else. */
const vault = {
  open: (sealed: Uint8Array, context: string) => (context === 'webhook acme a' && sealed.length === 24 ? sealed : null),
} as never
const message = (to: object) =>
  webhookMessage(
    { to: { tenant: 'acme', id: 'a', sealedSecret: current, previous: null, ...to }, id: 'd1', payload: '{}' } as never,
    vault,
    now as never,
  )
const isSignedBy = (it: ReturnType<typeof message>, key: Uint8Array) =>
  it !== null && isOwnMessage({ headers: it.headers, content: it.content, secrets: [webhookSecretOf(key)], now })

test('a message is signed by the secret, and by the one before while that is good', () => {
  const alone = message({})
  assert.deepEqual(
    [alone?.type, alone?.content, isSignedBy(alone, current), isSignedBy(alone, before)],
    ['application/json', '{}', true, false],
  )
  const both = message({ previous: { sealed: before, until: now + 1 } })
  assert.deepEqual([isSignedBy(both, current), isSignedBy(both, before)], [true, true])
  const over = message({ previous: { sealed: before, until: now } })
  assert.deepEqual([isSignedBy(over, current), isSignedBy(over, before)], [true, false])
  assert.equal(message({ sealedSecret: null }), null)
  assert.equal(message({ sealedSecret: Buffer.alloc(1) }), null)
  assert.equal(message({ id: 'b' }), null, 'sealed for another')
  assert.equal(isSignedBy(message({ previous: { sealed: Buffer.alloc(1), until: now + 1 } }), current), true)
})

test('what is kept of a webhook is its address, its events and its description', () => {
  const settings = { url: 'https://hooks.example/', events: ['*'], description: 'x', status: 'enabled' } as const
  assert.deepEqual(webhookConfig(settings), { url: settings.url, events: ['*'], description: 'x' })
  assert.notEqual(
    webhookSecretContext({ tenant: 'a' as never, id: 'b' }),
    webhookSecretContext({ tenant: 'b' as never, id: 'b' }),
  )
})
