/** Quotas: the burst, the pace after it, and the exact header strings. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseList, serializeList } from 'structured-headers'
import {
  checkedPolicy,
  quotaHeaders,
  type QuotaDecision,
  type QuotaPolicy,
  type QuotaState,
  refundQuota,
  retryAfter,
  takeQuota,
} from '../../src/http/quota.ts'
import type { Instant } from '../../src/types.ts'

const at = (ms: number): Instant => ms as Instant
const minute: QuotaPolicy = { name: 'client', quota: 600, window: 60 }

function drain(policy: QuotaPolicy, times: number, now: Instant, from: QuotaState = null): QuotaState {
  let state = from
  for (let i = 0; i < times; i++) {
    const decision = takeQuota(policy, state, now)
    assert.ok(decision.allowed, `unit ${i + 1} of ${times}`)
    ;({ state } = decision)
  }
  return state
}

test('600 per minute is a burst of 600, then one per 100 ms', () => {
  const state = drain(minute, 600, at(1000))
  const over = takeQuota(minute, state, at(1000))
  assert.equal(over.allowed, false)
  assert.equal(over.wait, 100)
  assert.equal(takeQuota(minute, state, at(1099)).allowed, false)
  const next = takeQuota(minute, state, at(1100))
  assert.equal(next.allowed, true)
  assert.equal(takeQuota(minute, next.state, at(1100)).allowed, false)
})

test('a refused request takes nothing, so knocking does not lengthen the wait', () => {
  let state = drain(minute, 600, at(0))
  for (let i = 0; i < 50; i++) ({ state } = takeQuota(minute, state, at(50)))
  assert.equal(takeQuota(minute, state, at(100)).allowed, true)
})

test('a full window later the whole burst is there again', () => {
  const state = drain(minute, 600, at(0))
  drain(minute, 600, at(60_000), state)
})

test('a clock that steps back an hour locks nobody out for longer than one interval', () => {
  const state = drain(minute, 600, at(3_600_000))
  const stepped = takeQuota(minute, state, at(0))
  assert.equal(stepped.allowed, false)
  assert.ok(stepped.wait <= 100)
  assert.equal(takeQuota(minute, stepped.state, at(100)).allowed, true)
})

test('a clock that steps forward an hour gives no more than one burst', () => {
  const state = drain(minute, 600, at(0))
  assert.equal(takeQuota(minute, drain(minute, 600, at(3_600_000), state), at(3_600_000)).allowed, false)
})

test('an interval that is no whole millisecond still admits its whole burst', () => {
  for (const quota of [3, 7, 11, 13, 997]) {
    const odd = { name: 'odd', quota, window: 1 }
    assert.equal(takeQuota(odd, drain(odd, quota, at(1_794_700_800_123)), at(1_794_700_800_123)).allowed, false)
  }
})

test('a look costs nothing and says whether a take would be allowed', () => {
  const almost = drain(minute, 599, at(0))
  assert.deepEqual(takeQuota(minute, almost, at(0), 0).allowed, true)
  assert.equal(takeQuota(minute, almost, at(0), 0).state, almost)
  assert.equal(takeQuota(minute, drain(minute, 600, at(0)), at(0), 0).allowed, false)
})

test('each cost, state and clock has exactly this answer', () => {
  /** Ten a second: one every 100 ms. */
  const ten: QuotaPolicy = { name: 'ten', quota: 10, window: 1 }
  const rows: readonly (readonly [
    held: number | null,
    now: number,
    cost: number,
    as: Omit<QuotaDecision, 'policy' | 'state'> & { readonly state: number | null },
  ])[] = [
    [null, 5000, 1, { allowed: true, state: 5100, remaining: 9, effectiveWindow: 1, wait: 0 }],
    [null, 5000, 0, { allowed: true, state: null, remaining: 10, effectiveWindow: 1, wait: 0 }],
    [null, 5000, 4, { allowed: true, state: 5400, remaining: 6, effectiveWindow: 1, wait: 0 }],
    [null, 5000, 10, { allowed: true, state: 6000, remaining: 0, effectiveWindow: 1, wait: 0 }],
    [null, 5000, 11, { allowed: false, state: null, remaining: 10, effectiveWindow: 1, wait: 100 }],
    [null, 5000, 40, { allowed: false, state: null, remaining: 10, effectiveWindow: 3, wait: 3000 }],
    [4000, 5000, 1, { allowed: true, state: 5100, remaining: 9, effectiveWindow: 1, wait: 0 }],
    [5450, 5000, 2, { allowed: true, state: 5650, remaining: 3, effectiveWindow: 1, wait: 0 }],
    [5950, 5000, 1, { allowed: false, state: 5950, remaining: 0, effectiveWindow: 1, wait: 50 }],
    [5950, 5000, 0, { allowed: false, state: 5950, remaining: 0, effectiveWindow: 1, wait: 50 }],
    [6000, 5000, 13, { allowed: false, state: 6000, remaining: 0, effectiveWindow: 2, wait: 1300 }],
    [9000, 5000, 1, { allowed: false, state: 6000, remaining: 0, effectiveWindow: 1, wait: 100 }],
  ]
  for (const [held, now, cost, as] of rows)
    assert.deepEqual(
      takeQuota(ten, held === null ? null : at(held), at(now), cost),
      { policy: ten, ...as },
      `${cost} of what is held until ${held}`,
    )
  /** One in ten seconds: after the last, the window is the time until the next. */
  const slow: QuotaPolicy = { name: 'slow', quota: 2, window: 20 }
  assert.equal(takeQuota(slow, null, at(0)).effectiveWindow, 10)
  assert.equal(takeQuota(slow, at(10_000), at(0)).effectiveWindow, 10)
  assert.equal(takeQuota(slow, at(13_001), at(4_000)).effectiveWindow, 10)
  assert.deepEqual(takeQuota(slow, at(20_000), at(3_999)), {
    policy: slow,
    allowed: false,
    state: at(20_000),
    remaining: 0,
    effectiveWindow: 7,
    wait: 6001,
  })
})

test('what is given back is what was taken, and never more than all', () => {
  const ten: QuotaPolicy = { name: 'ten', quota: 10, window: 1 }
  assert.equal(refundQuota(ten, at(5400), at(5000)), 5300)
  assert.equal(refundQuota(ten, at(5400), at(5000), 3), 5100)
  assert.equal(refundQuota(ten, at(5400), at(5000), 4), null)
  assert.equal(refundQuota(ten, at(5400), at(5000), 9), null)
})

test('of several decisions the one that lasts longest is told first, then the one with the least left', () => {
  const of = (name: string, quota: number) => ({ name, quota, window: 60 })
  const headers = quotaHeaders([
    decision(of('wide', 100), 50),
    decision(of('narrow', 1000), 100),
    decision(of('shut', 10), 5, { allowed: false, wait: 100, effectiveWindow: 1 }),
    decision(of('long', 10), 6, { allowed: false, wait: 60_001, effectiveWindow: 30 }),
  ])
  assert.equal(headers['ratelimit'], '"long";r=6;t=30, "shut";r=5;t=1, "narrow";r=100;t=12, "wide";r=50;t=12')
  assert.equal(
    headers['ratelimit-policy'],
    '"wide";q=100;w=60, "narrow";q=1000;w=60, "shut";q=10;w=60, "long";q=10;w=60',
  )
  assert.equal(headers['retry-after'], '61')
  assert.deepEqual(quotaHeaders([decision(of('one', 5), 0, { allowed: false, wait: 1500, effectiveWindow: 1 })]), {
    'ratelimit-policy': '"one";q=5;w=60',
    ratelimit: '"one";r=0;t=1',
    'retry-after': '2',
  })
  assert.deepEqual(quotaHeaders([decision(of('one', 5), 3)]), {
    'ratelimit-policy': '"one";q=5;w=60',
    ratelimit: '"one";r=3;t=12',
  })
  assert.equal(retryAfter(decision(of('one', 5), 3)), 0)
  assert.equal(
    quotaHeaders([decision(of('one', 5), 3), decision(of('two', 5), 2)])['ratelimit'],
    '"two";r=2;t=12, "one";r=3;t=12',
  )
})

test('a refund restores exactly what was taken', () => {
  const state = drain(minute, 600, at(0))
  const after = refundQuota(minute, state, at(0))
  const again = takeQuota(minute, after, at(0))
  assert.equal(again.allowed, true)
  assert.equal(takeQuota(minute, again.state, at(0)).allowed, false)
  assert.equal(refundQuota(minute, null, at(0)), null)
})

test('over any run of requests, no stretch of time sees more than the burst plus the pace', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 200 }),
      (quota, window, gaps) => {
        const policy = { name: 'p', quota, window }
        let now = 0
        let state: QuotaState = null
        const granted: number[] = []
        for (const gap of gaps) {
          now += gap
          const decision = takeQuota(policy, state, at(now))
          ;({ state } = decision)
          if (decision.allowed) granted.push(now)
        }
        granted.forEach((start, i) => {
          granted.slice(i).forEach((end, j) => {
            const most = quota + ((end - start) / (window * 1000)) * quota + 0.001
            assert.ok(j + 1 <= most, `${j + 1} in ${end - start} ms of ${quota}/${window}s`)
          })
        })
      },
    ),
    { numRuns: 200 },
  )
})

test('the wait that a refusal names is enough, and one millisecond less is not', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 60 }),
      fc.nat(5000),
      (quota, window, late) => {
        const policy = { name: 'p', quota, window }
        const state = drain(policy, quota, at(0))
        const decision = takeQuota(policy, state, at(Math.min(late, Math.floor((window * 1000) / quota) - 1)))
        if (decision.allowed) return
        const now = Math.min(late, Math.floor((window * 1000) / quota) - 1)
        assert.equal(takeQuota(policy, state, at(now + decision.wait)).allowed, true)
        assert.equal(takeQuota(policy, state, at(now + decision.wait - 1)).allowed, false)
      },
    ),
  )
})

const decision = (policy: QuotaPolicy, remaining: number, more: Partial<QuotaDecision> = {}): QuotaDecision => ({
  policy,
  allowed: true,
  state: null,
  remaining,
  effectiveWindow: 12,
  wait: 0,
  ...more,
})

test('ratelimit-headers §3, §4: the strings of the draft, byte for byte', () => {
  const headers = quotaHeaders([
    decision({ name: 'burst', quota: 100, window: 60 }, 0, { allowed: false, wait: 11_500 }),
    decision({ name: 'daily', quota: 1000, window: 86_400 }, 900, { effectiveWindow: 77_760 }),
  ])
  assert.equal(headers['ratelimit-policy'], '"burst";q=100;w=60, "daily";q=1000;w=86400')
  assert.equal(headers['ratelimit'], '"burst";r=0;t=12, "daily";r=900;t=77760')
  assert.equal(headers['retry-after'], '12')
})

test('the strings are what a structured-fields library writes and reads', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((c) => String.fromCodePoint(c)), maxLength: 20 }),
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.integer({ min: 1, max: 1_000_000 }),
      (name, quota, window) => {
        const written = quotaHeaders([takeQuota({ name, quota, window }, null, at(0))])['ratelimit-policy'] ?? ''
        const parsed = parseList(written)
        assert.equal(serializeList(parsed), written)
        assert.deepEqual(parsed, [
          [
            name,
            new Map([
              ['q', quota],
              ['w', window],
            ]),
          ],
        ])
      },
    ),
  )
})

test('ratelimit-headers §8.5: the effective window never tells of a faster rate than the policy has', () => {
  for (const used of [1, 100, 300, 599, 600]) {
    const state = drain(minute, used - 1, at(0))
    const { remaining, effectiveWindow } = takeQuota(minute, state, at(0))
    assert.equal(remaining, 600 - used)
    assert.ok(remaining / effectiveWindow <= 10, `${remaining} in ${effectiveWindow} s`)
  }
})

test('ratelimit-headers §6: Retry-After is not earlier than the effective window, and only a refusal has one', () => {
  const over = takeQuota(minute, drain(minute, 600, at(0)), at(0))
  assert.ok(retryAfter(over) >= over.effectiveWindow)
  assert.equal(quotaHeaders([takeQuota(minute, null, at(0))])['retry-after'], undefined)
  assert.deepEqual(quotaHeaders([]), {})
})

test('a policy that cannot be told or would never admit anyone does not start', () => {
  for (const bad of [
    { name: 'a', quota: 0, window: 60 },
    { name: 'a', quota: 1.5, window: 60 },
    { name: 'a', quota: 1, window: 0 },
    { name: 'a', quota: -1, window: 1 },
    { name: 'a', quota: 1, window: 0.5 },
    { name: 'ü', quota: 1, window: 1 },
  ]) {
    assert.throws(() => checkedPolicy(bad), RangeError)
  }
  const least = { name: 'a', quota: 1, window: 1 }
  assert.equal(checkedPolicy(least), least)
})
