/** Calls that want the same row take turns, and none waits longer for its turn than for a database. */
import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { StoreUnavailable } from '../src/index.ts'
import { callsOn } from '../src/drivers/postgres/contended-calls.ts'
import type { ConnectionPool } from '../src/drivers/postgres/pool.ts'

test('while a database is silent those who wait for one row are told so together, not one after the other', async () => {
  let asked = 0
  const query = async (): Promise<never> => {
    asked += 1
    await setTimeout(100)
    throw new Error('Query read timeout')
  }
  const call = callsOn({ query } as unknown as ConnectionPool, 150)
  const take = () => call('limits.takeUnits', [[{ key: 'tenant', now: 1, interval: 1, span: 9 }]], null)
  const answers = await Promise.allSettled(Array.from({ length: 20 }, take))
  equal(answers.filter((it) => it.status === 'rejected' && it.reason instanceof StoreUnavailable).length, 20)
  ok(asked <= 6, `${asked} asked`)
})
