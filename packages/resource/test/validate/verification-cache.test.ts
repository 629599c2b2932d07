/** What is remembered of tokens: by their whole header line, half of it young and half old, no longer than their key. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CachedVerification, VerificationCache } from '../../src/validate/verification-cache.ts'

const state = () => ({ present: true, ready: true })

const met = (line: string, on = state()): CachedVerification =>
  ({
    line,
    scheme: 'bearer',
    token: line,
    verified: {
      key: {
        get present() {
          return on.present
        },
      },
      issuer: { keys: { ready: () => on.ready } },
    },
  }) as unknown as CachedVerification

const line = (n: number) => `Bearer ${String(n).padStart(40, '0')}`

test('the young half and the old half are remembered; who is met stays, who is not is forgotten', () => {
  const cache = new VerificationCache(4)
  for (const n of [1, 2, 3, 4]) cache.set(met(line(n)))
  for (const n of [4, 3, 1]) assert.equal(cache.get(line(n))?.line, line(n))
  const other = new VerificationCache(4)
  for (const n of [1, 2, 3, 4, 5]) other.set(met(line(n)))
  assert.deepEqual(
    [1, 2].map((n) => other.get(line(n))),
    [undefined, undefined],
  )
  const kept = new VerificationCache(4)
  for (const n of [1, 2, 3]) kept.set(met(line(n)))
  assert.ok(kept.get(line(1)), 'met again, it is young')
  kept.set(met(line(4)))
  kept.set(met(line(5)))
  assert.ok(kept.get(line(1)))
  assert.equal(kept.get(line(2)), undefined)
})

test('a capacity of one is one', () => {
  const cache = new VerificationCache(1)
  cache.set(met(line(1)))
  assert.ok(cache.get(line(1)))
})

test('a half is never more than half, but one at least', () => {
  for (const capacity of [0, 1, 2, 3]) {
    const cache = new VerificationCache(capacity)
    for (const n of [1, 2, 3]) cache.set(met(line(n)))
    assert.equal(cache.get(line(1)), undefined, String(capacity))
    assert.ok(cache.get(line(3)))
  }
})

test('two lines of the same end are two', () => {
  const cache = new VerificationCache(10)
  const end = 'x'.repeat(32)
  cache.set(met(`Bearer a${end}`))
  assert.equal(cache.get(`Bearer b${end}`), undefined)
  assert.ok(cache.get(`Bearer a${end}`))
})

for (const gone of ['present', 'ready'] as const)
  test(`a token whose key is no longer ${gone} is forgotten, young or old`, () => {
    for (const others of [0, 5]) {
      const cache = new VerificationCache(10)
      const on = state()
      cache.set(met(line(1), on))
      for (let n = 0; n < others; n += 1) cache.set(met(line(10 + n)))
      assert.ok(others > 0 || cache.get(line(1)))
      on[gone] = false
      assert.equal(cache.get(line(1)), undefined)
      on[gone] = true
      assert.equal(cache.get(line(1)), undefined, 'for good')
    }
  })
