/** What the outbound remembers: copies for their age, the last good one a day longer, failures for a moment. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fetched, OutboundError } from '@grantor/authority'
import { err, ok, type Result } from '@grantor/protocol/result'
import { maxAgeOf } from '../../src/outbound/freshness.ts'
import { staleLifetime, createDocumentCache } from '../../src/outbound/document-cache.ts'

const away = err<OutboundError>('unreachable')

/** A memory over a clock that stands still, and a source that says `next` and counts. */
function open(bounds = { entries: 100, bytes: 10_000 }) {
  const it = { now: 1_000_000, fetches: 0, next: 'v1' as string | typeof away, maxAge: 600 }
  const memory = createDocumentCache(() => it.now, bounds)
  const fetch = async (): Promise<Result<Fetched, OutboundError>> => {
    it.fetches++
    const { next, maxAge } = it
    return typeof next === 'string' ? ok({ type: 'a/b', body: Buffer.from(next), fetchedAt: it.now, maxAge }) : next
  }
  const recall = async (key = 'key', noOlderThan?: number) => {
    const answer = await memory.get(key, noOlderThan, fetch)
    return answer.kind === 'ok' ? Buffer.from(answer.value.body).toString() : answer.error
  }
  return Object.assign(it, { memory, recall })
}

test('a copy is used for its age, then fetched again', async () => {
  const it = open()
  assert.equal(await it.recall(), 'v1')
  it.next = 'v2'
  it.now += 600_000
  assert.equal(await it.recall(), 'v1')
  it.now += 1
  assert.equal(await it.recall(), 'v2')
  assert.equal(it.fetches, 2)
})

test('fifty who ask at once are one fetch', async () => {
  const it = open()
  const answers = await Promise.all(Array.from({ length: 50 }, () => it.recall()))
  assert.deepEqual([new Set(answers), it.fetches], [new Set(['v1']), 1])
})

test('who wants a newer copy gets one, but nobody is asked more often than every ten seconds', async () => {
  const it = open()
  await it.recall()
  it.next = 'v2'
  it.now += 9_999
  assert.equal(await it.recall('key', 0), 'v1')
  it.now += 1
  assert.equal(await it.recall('key', 60), 'v1', 'a copy that is new enough is one')
  assert.equal(await it.recall('key', 0), 'v2')
  it.next = away
  it.now += 10_000
  for (let i = 0; i < 20; i++) assert.equal(await it.recall('key', 0), 'v2')
  assert.equal(it.fetches, 3)
})

test('where nothing newer can be had the last good copy goes on for a day beyond its age, then there is none', async () => {
  const it = open()
  await it.recall()
  it.next = away
  it.now += 600_000 + staleLifetime
  assert.equal(await it.recall(), 'v1')
  it.now += 10_001
  assert.equal(await it.recall(), 'unreachable')
  it.next = 'v2'
  it.now += 5_000
  assert.equal(await it.recall(), 'v2')
})

test('a clock that is set back makes no copy young for ever, and no failure', async () => {
  const it = open()
  await it.recall()
  it.next = 'v2'
  it.now -= 600_001
  assert.equal(await it.recall(), 'v2')
  it.next = away
  it.now -= 600_000 + staleLifetime + 1
  assert.equal(await it.recall(), 'unreachable')
  it.next = 'v3'
  it.now -= 5_000
  assert.equal(await it.recall(), 'v3')
})

test('a failure is remembered for five seconds', async () => {
  const it = open()
  it.next = away
  assert.equal(await it.recall(), 'unreachable')
  it.next = 'v1'
  it.now += 4_999
  assert.equal(await it.recall(), 'unreachable')
  it.now += 1
  assert.equal(await it.recall(), 'v1')
  assert.equal(it.fetches, 2)
})

test('a fetch that throws leaves nothing behind that would throw again', async () => {
  const it = open()
  await assert.rejects(it.memory.get('key', undefined, () => Promise.reject(new Error('a bug'))))
  assert.equal(await it.recall(), 'v1')
})

test('memory is bounded in entries and bytes: what was not asked for the longest goes first', async () => {
  const few = open({ entries: 2, bytes: 10_000 })
  for (const key of ['a', 'b', 'a', 'c']) await few.recall(key)
  assert.equal(few.fetches, 3)
  await few.recall('a')
  assert.equal(few.fetches, 3, 'a was asked for lately')
  await few.recall('b')
  assert.equal(few.fetches, 4)

  const small = open({ entries: 100, bytes: 250 })
  small.next = 'x'.repeat(100)
  for (const key of ['a', 'b', 'c', 'c', 'b']) await small.recall(key)
  assert.equal(small.fetches, 3)
  await small.recall('a')
  assert.equal(small.fetches, 4)
})

test('RFC 9111 §5.2.2: max-age counts between a minute and a day; without one it is an hour', () => {
  const table: readonly (readonly [string | undefined, number])[] = [
    [undefined, 3600],
    ['', 3600],
    ['max-age=0', 60],
    ['max-age=59', 60],
    ['public, max-age=900', 900],
    ['Max-Age="120"', 120],
    ['max-age=99999999', 86_400],
    ['max-age=9999999999999999', 3600],
    ['max-age=-5', 3600],
    ['s-maxage=10', 3600],
    ['no-store', 60],
    ['no-cache, max-age=900', 60],
  ]
  assert.deepEqual(
    table.map(([header]) => maxAgeOf(header)),
    table.map(([, seconds]) => seconds),
  )
})
