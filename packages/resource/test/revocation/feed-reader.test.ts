/** Reading the feed: positions, gaps, resets, and when freshness may be claimed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FeedFrame, KeyMessage } from '@grantor/protocol/feed'
import type { Instant } from '@grantor/protocol/types'
import { FeedReader } from '../../src/revocation/feed-reader.ts'
import { RevocationView } from '../../src/revocation/revocation-view.ts'
import { Staleness } from '../../src/revocation/staleness.ts'

function reading() {
  const clock = { now: 100_000 }
  const view = new RevocationView({ leeway: 60_000, capacity: 1000, now: () => 0 })
  const staleness = new Staleness(() => clock.now)
  const keys: KeyMessage[] = []
  const reader = new FeedReader({ view, staleness, onKeyMessage: (message) => keys.push(message) })
  const snapshot = { issuer: 'i', issuedAt: 0 as Instant, asOf: 0 as Instant, messages: [] }
  reader.loadSnapshot({ ...snapshot, epoch: 'e', pos: 10 }, clock.now)
  const dead = (jti: string) =>
    view.isRevoked({
      tenant: null,
      jti,
      grantId: null,
      sessionId: null,
      subject: 'u',
      clientId: 'c',
      issuedAt: 0 as Instant,
    })
  return { clock, staleness, reader, keys, dead }
}

const at = (time: number) => time as Instant
const hello = (asOf: number, head = 10): FeedFrame => ({
  kind: 'hello',
  epoch: 'e',
  head,
  asOf: at(asOf),
  heartbeat: 5000,
  retention: 3600,
})
const hb = (pos: number, after: number, asOf: number): FeedFrame => ({
  kind: 'hb',
  epoch: 'e',
  pos,
  after,
  asOf: at(asOf),
})
const event = (pos: number, after: number, jti = `j${pos}`): FeedFrame => {
  return {
    kind: 'event',
    epoch: 'e',
    pos,
    after,
    message: { kind: 'revoke', tenant: null, jti, at: at(0), until: at(600_000) },
  }
}

test('A snapshot and hello claim no freshness; the heartbeat behind the replay does', () => {
  const { clock, staleness, reader } = reading()
  const take = reader.connection(clock.now)
  assert.equal(take(hello(7_000_000), clock.now), 'ok')
  assert.equal(take(event(11, 10), clock.now), 'ok')
  assert.equal(staleness.freshness(), 'cold')
  assert.equal(take(hb(12, 11, 7_000_000), clock.now), 'ok')
  assert.equal(staleness.freshness(), 'live')
  assert.deepEqual(reader.cursor, { epoch: 'e', pos: 12 })
})

test('A gap is noticed by an event and by a heartbeat; the cursor stays, nothing is claimed, but the event is applied', () => {
  for (const [frame, applied] of [
    [event(13, 12), true],
    [hb(13, 12, 1000), false],
  ] as const) {
    const { clock, staleness, reader, dead } = reading()
    const take = reader.connection(clock.now)
    take(hello(1000), clock.now)
    assert.equal(take(frame, clock.now), 'gap')
    assert.deepEqual(reader.cursor, { epoch: 'e', pos: 10 })
    assert.equal(staleness.freshness(), 'cold')
    assert.equal(dead('j13'), applied)
  }
})

test('What was read before does no harm when it comes again', () => {
  const { clock, reader } = reading()
  const take = reader.connection(clock.now)
  take(hello(1000), clock.now)
  for (const frame of [event(11, 10), event(12, 11), event(11, 10), event(10, 9)])
    assert.equal(take(frame, clock.now), 'ok')
  assert.deepEqual(reader.cursor, { epoch: 'e', pos: 12 })
})

const resets: Record<string, FeedFrame> = {
  'the server says so': { kind: 'reset', reason: 'retention' },
  'the epoch is another': { ...(hello(1000) as FeedFrame & { kind: 'hello' }), epoch: 'f' },
  'the log is shorter than what was read of it': hello(1000, 9),
}
for (const [why, frame] of Object.entries(resets)) {
  test(`Only a snapshot helps when ${why}`, () => {
    const { clock, reader } = reading()
    assert.equal(reader.connection(clock.now)(frame, clock.now), 'reset')
    assert.equal(reader.cursor, null)
  })
}

test('A stream that does not begin with hello is not believed', () => {
  const { clock, staleness, reader } = reading()
  assert.equal(reader.connection(clock.now)(hb(10, 10, 1000), clock.now), 'gap')
  assert.equal(staleness.freshness(), 'cold')
})

test('Age is counted from the reading of the log, not from the arrival: bytes that lay in a buffer make nothing fresh', () => {
  const { clock, staleness, reader } = reading()
  const take = reader.connection(clock.now)
  take(hello(1000), clock.now)
  // Read by the server 5 s after hello, but this process was stopped for ten minutes before it read them.
  clock.now += 600_000
  assert.equal(take(hb(10, 10, 6000), clock.now), 'ok')
  assert.equal(staleness.age(), 595_000)
  assert.equal(staleness.freshness(), 'stale')
})

test('The duration of the request counts as age: the server may have read the log at its very beginning', () => {
  const { clock, staleness, reader } = reading()
  const take = reader.connection(clock.now)
  clock.now += 4000
  take(hello(1000), clock.now)
  take(hb(10, 10, 1000), clock.now)
  assert.equal(staleness.age(), 4000)
})

test('A server whose clock jumps ahead makes nothing fresh, and is measured anew', () => {
  const { clock, staleness, reader } = reading()
  const take = reader.connection(clock.now)
  take(hello(1000), clock.now)
  assert.equal(take(hb(10, 10, 3_601_000), clock.now), 'recalibrate')
  assert.equal(staleness.freshness(), 'cold')
  assert.equal(take(hb(10, 10, 1500), clock.now), 'ok', 'a little ahead is drift')
  assert.equal(staleness.age(), 0)
})

test('LIVE up to 15 s, LAGGING up to 45 s, then STALE', () => {
  const clock = { now: 0 }
  const staleness = new Staleness(() => clock.now)
  staleness.claim(0, { askedAt: 0, asOf: 0 }, 0)
  const seen = [0, 15_000, 15_001, 45_000, 45_001].map((now) => {
    clock.now = now
    return staleness.freshness()
  })
  assert.deepEqual(seen, ['live', 'live', 'lagging', 'lagging', 'stale'])
})

test('News of keys is handed on, with its tenant', () => {
  const { clock, reader, keys } = reading()
  const take = reader.connection(clock.now)
  const message: KeyMessage = { kind: 'key', tenant: 'acme', kid: 'k', action: 'dropped', at: at(0) }
  take(hello(1000), clock.now)
  take({ kind: 'event', epoch: 'e', pos: 11, after: 10, message }, clock.now)
  assert.deepEqual(keys, [message])
})

test('A snapshot from after a clock was set back replaces what was known, wherever in it that stands', () => {
  const { clock, reader, dead } = reading()
  const take = reader.connection(clock.now)
  take(hello(0), clock.now)
  take(event(11, 10, 'before'), clock.now)
  assert.equal(dead('before'), true)
  const frame = event(0, 0, 'after')
  assert.ok(frame.kind === 'event' && frame.message.kind === 'revoke')
  const setBack = {
    kind: 'cutoff',
    tenant: null,
    dimension: 'issuer',
    key: null,
    at: at(0),
    issuedUpTo: at(0),
  } as const
  const messages = [frame.message, { ...setBack, until: at(600_000), supersedes: 'e1' }]
  reader.loadSnapshot({ issuer: 'i', issuedAt: at(0), asOf: at(0), messages, epoch: 'e', pos: 20 }, clock.now)
  assert.equal(dead('before'), false)
  assert.equal(dead('after'), true)
})
