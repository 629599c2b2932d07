/** The feed over a log that the test writes: whom it tells to start over, and why; what it tells whom; how often it signs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SealedEvent } from '@grantor/protocol/events'
import type { FeedFrame, FeedMessage } from '@grantor/protocol/feed'
import type { Instant, TenantId, TokenId } from '@grantor/protocol/types'
import { openFeed } from '../../src/feed/feed.ts'
import type { FeedEntry, LogPosition } from '../../src/feed/log-reader.ts'
import { openLogReader } from '../../src/feed/log-reader.ts'
import { root } from '../support/deployment.ts'

const acme = 'acme' as TenantId
const now = { milliseconds: 0, over: () => false }

const revocation = (jti: string, tenant: TenantId = root): FeedMessage =>
  ({ kind: 'revoke', tenant, jti, at: 1000, until: 2000 }) as unknown as FeedMessage
const sealed = (pos: number): SealedEvent =>
  ({
    tenant: root,
    actor: { kind: 'system', id: null },
    at: 1000,
    id: `e${pos}`,
    seq: pos,
    pos,
    name: 'token.revoked',
    jti: `t${pos}` as TokenId,
    data: { until: 2000 },
  }) as unknown as SealedEvent

function scene() {
  const log = {
    state: { epoch: 'e', head: 10, asOf: 1000 as Instant } as LogPosition,
    tail: [] as FeedEntry[] | null,
    listeners: new Set<() => void>(),
    stored: 0,
    signed: 0,
    fails: false,
    clock: 1000,
  }
  const feed = openFeed({
    clock: { now: () => log.clock as Instant, margin: 0, until: async () => {} },
    issuers: { issuerOf: (tenant: TenantId) => `https://as.example/${tenant}` },
    directory: { servedCatalogue: async (tenant: TenantId) => (tenant === 'nobody' ? null : { tenant }) },
    keyring: {
      async signer() {
        if (log.fails) throw new Error('away')
        log.signed += 1
        return { sign: async (typ: string, claims: unknown) => `${typ} ${JSON.stringify(claims)}` }
      },
    },
    feedLog: {
      rule: { longestTokenLife: 600 },
      monotonicClock: () => log.clock as Instant,
      follow() {},
      advance: async () => log.state,
      state: () => log.state,
      since: (after: number) => log.tail?.filter(({ pos }) => pos > after) ?? null,
      living: () => [revocation('of-root'), revocation('of-acme', acme), cutoff('issuer'), cutoff('tenant')],
      listen(heard: () => void) {
        log.listeners.add(heard)
        return () => void log.listeners.delete(heard)
      },
      close: async () => {},
    },
    store: {
      events: {
        feed: async ({ pos, limit }: { pos: number; limit: number }) =>
          Array.from({ length: Math.max(0, Math.min(limit, log.stored - pos)) }, (_, n) => sealed(pos + n + 1)),
      },
    },
  } as never)
  const hear = () => {
    for (const heard of log.listeners) heard()
  }
  return { log, feed, hear }
}

const cutoff = (dimension: string): FeedMessage =>
  ({ kind: 'cutoff', tenant: root, dimension, at: 1000, before: 1000, until: 2000 }) as unknown as FeedMessage

const brief = (frames: readonly FeedFrame[]): readonly string[] =>
  frames.map((frame) => {
    if (frame.kind === 'reset') return `reset ${frame.reason}`
    return frame.kind === 'event' || frame.kind === 'hb' ? `${frame.kind} ${frame.after}-${frame.pos}` : frame.kind
  })

test('Who comes from another life of the log, or from beyond its end, starts over', async () => {
  const { feed } = scene()
  for (const after of [
    { epoch: 'other', pos: 10 },
    { epoch: 'e', pos: 11 },
  ])
    assert.deepEqual(brief(await feed.page({ tenant: root, after }, now)), ['hello', 'reset epoch'])
  assert.deepEqual(brief(await feed.page({ tenant: root, after: { epoch: 'e', pos: 10 } }, now)), ['hello', 'hb 10-10'])
})

test('Hello says where the log stands, how often to expect a sign, and how long what is missed is kept', async () => {
  const [hello] = await scene().feed.page({ tenant: root, after: null }, now)
  assert.deepEqual(hello, { kind: 'hello', epoch: 'e', head: 10, asOf: 1000, heartbeat: 5000, retention: 7200 })
})

test('Who missed 20 000 messages reads them from the log; who missed one more starts over', async () => {
  for (const [missed, expected] of [
    [20_000, 20_000],
    [20_001, null],
  ] as const) {
    const { feed, log } = scene()
    Object.assign(log, { tail: null, stored: missed, state: { ...log.state, head: missed } })
    const frames = await feed.page({ tenant: root, after: { epoch: 'e', pos: 0 } }, now)
    if (expected === null) assert.deepEqual(brief(frames), ['hello', 'reset retention'])
    else {
      const told = frames.filter(({ kind }) => kind === 'event')
      assert.equal(told.length, expected)
      assert.deepEqual(brief(told.slice(999, 1001)), ['event 999-1000', 'event 1000-1001'])
    }
  }
})

test('What came after the head was read belongs to a later page', async () => {
  const { feed, log } = scene()
  Object.assign(log, { tail: null, stored: 12 })
  const frames = await feed.page({ tenant: root, after: { epoch: 'e', pos: 8 } }, now)
  assert.deepEqual(brief(frames), ['hello', 'event 8-9', 'event 9-10', 'hb 10-10'])
  log.tail = [9, 10, 11].map((pos) => ({ pos, message: revocation(`t${pos}`) }))
  const again = await feed.page({ tenant: root, after: { epoch: 'e', pos: 8 } }, now)
  assert.deepEqual(brief(again), ['hello', 'event 8-9', 'event 9-10', 'hb 10-10'])
})

for (const [what, change, reason] of [
  ['falls behind the tail', { tail: null }, 'retention'],
  ['meets another life of the log', { state: { epoch: 'new', head: 20, asOf: 2000 } }, 'epoch'],
  ['meets a log that is shorter than what it read', { state: { epoch: 'e', head: 9, asOf: 2000 } }, 'retention'],
] as const)
  test(`A stream that ${what} is told to start over, once`, async () => {
    const { feed, log, hear } = scene()
    const sent: (readonly string[])[] = []
    await feed.open({ tenant: root, after: null }, (frames) => sent.push(brief(frames)))
    assert.equal(log.listeners.size, 1)
    Object.assign(log, change)
    hear()
    hear()
    assert.deepEqual(sent, [['hello', 'hb 10-10'], [`reset ${reason}`]])
    assert.equal(log.listeners.size, 0)
  })

test('A stream that begins with a reset listens for nothing', async () => {
  const { feed, log } = scene()
  const sent: (readonly string[])[] = []
  const end = await feed.open({ tenant: root, after: { epoch: 'x', pos: 1 } }, (frames) => sent.push(brief(frames)))
  assert.deepEqual(sent, [['hello', 'reset epoch']])
  assert.equal(log.listeners.size, 0)
  end()
})

test('A stream hears its news at once, a sign of life as a heartbeat is due, and nothing of others', async () => {
  const { feed, log, hear } = scene()
  const sent: (readonly string[])[] = []
  const end = await feed.open({ tenant: acme, after: null }, (frames) => sent.push(brief(frames)))
  sent.length = 0
  const moves = (head: number, asOf: number, message?: FeedMessage) => {
    log.state = { epoch: 'e', head, asOf: asOf as Instant }
    log.tail = message === undefined ? [] : [{ pos: head, message }]
    hear()
    return sent.splice(0)
  }
  assert.deepEqual(moves(11, 1500, revocation('x', acme)), [['event 10-11', 'hb 11-11']])
  assert.deepEqual(moves(12, 1600, revocation('x')), [], 'another tenant’s')
  assert.deepEqual(moves(13, 1700, cutoff('issuer')), [['event 11-13', 'hb 13-13']])
  assert.deepEqual(moves(14, 1800, cutoff('tenant')), [])
  assert.deepEqual(moves(14, 1700 + 4989), [])
  assert.deepEqual(moves(14, 1700 + 4990), [['hb 13-14']])
  end()
  assert.equal(log.listeners.size, 0)
})

test('A long poll ends with news for its tenant, with another life of the log, or when nobody waits', async () => {
  for (const [change, over, expected] of [
    [{ tail: [{ pos: 11, message: revocation('x', acme) }] }, false, ['hello', 'event 10-11', 'hb 11-11']],
    [{ tail: [{ pos: 11, message: revocation('x') }] }, true, ['hello', 'hb 10-11']],
    [{ state: { epoch: 'new', head: 11, asOf: 2000 } }, false, ['hello', 'reset epoch']],
  ] as const) {
    const { feed, log, hear } = scene()
    const polling = feed.page({ tenant: acme, after: null }, { milliseconds: 300_000, over: () => over })
    while (log.listeners.size === 0) await new Promise(setImmediate)
    let done = false
    void polling.then(() => (done = true))
    log.state = { ...log.state, head: 11 }
    log.tail = [{ pos: 11, message: revocation('of another') }]
    if (!over) {
      hear()
      await new Promise(setImmediate)
      assert.equal(done, false, 'nothing for this one')
    }
    Object.assign(log, change)
    if ('tail' in change) log.state = { ...log.state, head: 12 }
    if ('tail' in change) log.tail = change.tail.map(({ message }) => ({ pos: 12, message }))
    hear()
    const frames = brief(await polling)
    assert.deepEqual(
      frames.map((frame) => frame.replaceAll('11', '12')),
      expected.map((frame) => frame.replaceAll('11', '12')),
    )
    assert.equal(log.listeners.size, 0)
  }
})

test('One snapshot a second is signed for each tenant: its own, and what concerns the whole deployment', async () => {
  const { feed, log } = scene()
  const of = (jwt: string | null): string => jwt ?? ''
  const first = of(await feed.snapshot(acme))
  assert.ok(first.startsWith('revsnap+jwt '))
  assert.ok(first.includes('of-acme') && !first.includes('of-root') && first.includes('https://as.example/acme'))
  log.clock += 999
  assert.equal(await feed.snapshot(acme), first)
  assert.equal(log.signed, 1)
  assert.ok(of(await feed.snapshot(root)).includes('of-acme'), 'the root’s has all')
  assert.equal(log.signed, 2)
  log.clock += 1
  await feed.snapshot(acme)
  assert.equal(log.signed, 3)
  await feed.snapshot(root)
  assert.equal(log.signed, 3, 'that of another tenant still serves')
  assert.equal(await feed.snapshot('nobody' as TenantId), null)
  log.clock += 2000
  log.fails = true
  await assert.rejects(feed.snapshot(acme))
  log.fails = false
  await feed.snapshot(acme)
  assert.equal(log.signed, 4, 'one that failed is not kept')
})

test('The tail keeps up to 20 000 messages, and half of them once there are more', async () => {
  const log = { head: 0, now: 1_000_000 }
  const reader = openLogReader({
    store: {
      epoch: async () => 'e',
      events: {
        position: async () => log.head,
        feed: async ({ pos, limit }: { pos: number; limit: number }) =>
          Array.from({ length: Math.max(0, Math.min(limit, log.head - pos)) }, (_, n) => sealed(pos + n + 1)),
        feedBefore: async () => [],
      },
    } as never,
    rule: { longestTokenLife: 600 },
    clock: { now: () => log.now as Instant },
    monotonicClock: () => log.now as Instant,
  })
  await reader.advance()
  log.head = 20_000
  await reader.advance()
  assert.equal(reader.since(0)?.length, 20_000)
  log.head = 20_001
  await reader.advance()
  assert.equal(reader.since(0), null)
  assert.equal(reader.since(10_000), null)
  assert.equal(reader.since(10_001)?.length, 10_000)
  assert.equal(reader.since(10_001)?.[0]?.pos, 10_002)
  await reader.close()
})
