/** What a node remembers has an end: the oldest is forgotten first, and forgetting never locks anybody out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Instant, TenantId } from '@grantor/protocol/types'
import { openValidationReportAdmin } from '../../src/admin/validation-reports.ts'
import { memoryLimiter, QuotaMemory } from '../../src/limits/memory-limiter.ts'
import { clockOf } from '../../src/ports/environment.ts'

const policy = { name: 'p', quota: 1, window: 60 }

test('a hundred thousand states are kept; of one more the one not seen for longest goes', () => {
  const memory = new QuotaMemory()
  for (let n = 0; n < 100_000; n += 1) memory.keep(policy, `k${n}`, n as Instant)
  assert.equal(memory.of(policy, 'k0'), 0)
  memory.keep(policy, 'k0', 7 as Instant)
  memory.keep(policy, 'one more', 1 as Instant)
  assert.deepEqual(
    ['k0', 'k1', 'k2', 'one more'].map((key) => memory.of(policy, key)),
    [7, null, 2, 1],
  )
  memory.keep(policy, 'k2', null)
  assert.equal(memory.of(policy, 'k2'), null)
  assert.equal(memory.of({ ...policy, name: 'q' }, 'k0'), null, 'another limit is another')
})

test('looking takes nothing, and what is given back can be taken again', () => {
  const limiter = memoryLimiter({ now: () => 1_000_000 as Instant })
  const take = (cost?: number) => limiter.take(policy, 'k', cost) as { readonly allowed: boolean }
  assert.equal(take(0).allowed, true)
  assert.equal(take().allowed, true)
  assert.equal(take(0).allowed, false)
  assert.equal(take().allowed, false)
  void limiter.giveBack([{ policy, key: 'k' }])
  assert.equal(take().allowed, true)
})

test('fifty thousand reports are known again; of one more the oldest may come twice', async () => {
  let written = 0
  const reports = openValidationReportAdmin({
    clock: { now: () => 1 as Instant, margin: 0, until: async () => {} },
    ids: { id: () => 'id' },
    store: {
      clients: { find: async () => ({ metadata: { resource_server: 'https://api.example' } }) },
      events: { append: async (events: readonly unknown[]) => void (written += events.length) },
    },
  } as unknown as Parameters<typeof openValidationReportAdmin>[0])
  const count = (id: string) => ({ id, code: 'token_expired', count: 1, from: 1, to: 1 })
  const hand = async (...ids: string[]) => {
    const batch = { resource: 'https://api.example', reports: [], counts: ids.map(count), dropped: 0 }
    const done = await reports.record('t' as TenantId, 'api', batch as never)
    return done.kind === 'ok' ? done.value.recorded : done.error.reason
  }
  assert.equal(await hand(...Array.from({ length: 50_000 }, (_, n) => `r${n}`)), 50_000)
  assert.equal(await hand('r0', 'r49999'), 0)
  assert.equal(await hand('one more'), 1)
  assert.equal(await hand('r1'), 0)
  assert.equal(await hand('r0'), 1)
  assert.equal(written, 50_002)
})

test('a clock is looked at again after the time that it is behind, and a clock that stands is not waited for', async () => {
  const reads = [1000, 1000, 1003]
  const clock = clockOf(() => (reads.length > 1 ? reads.shift() : reads[0]) as Instant, 7)
  assert.equal(clock.margin, 7)
  await clock.until(1003 as Instant)
  assert.deepEqual(reads, [1003])
  await clock.until(900 as Instant)
  const standing = clockOf(() => 0 as Instant)
  assert.equal(standing.margin, 0)
  await standing.until(20 as Instant)
})
