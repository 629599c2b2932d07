/** The tail of the log behind the feed: nothing twice, nothing lost, nothing forgotten while it matters. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SealedEvent } from '@grantor/protocol/events'
import type { FeedFrame } from '@grantor/protocol/feed'
import type { Instant, TenantId, TokenId } from '@grantor/protocol/types'
import { openLogReader } from '../../src/feed/log-reader.ts'
import { declare, openDeployment, operator, root, tokenFrom } from '../support/deployment.ts'

/** A log in memory whose reads can be made to fail. */
function logOf() {
  const events: SealedEvent[] = []
  const it = {
    epochName: 'one',
    /** Reads of `feed` that succeed before one fails; null: none fails. */
    failAfter: null as number | null,
    now: 1_000_000,
    append(more: Partial<SealedEvent>): void {
      const pos = events.length + 1
      const base = { tenant: root, actor: { kind: 'system', id: null }, at: it.now, id: `e${pos}`, seq: pos, pos }
      events.push({ ...base, ...more } as unknown as SealedEvent)
    },
    revoke(jti: string, until = 1_600_000): void {
      it.append({ name: 'token.revoked', jti: jti as TokenId, data: { until } })
    },
    store: {
      epoch: async () => it.epochName,
      events: {
        position: async () => events.length,
        async feed({ pos, limit }: { readonly pos: number; readonly limit: number }) {
          if (it.failAfter !== null && it.failAfter-- === 0) {
            it.failAfter = null
            throw new Error('the database is away')
          }
          return events.filter((event) => event.pos > pos).slice(0, limit)
        },
        feedBefore: async ({ pos, limit }: { readonly pos: number; readonly limit: number }) =>
          events
            .filter((event) => event.pos <= pos)
            .toReversed()
            .slice(0, limit),
      },
    },
    tail: () =>
      openLogReader({
        store: it.store as never,
        rule: { longestTokenLife: 600 },
        clock: { now: () => it.now as Instant },
        monotonicClock: () => it.now as Instant,
      }),
  }
  return it
}

const positions = (messages: readonly { readonly pos: number }[] | null): readonly number[] | undefined =>
  messages?.map(({ pos }) => pos)

describe('the tail of the log', () => {
  test('a reading that fails half way is made again, and tells nothing twice', async () => {
    const log = logOf()
    const tail = log.tail()
    await tail.advance()
    for (let n = 0; n < 1200; n++) log.revoke(`t${n}`)
    log.failAfter = 1
    await assert.rejects(tail.advance(), /away/)
    const state = await tail.advance()
    assert.equal(state.head, 1200)
    assert.deepEqual(
      positions(tail.since(0)),
      Array.from({ length: 1200 }, (_, n) => n + 1),
    )
    assert.equal(tail.living(log.now as Instant).length, 1200)
    assert.equal((await tail.advance()).head, 1200)
    assert.equal(tail.since(0)?.length, 1200, 'where nothing is new nothing is forgotten')
    await tail.close()
  })

  test('whoever begins reads back over any number of pages, and leaves no revocation out between two', async () => {
    const log = logOf()
    for (let n = 0; n < 1501; n++) log.revoke(`t${n}`)
    const tail = log.tail()
    assert.equal((await tail.advance()).head, 1501)
    const living = tail.living(log.now as Instant)
    assert.deepEqual(
      living.map((message) => (message.kind === 'revoke' ? message.jti : null)),
      Array.from({ length: 1501 }, (_, n) => `t${n}`),
    )
    await tail.close()
  })

  test('of a tail that grew too long the newer half is kept, and who is further behind is told so', async () => {
    const log = logOf()
    const tail = log.tail()
    await tail.advance()
    for (let n = 0; n < 20_000; n++) log.revoke(`t${n}`)
    await tail.advance()
    assert.equal(tail.since(0)?.length, 20_000)
    log.revoke('one more')
    await tail.advance()
    assert.equal(tail.since(0), null)
    assert.equal(tail.since(10_000), null)
    assert.equal(tail.since(10_001)?.length, 10_000)
    assert.deepEqual(positions(tail.since(20_000)), [20_001])
    assert.deepEqual(positions(tail.since(20_001)), [])
    await tail.close()
  })

  test('callers at the same time share readings that began after they called', async () => {
    const log = logOf()
    const tail = log.tail()
    const first = tail.advance()
    log.revoke('while it reads')
    const [, second, third] = await Promise.all([first, tail.advance(), tail.advance()])
    assert.equal(second, third)
    assert.equal(second?.head, 1)
    await tail.close()
  })

  test('a revocation is kept as long as a validator with the longest leeway could accept its token', async () => {
    const log = logOf()
    log.revoke('ends soon', 1_100_000)
    const tail = log.tail()
    await tail.advance()
    for (const [now, held] of [
      [1_100_000, 1],
      [1_399_999, 1],
      [1_400_000, 0],
    ] as const) {
      log.now = now
      await tail.advance()
      assert.equal(tail.living(now as Instant).length, held, `at ${now}`)
    }
    await tail.close()
  })

  test('what was said before the clock was set back is about dead tokens, and matters to nobody who starts anew', async () => {
    for (const order of ['reads on', 'begins'] as const) {
      const log = logOf()
      const tail = log.tail()
      log.now = 4_600_000
      log.revoke('at the wrong time', 5_200_000)
      if (order === 'reads on') await tail.advance()
      log.now = 1_000_000
      log.append({ name: 'clock.set_back' })
      log.revoke('at the right time')
      await tail.advance()
      const living = tail.living(log.now as Instant)
      assert.deepEqual(
        living.map((message) => (message.kind === 'revoke' ? message.jti : message.supersedes)),
        ['e2', 'at the right time'],
        order,
      )
      await tail.close()
    }
  })

  test('a snapshot reaches back past events that say an earlier time than those before them', async () => {
    const log = logOf()
    log.now = 3_000_000
    log.revoke('still matters', 3_600_000)
    // As much as a clock may waver without having been set.
    for (let n = 0; n < 501; n++) {
      log.now = 3_000_000 - 59_000
      log.revoke(`t${n}`, 3_600_000)
    }
    log.now = 3_000_000 + 900_000 - 30_000
    const tail = log.tail()
    await tail.advance()
    const living = tail.living(log.now as Instant)
    assert.ok(living.some((message) => message.kind === 'revoke' && message.jti === 'still matters'))
    await tail.close()
  })

  test('another life of the log takes nothing over from the one before', async () => {
    const log = logOf()
    const tail = log.tail()
    await tail.advance()
    log.revoke('of the first life')
    await tail.advance()
    assert.deepEqual(positions(tail.since(0)), [1])
    log.epochName = 'two'
    assert.equal((await tail.advance()).epoch, 'two')
    assert.equal(tail.since(0), null, 'who stands before the new beginning starts over')
    assert.deepEqual(tail.since(1), [])
    await tail.close()
  })
})

describe('an open stream of the feed', () => {
  test('begins with hello, then each message follows on the one before, under concurrent revocations', async () => {
    const deployment = await openDeployment()
    await declare(deployment)
    const tokens = await Promise.all(
      Array.from({ length: 20 }, () => tokenFrom(deployment.authority, 'scope=invoices:read')),
    )
    const frames: FeedFrame[] = []
    const revoke = (token: string) => deployment.authority.admin.tokens.revoke(operator, root, token)
    const revoking = Promise.all(tokens.slice(0, 10).map(revoke))
    const end = await deployment.authority.feed.open({ tenant: root, after: null }, (more) => void frames.push(...more))
    await Promise.all([revoking, ...tokens.slice(10).map(revoke)])
    const last = await deployment.store.events.position()
    const deadline = performance.now() + 60_000
    while (!frames.some((frame) => frame.kind === 'event' && frame.pos === last)) {
      assert.ok(performance.now() < deadline, 'the last of them never came')
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    end()
    assert.equal(frames[0]?.kind, 'hello')
    let pos: number | null = null
    for (const frame of frames) {
      if (frame.kind !== 'event' && frame.kind !== 'hb') continue
      if (pos !== null) assert.equal(frame.after, pos)
      pos = frame.pos
    }
    const told = frames.flatMap((frame) => (frame.kind === 'event' ? [frame.pos] : []))
    assert.equal(new Set(told).size, told.length)
  })

  test('a tenant that is not there has no snapshot', async () => {
    const deployment = await openDeployment()
    await declare(deployment)
    assert.equal(await deployment.authority.feed.snapshot('nobody' as TenantId), null)
    assert.notEqual(await deployment.authority.feed.snapshot(root), null)
  })
})
