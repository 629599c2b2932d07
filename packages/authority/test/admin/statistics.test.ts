/** Series of counts: which steps a range holds, and what falls into each; over a store that is a table. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Instant, TenantId } from '@grantor/protocol/types'
import { daysKept, minutesKept } from '@grantor/store'
import { openStatisticsAdmin } from '../../src/admin/statistics.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const now = Date.parse('2026-11-15T12:34:56.789Z') as Instant
const thisMinute = Date.parse('2026-11-15T12:34:00Z')
const today = Date.parse('2026-11-15T00:00:00Z')

type Count = { readonly at: number; readonly series: string; readonly reason: string; readonly count: number }

async function counted(query: object, counts: readonly Count[] = []) {
  const read: string[] = []
  const store = {
    events: { position: async () => (read.push('position'), 0) },
    statistics: { counts: async () => (read.push('counts'), counts) },
  }
  const admin = openStatisticsAdmin({ clock: { now: () => now }, store } as never)
  const told = await admin.counts('acme' as TenantId, { from: null, to: null, step: 'minute', ...query } as never)
  if (told.kind === 'ok') assert.deepEqual(read, ['position', 'counts'], 'all that was committed is counted')
  return told
}

async function range(query: object) {
  const told = await counted(query)
  if (told.kind === 'error') return told.error
  const [first] = told.value
  assert.ok(first)
  return [first.from, first.to, first.values.length]
}

test('the usual range is a day of minutes, or thirty days of days, up to and with the present step', async () => {
  assert.deepEqual(await range({}), [thisMinute + minute - day, thisMinute + minute, 1440])
  assert.deepEqual(await range({ step: 'day' }), [today + day - 30 * day, today + day, 30])
})

test('a range begins and ends on whole steps; its end is left out, the future too', async () => {
  const at = (text: string) => Date.parse(`2026-11-15T${text}Z`)
  const steps = (from: string, to: string) => range({ from: at(from), to: at(to) })
  assert.deepEqual(await steps('10:00:00', '10:02:00'), [at('10:00:00'), at('10:02:00'), 2])
  assert.deepEqual(await steps('10:00:59.999', '10:02:00.001'), [at('10:00:00'), at('10:03:00'), 3])
  assert.deepEqual(await range({ from: at('12:34:00'), to: now }), [thisMinute, thisMinute + minute, 1])
  assert.deepEqual(await range({ from: at('12:34:00'), to: now + day }), [thisMinute, thisMinute + minute, 1])
  const refused = { reason: 'invalid', problems: [{ field: 'from', problem: 'must lie before to' }] }
  assert.deepEqual(await steps('10:02:00', '10:02:00'), refused)
  assert.deepEqual(await steps('10:03:00', '10:02:00'), refused)
})

test('it begins no earlier than what is kept', async () => {
  const down = (at: number, step: number) => Math.floor(at / step) * step
  assert.deepEqual(((await range({ from: 0 })) as readonly number[])[0], down(now - minutesKept, minute))
  assert.deepEqual(((await range({ from: 0, step: 'day' })) as readonly number[])[0], down(now - daysKept, day))
})

test('what is counted falls into its step, its series and its reason, and adds up', async () => {
  const from = thisMinute - 2 * minute
  const told = await counted({ from }, [
    { at: from, series: 'sign_in_failed', reason: 'password', count: 2 },
    { at: from + 2 * minute, series: 'sign_in_failed', reason: 'password', count: 3 },
    { at: from + 2 * minute, series: 'sign_in_failed', reason: 'otp', count: 4 },
    { at: from + minute, series: 'sign_in_failed', reason: '', count: 5 },
    { at: from + minute, series: 'signed_in', reason: '', count: 7 },
  ])
  assert.ok(told.kind === 'ok')
  const of = (name: string) => told.value.find((it) => it.series === name)
  const failed = of('sign_in_failed')
  assert.deepEqual([failed?.total, failed?.values], [14, [2, 5, 7]])
  assert.deepEqual(failed?.reasons, { password: [2, 0, 3], otp: [0, 0, 4] })
  assert.deepEqual([of('signed_in')?.total, of('signed_in')?.values, of('signed_in')?.reasons], [7, [0, 7, 0], null])
})
