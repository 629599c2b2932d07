/** What the client of the feed asks for, when it asks again, and when it lets go: with a network that is a function. */
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import {
  encodeFeedFrame,
  encodeFeedPage,
  encodeFeedSnapshot,
  type FeedFrame,
  feedFrameText,
  validatorHeader,
} from '@grantor/protocol/feed'
import type { Instant } from '@grantor/protocol/types'
import type { ClientToken } from '../../src/issuer/client-token.ts'
import { GivenKeys } from '../../src/issuer/given-keys.ts'
import type { Outbound, OutboundRequest } from '../../src/issuer/outbound.ts'
import type { Metrics } from '../../src/metrics.ts'
import type { FeedAcknowledgements } from '../../src/revocation/acknowledgements.ts'
import type { RevocationFeedOptions } from '../../src/revocation/feed-options.ts'
import type { FeedRelay } from '../../src/revocation/feed-relay.ts'
import { RevocationFeed } from '../../src/revocation/revocation-feed.ts'
import { FakeTime } from '../fake-time.ts'
import { jws, signingKey } from '../tokens.ts'

const issuer = 'https://as.example'
const key = signingKey('k')

interface Ask {
  readonly path: string
  readonly accept: string
  readonly limit: number | { readonly bytes: number; readonly milliseconds: number }
  readonly headers: Readonly<Record<string, string>>
}

/** Bytes as they are pushed, until whoever reads gives up. */
function pushed(signal: AbortSignal) {
  const waiting: string[] = []
  let wake = () => {}
  async function* body(): AsyncIterable<Uint8Array> {
    for (;;) {
      const next = waiting.shift()
      if (next !== undefined) yield Buffer.from(next)
      else if (signal.aborted) throw new Error('aborted')
      else
        await new Promise<void>((resolve) => {
          wake = resolve
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
    }
  }
  return { body: body(), push: (text: string) => (waiting.push(text), wake()) }
}

function scene(t: TestContext, more: Partial<RevocationFeedOptions> = {}) {
  const time = new FakeTime()
  /** 0: no answer at all. */
  const status = { snapshot: 200, stream: 200, changes: 200, token: 'held' as string | null }
  const asks: Ask[] = []
  const [unusable, gauges, counts, lags]: [string[], Map<string, () => number>, string[], number[]] = [
    [],
    new Map(),
    [],
    [],
  ]
  const open = new Set<(frame: FeedFrame) => void>()
  const seen = { forgotten: 0, snapshot: {} as Record<string, unknown>, pos: 0, discarded: 0 }
  const asked = (ask: OutboundRequest, limit: Ask['limit']): 'snapshot' | 'stream' | 'changes' => {
    const { pathname, search } = new URL(ask.url)
    asks.push({ path: pathname + search, accept: ask.headers?.['accept'] ?? '', limit, headers: ask.headers ?? {} })
    return pathname.split('/').at(-1) as 'snapshot'
  }
  const hello = (): FeedFrame =>
    ({ kind: 'hello', epoch: 'e', head: seen.pos, asOf: time.now(), heartbeat: 5000, retention: 3600 }) as const
  const heartbeat = (): FeedFrame => ({ kind: 'hb', epoch: 'e', pos: seen.pos, after: seen.pos, asOf: time.now() })
  const snapshot = () => {
    const now = time.now()
    const claims = encodeFeedSnapshot({ issuer, issuedAt: now, epoch: 'e', pos: seen.pos, asOf: now, messages: [] })
    return jws(key, { typ: 'revsnap+jwt', alg: key.alg, kid: key.kid }, { ...claims, ...seen.snapshot })
  }
  const outbound: Outbound = {
    unusable: (url, why) => unusable.push(`${url as string} ${why}`),
    over() {},
    fetchWhole(ask, limit) {
      const what = asked(ask, limit)
      const page = JSON.stringify(encodeFeedPage({ frames: [hello(), heartbeat()] }))
      const text = what === 'snapshot' ? snapshot() : page
      return Promise.resolve(status[what] === 0 ? null : { status: status[what], header: () => null, text })
    },
    fetchStream(ask, limit) {
      asked(ask, limit)
      const signal = ask.signal as AbortSignal
      const { body, push } = pushed(signal)
      const send = (frame: FeedFrame) => push(feedFrameText(encodeFeedFrame(frame)))
      if (status.stream === 200) {
        open.add(send)
        signal.addEventListener('abort', () => open.delete(send))
        send(hello())
        send(heartbeat())
      }
      const discard = () => void (seen.discarded += 1)
      const answer = { status: status.stream, header: () => null, body, discard }
      return Promise.resolve(status.stream === 0 ? null : answer)
    },
  }
  const token = { get: () => Promise.resolve(status.token), forget: () => void (seen.forgotten += 1) }
  const metrics: Metrics = {
    count: (name, labels) => counts.push(`${name} ${labels?.['issuer']} ${labels?.['result']}`),
    observe: (name, value) => void (name === 'rs_revocation_lag_seconds' && lags.push(value)),
    gauge: (name, labels, read) => void gauges.set(`${name} ${labels?.['issuer']}`, read),
  }
  const feed = new RevocationFeed({
    issuer,
    token: token as unknown as ClientToken,
    outbound,
    time,
    metrics,
    random: () => 1,
    keys: new GivenKeys({ keys: [key.jwk] }),
    refreshKeys: () => Promise.resolve(),
    onKeyMessage() {},
    concerns: () => true,
    transport: 'stream',
    limits: { lagging: 15_000, stale: 45_000 },
    leeway: 60_000,
    capacity: 1000,
    acknowledgements: null,
    relay: null,
    address: issuer,
    ...more,
  })
  t.after(() => feed.close())
  const begin = async () => {
    feed.start()
    await time.advance(0)
  }
  const live = async (milliseconds: number) => {
    for (let left = milliseconds; left > 0; left -= 5000) {
      await time.advance(Math.min(left, 5000))
      for (const send of open) send(heartbeat())
      await time.advance(0)
    }
  }
  const paths = () => asks.map(({ path }) => path)
  return { time, status, asks, paths, unusable, gauges, counts, lags, open, seen, feed, begin, live }
}

const [snapshotPath, streamPath] = ['/revocations/snapshot', '/revocations/stream']

test('It begins with a snapshot and follows the stream from its position: each asked for by its type, within bounds', async (t) => {
  const { begin, asks, seen, feed } = scene(t)
  seen.pos = 7
  await begin()
  const common = { authorization: 'Bearer held', 'cache-control': 'no-cache' }
  assert.deepEqual(asks, [
    {
      path: snapshotPath,
      accept: 'application/jwt',
      limit: { bytes: 67_108_864, milliseconds: 30_000 },
      headers: { accept: 'application/jwt', ...common },
    },
    {
      path: streamPath,
      accept: 'text/event-stream',
      limit: 5000,
      headers: { accept: 'text/event-stream', ...common, 'last-event-id': 'e.7' },
    },
  ])
  assert.equal(feed.freshness(), 'live')
})

test('By pages it waits twenty seconds for each, and the answer has five more', async (t) => {
  const { begin, asks, feed } = scene(t, { transport: 'poll' })
  await begin()
  assert.deepEqual(asks.slice(1), [
    {
      path: '/revocations/changes?after=e.0&wait=20',
      accept: 'application/json',
      limit: { bytes: 16_777_216, milliseconds: 25_000 },
      headers: { accept: 'application/json', authorization: 'Bearer held', 'cache-control': 'no-cache' },
    },
  ])
  assert.equal(feed.freshness(), 'live')
})

test('A stream is given up after an hour, however lively, and taken up again', async (t) => {
  const { begin, live, paths, time, open } = scene(t)
  await begin()
  await live(3_599_999)
  assert.equal(paths().filter((path) => path === streamPath).length, 1)
  assert.equal(open.size, 1)
  await time.advance(1)
  assert.equal(open.size, 0)
  await time.advance(100)
  assert.equal(paths().filter((path) => path === streamPath).length, 2)
})

test('A stream that is silent for three heartbeats is given up', async (t) => {
  const { begin, live, time, open } = scene(t)
  await begin()
  await live(10_000)
  await time.advance(14_999)
  assert.equal(open.size, 1)
  await time.advance(1)
  assert.equal(open.size, 0)
})

test('While the issuer fails it is asked ever more rarely, up to two seconds apart; news make it quick again', async (t) => {
  const { begin, time, asks, status, open, live } = scene(t)
  status.snapshot = 500
  const times: number[] = []
  const start = time.monotonic()
  let known = 0
  await begin()
  for (let passed = 0; passed < 9000; passed += 50) {
    for (; known < asks.length; known += 1) times.push(time.monotonic() - start)
    await time.advance(50)
  }
  assert.deepEqual(times, [0, 200, 600, 1400, 3000, 5000, 7000, 9000].slice(0, times.length))
  assert.ok(times.length >= 7)
  status.snapshot = 200
  await time.advance(2000)
  assert.equal(open.size, 1)
  await live(5000)
  await time.advance(15_000)
  const before = asks.filter(({ path }) => path === streamPath).length
  await time.advance(99)
  assert.equal(asks.filter(({ path }) => path === streamPath).length, before)
  await time.advance(1)
  assert.equal(asks.filter(({ path }) => path === streamPath).length, before + 1)
})

test('Beside a stream that is dead a page is asked for every two and a half seconds, and none while it lives', async (t) => {
  const { begin, time, paths, live, status } = scene(t)
  await begin()
  await live(20_000)
  const pages = () => paths().filter((path) => path.startsWith('/revocations/changes'))
  assert.deepEqual(pages(), [])
  Object.assign(status, { stream: 503, changes: 503 })
  await time.advance(15_000)
  assert.deepEqual(pages(), [])
  await time.advance(2499)
  assert.deepEqual(pages(), [])
  await time.advance(1)
  const page = '/revocations/changes?after=e.0&wait=0'
  assert.deepEqual(pages(), [page])
  await time.advance(2500)
  assert.deepEqual(pages(), [page, page])
})

for (const [status, forgets] of [
  [401, true],
  [403, true],
  [404, false],
  [500, false],
  [503, false],
] as const) {
  test(`An answer ${status} ${forgets ? 'costs the access token' : 'leaves the access token alone'}`, async (t) => {
    for (const where of ['snapshot', 'stream', 'changes'] as const) {
      const { begin, status: answers, seen } = scene(t, where === 'changes' ? { transport: 'poll' } : {})
      answers[where] = status
      await begin()
      assert.equal(seen.forgotten, forgets ? 1 : 0, where)
      assert.equal(seen.discarded, where === 'stream' ? 1 : 0, where)
    }
  })
}

test('Without an access token nothing is asked', async (t) => {
  const { begin, status, asks, time, counts } = scene(t)
  status.token = null
  await begin()
  await time.advance(1000)
  assert.deepEqual(asks, [])
  assert.equal(counts[0], `rs_feed_connections_total ${issuer} failed`)
})

for (const [what, claims, why] of [
  ['of another issuer', { iss: 'https://other.example' }, 'issuer'],
  ['older than an hour', { iat: Math.floor(Date.parse('2026-11-15T08:59:59Z') / 1000) }, 'age'],
  ['of a time to come', { iat: Math.floor(Date.parse('2026-11-15T10:01:01Z') / 1000) }, 'age'],
  ['without a position', { pos: undefined }, 'malformed'],
] as const) {
  test(`A snapshot ${what} is not used, and the operator hears why`, async (t) => {
    const { begin, seen, unusable, feed, paths } = scene(t)
    seen.snapshot = claims
    await begin()
    assert.deepEqual(unusable, [`${issuer}${snapshotPath} the snapshot of the revocation feed cannot be used (${why})`])
    assert.deepEqual(paths(), [snapshotPath])
    assert.equal(feed.freshness(), 'cold')
  })
}

for (const iat of ['2026-11-15T09:00:00Z', '2026-11-15T10:01:00Z'])
  test(`A snapshot of ${iat} at ten is used`, async (t) => {
    const { begin, seen, unusable, feed } = scene(t)
    seen.snapshot = { iat: Math.floor(Date.parse(iat) / 1000) }
    await begin()
    assert.deepEqual(unusable, [])
    assert.equal(feed.freshness(), 'live')
  })

test('It measures its connections, how old its knowledge is, how much it holds, and how late a revocation came', async (t) => {
  const { begin, gauges, counts, lags, open, time, seen } = scene(t)
  await begin()
  await time.advance(3000)
  assert.equal(gauges.get(`rs_revocation_staleness_seconds ${issuer}`)?.(), 3)
  assert.equal(gauges.get(`rs_revocation_entries ${issuer}`)?.(), 0)
  const at = (time.now() - 1500) as Instant
  const message = { kind: 'revoke', tenant: null, jti: 'x', at, until: (at + 600_000) as Instant } as const
  for (const send of open) send({ kind: 'event', epoch: 'e', pos: 1, after: 0, message })
  seen.pos = 1
  await time.advance(0)
  assert.equal(gauges.get(`rs_revocation_entries ${issuer}`)?.(), 1)
  assert.deepEqual(lags, [1.5])
  for (const send of open) send({ kind: 'reset', reason: 'epoch' })
  await time.advance(0)
  assert.deepEqual(counts, [`rs_feed_connections_total ${issuer} reset`])
})

for (const where of ['snapshot', 'stream', 'changes'] as const)
  test(`An issuer that does not answer for its ${where} is counted as failed, and asked again`, async (t) => {
    const { begin, status, counts, time, feed } = scene(t, where === 'changes' ? { transport: 'poll' } : {})
    status[where] = 0
    await begin()
    assert.deepEqual(counts, [`rs_feed_connections_total ${issuer} failed`])
    status[where] = 200
    await time.advance(200)
    assert.equal(feed.freshness(), 'live')
  })

test('Connections that are over leave nothing behind that waits', async (t) => {
  const { begin, open, time, seen, status } = scene(t)
  await begin()
  // One that lives: its silence, its age, the look beside it.
  assert.equal(time.waiting, 3)
  for (let n = 0; n < 5; n += 1) {
    for (const send of open) send({ kind: 'hb', epoch: 'e', pos: seen.pos + 9, after: seen.pos + 8, asOf: time.now() })
    await time.advance(100)
    await time.advance(400)
  }
  assert.equal(time.waiting, 3)
  status.stream = 503
  for (const send of open) send({ kind: 'reset', reason: 'epoch' })
  await time.advance(1000)
  assert.equal(time.waiting, 2)
})

test('What is heard is handed on as it comes, but for what leaves a gap; and what was taken in is acknowledged', async (t) => {
  const handed: unknown[] = []
  const relay = {
    begin: (cursor: unknown) => handed.push(['begin', cursor]),
    take: ({ kind }: FeedFrame) => handed.push(kind),
    flush: (knownUpTo: number) => handed.push(['flush', knownUpTo]),
  } as unknown as FeedRelay
  const heard: unknown[] = []
  const acknowledgements = {
    validator: 'v1',
    heard: (cursor: unknown, news: boolean) => heard.push([cursor, news]),
    start: () => heard.push('start'),
    close: () => heard.push('close'),
  } as unknown as FeedAcknowledgements
  const { begin, open, time, asks, feed } = scene(t, { relay, acknowledgements })
  const start = time.monotonic()
  await begin()
  for (const { headers } of asks) assert.equal(headers[validatorHeader], 'v1')
  assert.deepEqual(handed.splice(0), [
    ['begin', { epoch: 'e', pos: 0 }],
    'hello',
    ['flush', -Infinity],
    'hb',
    ['flush', start],
  ])
  const at = (pos: number) => ({ epoch: 'e', pos })
  assert.deepEqual(heard.splice(0), ['start', [at(0), true], [at(0), false], [at(0), false]])
  const message = { kind: 'revoke', tenant: null, jti: 'x', at: time.now(), until: time.now() } as const
  for (const send of open) send({ kind: 'event', epoch: 'e', pos: 1, after: 0, message })
  await time.advance(0)
  assert.deepEqual([handed.splice(0), heard.splice(0)], [['event', ['flush', start]], [[at(1), true]]])
  for (const send of open) send({ kind: 'event', epoch: 'e', pos: 9, after: 8, message })
  await time.advance(0)
  assert.deepEqual([handed, heard], [[], []])
  await feed.close()
  assert.deepEqual(heard, ['close'])
})
