/** The relay of the feed, without a network: what its readers are told, and that nothing looks younger than it is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FeedFrame } from '@grantor/protocol/feed'
import type { Instant } from '@grantor/protocol/types'
import { FeedReader } from '../../src/revocation/feed-reader.ts'
import { FeedRelay } from '../../src/revocation/feed-relay.ts'
import type { RevocableToken } from '../../src/revocation/revocation-source.ts'
import { RevocationView } from '../../src/revocation/revocation-view.ts'
import { Staleness } from '../../src/revocation/staleness.ts'
import { FakeTime } from '../fake-time.ts'

const epoch = 'e1'
const until = (10 ** 13) as Instant

const revoke = (pos: number, after = pos - 1): FeedFrame => {
  const message = { kind: 'revoke', tenant: null, jti: `t${pos}`, at: 0 as Instant, until } as const
  return { kind: 'event', epoch, pos, after, message }
}
const hello = (head: number): FeedFrame => ({
  kind: 'hello',
  epoch,
  head,
  asOf: 0 as Instant,
  heartbeat: 5000,
  retention: 60,
})
const beat = (pos: number): FeedFrame => ({ kind: 'hb', epoch, pos, after: pos, asOf: 0 as Instant })

/** A relay that has read a snapshot at 10 and is connected. */
function started(time: FakeTime): FeedRelay {
  const relay = new FeedRelay(time)
  relay.begin({ epoch, pos: 10 })
  for (const frame of [hello(10), beat(10)]) relay.take(frame)
  relay.flush(time.monotonic())
  return relay
}

/** A validator beyond it. */
function readerOf(time: FakeTime, pos: number) {
  const staleness = new Staleness(() => time.monotonic())
  const view = new RevocationView({ leeway: 0, capacity: 100, now: () => time.now() })
  const reader = new FeedReader({ view, staleness, onKeyMessage() {} })
  const snapshot = { issuer: 'https://as.example', issuedAt: time.now(), epoch, pos, asOf: time.now(), messages: [] }
  reader.loadSnapshot(snapshot, time.monotonic())
  const take = reader.connection(time.monotonic())
  const readings: string[] = []
  const send = (frames: readonly FeedFrame[]) => {
    for (const frame of frames) readings.push(take(frame, time.monotonic()))
  }
  return { staleness, reader, readings, send, view }
}

const silent = { isRevoked: () => false, revision: () => 0, hasNewsOf: () => false }

test('a reader is told what came after its place, in order and without a gap, and what comes from then on', async () => {
  const time = new FakeTime()
  const relay = started(time)
  for (const frame of [revoke(11), revoke(14, 11)]) relay.take(frame)
  relay.flush(time.monotonic())
  const it = readerOf(time, 12)
  const leave = await relay.open({ epoch, pos: 12 }, it.send)
  assert.equal(it.reader.cursor?.pos, 14)
  relay.take(revoke(15, 14))
  // Heard again, by a page beside the stream.
  relay.take(revoke(14, 11))
  relay.flush(time.monotonic())
  assert.equal(it.reader.cursor?.pos, 15)
  assert.deepEqual(new Set(it.readings), new Set(['ok']))
  assert.equal(it.view.entries, 2)
  assert.notEqual(leave, 'unavailable')
  if (leave !== 'unavailable') leave()
  relay.take(revoke(16))
  relay.flush(time.monotonic())
  assert.equal(it.reader.cursor?.pos, 15, 'nothing after it left')
})

test('what was heard long ago is as old to whoever connects now, and to one that was there before', async () => {
  const time = new FakeTime()
  const relay = started(time)
  const before = readerOf(time, 10)
  await relay.open({ epoch, pos: 10 }, before.send)
  const heardAt = time.monotonic()
  await time.advance(40_000)
  const now = readerOf(time, 10)
  await relay.open({ epoch, pos: 10 }, now.send)
  const paged = readerOf(time, 10)
  const page = await relay.page({ epoch, pos: 10 }, 0)
  assert.notEqual(page, 'unavailable')
  if (page !== 'unavailable') paged.send(page)
  for (const { staleness } of [before, now, paged]) {
    assert.ok(staleness.age() >= 40_000, String(staleness.age()))
    assert.ok(staleness.age() < 40_010, String(staleness.age()))
  }
  // Pages and other words of an issuer that claim nothing newer make nothing newer.
  relay.flush(heardAt)
  await time.advance(6_000)
  for (const { staleness } of [before, now, paged]) assert.equal(staleness.freshness(), 'stale')
  relay.take(beat(10))
  relay.flush(time.monotonic())
  for (const { staleness } of [before, now]) assert.equal(staleness.freshness(), 'live')
})

test('a page that waits is as fresh as what it waited for, and ends when there is something', async () => {
  const time = new FakeTime()
  const relay = started(time)
  const it = readerOf(time, 10)
  const waiting = relay.page({ epoch, pos: 10 }, 20_000)
  await time.advance(0)
  await time.advance(8_000)
  relay.take(revoke(11))
  relay.flush(time.monotonic())
  const page = await waiting
  if (page !== 'unavailable') it.send(page)
  assert.equal(it.reader.cursor?.pos, 11)
  assert.ok(it.staleness.age() < 10)
  const quiet = relay.page({ epoch, pos: 11 }, 20_000)
  await time.advance(0)
  await time.advance(20_000)
  const empty = await quiet
  assert.deepEqual(empty === 'unavailable' ? [] : empty.map(({ kind }) => kind), ['hello', 'hb'])
})

test('who stands before its beginning, in another epoch, or nowhere starts over; so does everybody when the relay does', async () => {
  const time = new FakeTime()
  const relay = started(time)
  const told: FeedFrame[][] = []
  const send = (frames: readonly FeedFrame[]) => void told.push([...frames])
  for (const after of [{ epoch, pos: 9 }, { epoch: 'e2', pos: 11 }, null]) await relay.open(after, send)
  assert.deepEqual(told.splice(0), [
    [{ kind: 'reset', reason: 'retention' }],
    [{ kind: 'reset', reason: 'epoch' }],
    [{ kind: 'reset', reason: 'retention' }],
  ])
  assert.deepEqual(await relay.page({ epoch, pos: 9 }, 1000), [{ kind: 'reset', reason: 'retention' }])
  await relay.open({ epoch, pos: 10 }, send)
  told.splice(0)
  relay.begin({ epoch: 'e2', pos: 50 })
  assert.deepEqual(told, [[{ kind: 'reset', reason: 'epoch' }]])
  relay.take({ ...revoke(51), epoch: 'e2' } as FeedFrame)
  relay.flush(time.monotonic())
  assert.equal(told.length, 1, 'who is sent away hears nothing more')
})

test('a relay that has heard nothing yet says so; one whose reader is ahead of it catches up first', async () => {
  const time = new FakeTime()
  const nothing = new FeedRelay(time)
  assert.equal(await nothing.open({ epoch, pos: 1 }, () => assert.fail('nothing is told')), 'unavailable')
  assert.equal(await nothing.page(null, 0), 'unavailable')
  assert.equal(await nothing.snapshot(), null)
  assert.equal(nothing.freshness(), 'cold')
  const relay = started(time)
  const it = readerOf(time, 12)
  const opening = relay.open({ epoch, pos: 12 }, it.send)
  await time.advance(100)
  for (const frame of [revoke(11), revoke(13, 11)]) relay.take(frame)
  relay.flush(time.monotonic())
  await opening
  assert.deepEqual([...new Set(it.readings)], ['ok'])
  assert.equal(it.reader.cursor?.pos, 13)
  const never = relay.open({ epoch, pos: 99 }, () => assert.fail('nothing is told'))
  await time.advance(0)
  await time.advance(5_000)
  assert.equal(await never, 'unavailable')
})

test('thousands that start over at once cost the issuer one snapshot; one that could not be had is asked for again', async () => {
  const time = new FakeTime()
  const relay = started(time)
  let asked = 0
  let text: string | null = null
  const source = { ...silent, freshness: () => 'live' as const, age: () => 0 }
  relay.attach({ ...source, fetchSnapshot: async () => ((asked += 1), text) }, async () => null)
  assert.equal(await relay.snapshot(), null)
  text = 'signed'
  assert.deepEqual(await Promise.all(Array.from({ length: 100 }, () => relay.snapshot())), Array(100).fill('signed'))
  assert.equal(asked, 2)
  await time.advance(5_001)
  await relay.snapshot()
  assert.equal(asked, 3)
})

test('what is heard twice is handed on once, and forgotten with the epoch it was of', async () => {
  const time = new FakeTime()
  const relay = started(time)
  for (const frame of [revoke(11), revoke(11), revoke(10, 9)]) relay.take(frame)
  relay.flush(time.monotonic())
  const told: FeedFrame[] = []
  await relay.open({ epoch, pos: 10 }, (frames) => void told.push(...frames))
  assert.deepEqual(
    told.map((frame) => [frame.kind, 'pos' in frame ? frame.pos : frame.kind === 'hello' && frame.head]),
    [
      ['hello', 11],
      ['event', 11],
      ['hb', 11],
    ],
  )
  relay.begin({ epoch, pos: 20 })
  assert.deepEqual(await relay.page({ epoch, pos: 19 }, 0), [{ kind: 'reset', reason: 'retention' }])
  const page = await relay.page({ epoch, pos: 20 }, 0)
  assert.deepEqual(page === 'unavailable' ? page : page.map(({ kind }) => kind), ['hello', 'hb'])
})

test('readers that stand at different places are each told what they lack, and one that lacks nothing only of a later moment', async () => {
  const time = new FakeTime()
  const relay = started(time)
  relay.take(revoke(11))
  relay.flush(time.monotonic())
  const told: Record<'early' | 'late', string[]> = { early: [], late: [] }
  const note = (who: 'early' | 'late') => (frames: readonly FeedFrame[]) =>
    void told[who].push(...frames.map((frame) => ('pos' in frame ? `${frame.kind} ${frame.pos}` : frame.kind)))
  await relay.open({ epoch, pos: 10 }, note('early'))
  await relay.open({ epoch, pos: 11 }, note('late'))
  assert.deepEqual(told, { early: ['hello', 'event 11', 'hb 11'], late: ['hello', 'hb 11'] })
  told.early = []
  told.late = []
  relay.flush(time.monotonic())
  assert.deepEqual(told, { early: [], late: [] })
  relay.take(revoke(12))
  relay.flush(time.monotonic())
  assert.deepEqual(told, { early: ['event 12'], late: ['event 12'] })
  await time.advance(1000)
  relay.flush(time.monotonic())
  assert.deepEqual(told, { early: ['event 12', 'hb 12'], late: ['event 12', 'hb 12'] })
})

test('a relay keeps a hundred thousand events; beyond, the older half is forgotten, and who stands there starts over', async () => {
  const time = new FakeTime()
  const relay = started(time)
  for (let pos = 11; pos <= 100_010; pos += 1) relay.take(revoke(pos))
  relay.flush(time.monotonic())
  const kinds = async (pos: number) => {
    const page = await relay.page({ epoch, pos }, 0)
    return page === 'unavailable' ? [] : page.map(({ kind }) => kind)
  }
  assert.equal((await kinds(10)).length, 100_002)
  relay.take(revoke(100_011))
  relay.flush(time.monotonic())
  assert.deepEqual(await kinds(50_009), ['reset'])
  assert.equal((await kinds(50_010)).length, 50_003)
  for (let pos = 100_012; pos <= 150_011; pos += 1) relay.take(revoke(pos))
  relay.flush(time.monotonic())
  assert.deepEqual(await kinds(100_009), ['reset'], 'and so on')
  assert.equal((await kinds(100_010)).length, 50_003)
})

test('who is connected is told all that came together, also where that is more than is kept', async () => {
  const time = new FakeTime()
  const relay = started(time)
  let told: readonly FeedFrame[] = []
  await relay.open({ epoch, pos: 10 }, (frames) => (told = frames))
  for (let pos = 11; pos <= 150_010; pos += 1) relay.take(revoke(pos))
  relay.flush(time.monotonic())
  assert.equal(told.filter(({ kind }) => kind === 'event').length, 150_000)
})

test('a page that waits ends when the relay starts over, and one that needs not wait does not', async () => {
  const time = new FakeTime()
  const relay = started(time)
  const waiting = relay.page({ epoch, pos: 10 }, 20_000)
  await time.advance(10)
  relay.begin({ epoch: 'e2', pos: 3 })
  relay.flush(time.monotonic())
  assert.deepEqual(await waiting, [{ kind: 'reset', reason: 'epoch' }])
  assert.equal(time.waiting, 0)
  const other = started(time)
  other.take(revoke(11))
  other.flush(time.monotonic())
  for (const [pos, wait] of [
    [10, 20_000],
    [11, 0],
    [9, 20_000],
  ] as const)
    assert.notEqual(await other.page({ epoch, pos }, wait), 'unavailable')
})

test('a relay answers for tokens as the validator does that it belongs to, and hands acknowledgements on with their own token', async () => {
  const relay = new FeedRelay(new FakeTime())
  const token = { jti: 'a' } as RevocableToken
  assert.deepEqual(
    [relay.isRevoked(token), relay.age(), await relay.acknowledge('q', 'Bearer x')],
    [false, Infinity, null],
  )
  const handed: unknown[] = []
  const answer = { status: 204, header: () => null, text: '' }
  const unattached = relay.revision()
  assert.equal(relay.hasNewsOf(token, 0), false)
  let heard = 0
  const upstream: Parameters<FeedRelay['attach']>[0] = {
    isRevoked: ({ jti }) => jti === 'a',
    revision: () => heard,
    hasNewsOf: ({ jti }, since) => jti === 'a' && since < 5,
    freshness: () => 'lagging',
    age: () => 7,
    fetchSnapshot: async () => 's',
  }
  relay.attach(upstream, async (...given) => (handed.push(given), answer))
  const revisions = [unattached, relay.revision()]
  heard += 1
  revisions.push(relay.revision())
  relay.attach({ ...upstream, revision: () => 1 }, async (...given) => (handed.push(given), answer))
  revisions.push(relay.revision())
  assert.equal(new Set(revisions).size, 4, 'another feed has heard other things')
  assert.deepEqual(
    [relay.hasNewsOf(token, 4), relay.hasNewsOf(token, 5), relay.hasNewsOf({ ...token, jti: 'b' }, 4)],
    [true, false, false],
  )
  assert.deepEqual([relay.isRevoked(token), relay.isRevoked({ ...token, jti: 'b' })], [true, false])
  assert.deepEqual([relay.freshness(), relay.age(), await relay.snapshot()], ['lagging', 7, 's'])
  assert.equal(await relay.acknowledge('q', 'Bearer x'), answer)
  assert.deepEqual(handed, [['q', 'Bearer x']])
})

test('a snapshot is used for five seconds, and no longer once the relay itself has started over', async () => {
  const time = new FakeTime()
  const relay = started(time)
  let asked = 0
  const source = { ...silent, freshness: () => 'live' as const, age: () => 0 }
  relay.attach({ ...source, fetchSnapshot: async () => `signed ${(asked += 1)}` }, async () => null)
  assert.equal(await relay.snapshot(), 'signed 1')
  await time.advance(5000)
  assert.equal(await relay.snapshot(), 'signed 1')
  relay.begin({ epoch, pos: 30 })
  assert.equal(await relay.snapshot(), 'signed 2')
})
