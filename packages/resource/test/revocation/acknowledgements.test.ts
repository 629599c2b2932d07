/** What a validator tells of how far it has heard: soon after news, now and then without, once when it goes, and no more. */
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { acknowledgementPath } from '@grantor/protocol/feed'
import type { ClientToken } from '../../src/issuer/client-token.ts'
import type { Outbound } from '../../src/issuer/outbound.ts'
import { FeedAcknowledgements } from '../../src/revocation/acknowledgements.ts'
import { FakeTime } from '../fake-time.ts'

interface Answer {
  readonly status: number
  readonly retryAfter?: string
}

/** An issuer that answers as it is told, and what was sent to it. */
function open(t: TestContext, random = 0) {
  const time = new FakeTime()
  const sent: { at: number; query: URLSearchParams; header: unknown }[] = []
  const state = { answer: { status: 204 } as Answer | null, access: 'access' as string | null, forgotten: 0 }
  const began = time.mono
  const outbound = {
    fetchWhole(ask: { url: string; method: string; headers: { authorization: string } }, limit: object) {
      const url = new URL(ask.url)
      assert.deepEqual([url.pathname, ask.method], [acknowledgementPath, 'POST'])
      assert.deepEqual(limit, { bytes: 16_384, milliseconds: 5000 })
      sent.push({ at: time.mono - began, query: url.searchParams, header: ask.headers.authorization })
      const { answer } = state
      if (answer === null) return Promise.resolve(null)
      return Promise.resolve({ status: answer.status, header: () => answer.retryAfter ?? null })
    },
  } as unknown as Outbound
  const token = {
    get: () => Promise.resolve(state.access),
    forget: () => (state.forgotten += 1),
  } as unknown as ClientToken
  const address = 'https://as.example'
  const acknowledgements = new FeedAcknowledgements({
    address,
    token,
    outbound,
    time,
    random: () => random,
    closesAfter: 55_000,
  })
  acknowledgements.start()
  t.after(async () => {
    const closing = acknowledgements.close()
    await time.advance(1)
    await closing
  })
  const times = () => sent.splice(0).map(({ at }) => at)
  return { time, sent, state, acknowledgements, times }
}

const heardAt = (pos: number) => ({ epoch: 'e1', pos })

test('news is told of at once, with how far, since when and for how long it is gone on without more', async (t) => {
  const { time, sent, acknowledgements } = open(t)
  acknowledgements.heard(heardAt(7), true)
  await time.advance(0)
  const [first] = sent
  assert.equal(first?.header, 'Bearer access')
  assert.deepEqual(Object.fromEntries(first.query), {
    validator: acknowledgements.validator,
    position: 'e1.7',
    delay: '0',
    closes_after: '55',
  })
})

test('however much is heard, it is told of once a second', async (t) => {
  const { time, acknowledgements, times } = open(t)
  for (let n = 0; n < 30; n++) {
    acknowledgements.heard(heardAt(n), true)
    await time.advance(0)
    await time.advance(100)
  }
  assert.deepEqual(times(), [0, 1000, 2000, 3000])
})

for (const [random, every] of [
  [0, 42_000],
  [1, 57_000],
] as const)
  test(`without news it says that it is there, sooner than a minute is over (${every} ms)`, async (t) => {
    const { time, sent, acknowledgements, times } = open(t, random)
    await time.advance(100_000)
    assert.deepEqual(times(), [], 'before it has heard anything there is nothing to tell')
    acknowledgements.heard(heardAt(3), false)
    await time.advance(200_000)
    const ats = sent.map(({ at }) => at)
    const gaps = ats.slice(1).map((at, n) => at - (ats[n] ?? 0))
    assert.ok(gaps.length >= 2 && gaps.every((gap) => gap === every + 1000), gaps.join(' '))
    assert.ok(sent.every(({ query }) => query.get('delay') === '3600000' || Number(query.get('delay')) > 0))
  })

test('what fails is said again, no sooner than the issuer asks for', async (t) => {
  for (const [answer, again] of [
    [null, 5000],
    [{ status: 500 }, 5000],
    [{ status: 503, retryAfter: '2' }, 5000],
    [{ status: 503, retryAfter: '30' }, 30_000],
    [{ status: 503, retryAfter: 'soon' }, 5000],
  ] as const) {
    const { time, state, acknowledgements, times } = open(t)
    state.answer = answer
    acknowledgements.heard(heardAt(1), true)
    await time.advance(0)
    await time.advance(again)
    assert.deepEqual(times(), [0, again], JSON.stringify(answer))
    state.answer = { status: 204 }
    await time.advance(again)
    assert.deepEqual(times(), [2 * again], 'and once more')
    await time.advance(30_000)
    assert.deepEqual(times(), [], 'it is told')
  }
})

test('an issuer that does not know of it is left alone for ten minutes', async (t) => {
  for (const status of [404, 405]) {
    const { time, state, acknowledgements, times } = open(t)
    state.answer = { status }
    acknowledgements.heard(heardAt(1), true)
    await time.advance(0)
    acknowledgements.heard(heardAt(2), true)
    await time.advance(599_999)
    assert.deepEqual(times(), [0])
    await time.advance(1)
    assert.deepEqual(times(), [600_000])
  }
})

test('a token that is refused is not shown again; without one nothing is said', async (t) => {
  const { time, state, acknowledgements, times } = open(t)
  state.answer = { status: 401 }
  acknowledgements.heard(heardAt(1), true)
  await time.advance(0)
  assert.deepEqual([state.forgotten, times()], [1, [0]])
  state.answer = { status: 403 }
  state.access = null
  await time.advance(20_000)
  assert.deepEqual([state.forgotten, times()], [1, []])
  state.access = 'another'
  await time.advance(5000)
  assert.equal(times().length, 1)
  assert.equal(state.forgotten, 1, 'another refusal says nothing of the token')
})

test('who is known says goodbye, and who is not does not', async (t) => {
  const known = open(t)
  known.acknowledgements.heard(heardAt(1), true)
  await known.time.advance(0)
  await known.acknowledgements.close()
  assert.deepEqual(
    known.sent.map(({ query }) => query.get('leaves')),
    [null, 'true'],
  )
  const unknown = open(t)
  unknown.state.answer = { status: 500 }
  unknown.acknowledgements.heard(heardAt(1), true)
  await unknown.time.advance(0)
  await unknown.acknowledgements.close()
  assert.equal(unknown.sent.length, 1)
})
