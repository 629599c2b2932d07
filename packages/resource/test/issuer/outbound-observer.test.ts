/** What whoever observes the requests to an issuer hears: of answers, of failures with their names, of nothing else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Concern,
  createOutbound,
  isAllowedAddress,
  type SeenAnswer,
  type Transport,
} from '../../src/issuer/outbound.ts'
import { FakeTime } from '../fake-time.ts'

const url = 'https://as.example/x'
const limit = { bytes: 10, milliseconds: 5000 }

function scene(transport: Transport) {
  const time = new FakeTime()
  const failed: string[] = []
  const answered: SeenAnswer[] = []
  const unusable: (readonly [Concern | string, string])[] = []
  const over: Concern[] = []
  const outbound = createOutbound(transport, time, {
    failed: (_, code) => failed.push(code),
    answered: (_, answer) => answered.push(answer),
    unusable: (what, why) => unusable.push([what, why]),
    over: (concern) => over.push(concern),
  })
  return { time, failed, answered, unusable, over, outbound }
}

const answering =
  (status: number, text = '', headers: Readonly<Record<string, string>> = {}): Transport =>
  () =>
    Promise.resolve({
      status,
      header: (name) => headers[name] ?? null,
      body: (async function* () {
        yield Buffer.from(text)
      })(),
      discard() {},
    })

test('an address that is not allowed is not asked, and told as such', async () => {
  const { failed, outbound } = scene(() => assert.fail('nobody is asked'))
  assert.equal(await outbound.fetchWhole({ url: 'http://as.example' }, limit), null)
  assert.equal(await outbound.fetchStream({ url: 'http://as.example' }, 10), null)
  assert.deepEqual(failed, ['address', 'address'])
})

test('time that is up is told as timeout, and who gives up itself has no trouble', async () => {
  const waiting: Transport = ({ signal }) =>
    new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('aborted')))
    })
  const { failed, outbound, time } = scene(waiting)
  const late = outbound.fetchWhole({ url }, limit)
  await time.advance(4999)
  assert.deepEqual(failed, [])
  await time.advance(1)
  assert.equal(await late, null)
  assert.deepEqual(failed, ['timeout'])
  const own = new AbortController()
  const given = outbound.fetchStream({ url, signal: own.signal }, 5000)
  own.abort()
  assert.equal(await given, null)
  assert.deepEqual(failed, ['timeout'])
})

for (const [what, error, code] of [
  ['a code of Node', Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  [
    'a code in the cause, as of fetch',
    Object.assign(new TypeError('x'), { cause: { code: 'ENOTFOUND' } }),
    'ENOTFOUND',
  ],
  ['no code', new Error('x'), 'no answer'],
  ['a code that is no text', Object.assign(new Error('x'), { code: 7 }), 'no answer'],
] as const)
  test(`a failure with ${what} is told as ${code}`, async () => {
    const { failed, outbound } = scene(() => Promise.reject(error))
    assert.equal(await outbound.fetchWhole({ url }, limit), null)
    assert.deepEqual(failed, [code])
  })

test('an answer as long as may be is read, a longer one is told as too large', async () => {
  const fits = scene(answering(200, 'x'.repeat(10)))
  assert.equal((await fits.outbound.fetchWhole({ url }, limit))?.text.length, 10)
  assert.deepEqual(fits.failed, [])
  const large = scene(answering(200, 'x'.repeat(11)))
  assert.equal(await large.outbound.fetchWhole({ url }, limit), null)
  assert.deepEqual([large.failed, large.answered], [['too_large'], []])
})

test('of an answer its date, the age that a cache gave it and the times of question and answer are told', async () => {
  const { answered, outbound, time } = scene(answering(200, '', { date: 'a date', age: '12' }))
  await outbound.fetchWhole({ url }, limit)
  await outbound.fetchStream({ url }, 10)
  const at = time.now()
  const expected = { status: 200, date: 'a date', age: 12, error: null, askedAt: at, receivedAt: at }
  assert.deepEqual(answered, [expected, expected])
  for (const age of ['x', '-1', '1.5', '1234567890']) {
    const odd = scene(answering(200, '', { age }))
    await odd.outbound.fetchWhole({ url }, limit)
    assert.equal(odd.answered[0]?.age, 0, age)
  }
})

test('RFC 6749 §5.2: the error of a refusal is told if it is a word, and never of an answer that is none', async () => {
  for (const [status, text, error] of [
    [401, '{"error":"no"}', 'no'],
    [400, '{"error":"no"}', 'no'],
    [400, '{"error":"a b"}', null],
    [400, '{"error":7}', null],
    [400, 'x', null],
    [200, '{"error":"no"}', null],
    [399, '{"error":"no"}', null],
  ] as const) {
    const { answered, outbound } = scene(answering(status, text))
    await outbound.fetchWhole({ url }, { ...limit, bytes: 100 })
    assert.equal(answered[0]?.error, error, text)
  }
})

test('what cannot be used is handed on, and what is over', () => {
  const { unusable, over, outbound } = scene(answering(200))
  outbound.unusable(url, 'why')
  assert.deepEqual(unusable, [[url, 'why']])
  const keys = { issuer: 'https://as.example', part: 'keys' } as const
  outbound.over(keys)
  assert.deepEqual(over, [keys])
})

test('TLS, or loopback; no credentials, no other scheme', () => {
  for (const good of ['https://a.example', 'http://127.0.0.1:1', 'http://localhost', 'http://[::1]/x'])
    assert.equal(isAllowedAddress(good), true, good)
  for (const bad of ['http://a.example', 'https://u@a.example', 'https://:p@a.example', 'ftp://localhost', 'x', ''])
    assert.equal(isAllowedAddress(bad), false, bad)
})
