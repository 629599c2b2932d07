/** What follows from one attempt to tell a receiver of an event, as tables: docs/webhooks.md. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { err, ok } from '@grantor/protocol/result'
import type { Instant } from '@grantor/protocol/types'
import type { TakenDelivery } from '@grantor/store'
import { type Attempt, judgeAttempt, longestTrying, mostTries } from '../../src/webhooks/judge-attempt.ts'

const second = 1_000
const minute = 60_000
const hour = 3_600_000
const day = 24 * hour
const now = Date.parse('2026-11-15T12:00:00Z') as Instant

interface Case {
  readonly tries?: number
  readonly failures?: number
  readonly failingSince?: number | null
  readonly queuedAt?: number
  readonly kind?: 'webhook' | 'stream'
  readonly status?: number | null
  readonly retryAfter?: number | null
  readonly random?: number
}

/** By default the first attempt of a delivery that was just queued, and neither spread up nor down. */
function judged(it: Case = {}) {
  const { tries = 1, failures = 0, failingSince = null, queuedAt = now, kind = 'webhook' } = it
  const { status = 500, retryAfter = null, random = 0.5 } = it
  const delivery = { tries, queuedAt, to: { kind, failures, failingSince } } as TakenDelivery
  const answer = (status === null ? err('unreachable') : ok({ status, retryAfter })) as Attempt['answer']
  return judgeAttempt(delivery, { answer, now, latency: 12, random })
}
const waited = (it: Case): number => (judged(it).dueAt ?? Number.NaN) - now
const rested = (it: Case): number => judged(it).health.restUntil - now

test('every 2xx is delivered, kept for seven days, and makes the receiver well again', () => {
  for (const status of [200, 202, 204, 299])
    assert.deepEqual(judged({ status, failures: 9, failingSince: now - day }), {
      at: now,
      status,
      latency: 12,
      error: null,
      state: 'delivered',
      dueAt: null,
      keepUntil: now + 7 * day,
      disable: null,
      health: { failures: 0, failingSince: null, restUntil: 0 },
    })
  for (const status of [100, 199, 300, 301, 404, 500])
    assert.deepEqual([judged({ status }).state, judged({ status }).error], ['waiting', 'status'], String(status))
  assert.deepEqual([judged({ status: null }).state, judged({ status: null }).error], ['waiting', 'unreachable'])
})

test('twelve tries over three days, each after a longer pause', () => {
  const quick = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute]
  const pauses = [...quick, ...[2, 5, 10, 14, 20, 20].map((hours) => hours * hour)]
  assert.deepEqual([mostTries, longestTrying], [12, 3 * day])
  for (const [at, pause] of pauses.entries()) assert.equal(waited({ tries: at + 1 }), pause, String(at))
  const last = judged({ tries: 12 })
  assert.deepEqual([last.state, last.dueAt, last.keepUntil, last.disable], ['dead', null, now + 30 * day, null])
})

test('a pause is a fifth shorter or longer, by chance', () => {
  assert.deepEqual(
    [0, 0.5, 1].map((random) => waited({ tries: 3, random })),
    [0.8 * 2 * minute, 2 * minute, 1.2 * 2 * minute],
  )
})

test('what was queued three days ago gets no further try, whatever it was', () => {
  assert.equal(judged({ queuedAt: now - 3 * day + 1 }).state, 'waiting')
  assert.equal(judged({ queuedAt: now - 3 * day }).state, 'dead')
})

test('who has failed for three days is told no more', () => {
  assert.equal(judged({ failingSince: now - 3 * day + 1 }).disable, null)
  assert.equal(judged({ failingSince: now - 3 * day }).disable, 'failing')
  assert.equal(judged({ failingSince: now - 3 * day, tries: 12 }).disable, 'failing')
  assert.equal(judged({ failingSince: now - 5, failures: 3 }).health.failingSince, now - 5)
  assert.equal(judged({ failingSince: null }).health.failingSince, now)
})

test('RFC 9110 §15.5.11: 410 disables; what waits is due when somebody enables it again', () => {
  const gone = judged({ status: 410, tries: 12, queuedAt: now - 4 * day })
  assert.deepEqual([gone.state, gone.dueAt, gone.disable, gone.keepUntil], ['waiting', now, 'gone', null])
})

test('RFC 8935 §2.3: a SET that is refused as wrong is given up at once; a webhook may yet be mended', () => {
  assert.equal(judged({ kind: 'stream', status: 400 }).state, 'dead')
  assert.equal(judged({ kind: 'stream', status: 401 }).state, 'waiting')
  assert.equal(judged({ kind: 'webhook', status: 400 }).state, 'waiting')
})

test('RFC 8935 §2.4: 400 may also be about us, and where nothing else is answered it is', () => {
  const refused = (failures: number) => judged({ kind: 'stream', status: 400, failures })
  assert.deepEqual(
    [2, 3, 9].map((failures) => refused(failures).state),
    ['dead', 'waiting', 'waiting'],
  )
  assert.equal(refused(2).health.failures, 3, 'it counts')
  assert.equal(judged({ kind: 'stream', status: 400, failures: 9, failingSince: now - 3 * day }).disable, 'failing')
})

test('what is not sent, because the client is disabled or gone, is given up and says nothing of its receiver', () => {
  const health = { failures: 2, failingSince: now - day, restUntil: now }
  const delivery = { tries: 1, queuedAt: now, to: { kind: 'stream', ...health } } as unknown as TakenDelivery
  const attempt = { answer: err('client_disabled' as const), now, latency: null, random: 0.5 }
  const { state, error, keepUntil, disable, health: after } = judgeAttempt(delivery, attempt)
  assert.deepEqual([state, error, keepUntil, disable], ['dead', 'client_disabled', now + 30 * day, null])
  assert.deepEqual({ ...after }, { kind: 'stream', ...health })
})

test('RFC 9110 §10.2.3: Retry-After is waited for, up to a day, and never shortens a pause', () => {
  assert.equal(waited({ retryAfter: 60 }), minute)
  assert.equal(waited({ retryAfter: 1 }), 5 * second)
  assert.equal(waited({ retryAfter: 86_400 }), day)
  assert.equal(waited({ retryAfter: 86_401 }), day)
  // The whole receiver rests for ten minutes of it at most: others may be told sooner.
  assert.equal(rested({ retryAfter: 60 }), minute)
  assert.equal(rested({ retryAfter: 86_400 }), 10 * minute)
})

test('the first failures are those of a message; from the third on the receiver rests, ever longer up to ten minutes', () => {
  assert.deepEqual(
    [0, 1].map((failures) => rested({ failures })),
    [0, 0],
  )
  assert.deepEqual(
    [2, 3, 4, 8, 9, 50].map((failures) => rested({ failures })),
    [5, 10, 20, 320, 600, 600].map((seconds) => seconds * second),
  )
  assert.equal(rested({ failures: 2, random: 1 }), 6 * second)
  assert.equal(judged({ failures: 2 }).health.failures, 3)
})
