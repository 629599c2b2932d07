/** Calls that want the same row take turns, none longer than for a database; and the log is sealed for those that left something in it. */
import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { StoreUnavailable } from '../src/index.ts'
import { callsOn } from '../src/drivers/postgres/contended-calls.ts'
import type { ConnectionPool } from '../src/drivers/postgres/pool.ts'
import { acme, at, entries, grantId } from '../suite/samples.ts'

test('while a database is silent those who wait for one row are told so together, not one after the other', async () => {
  let asked = 0
  const query = async (): Promise<never> => {
    asked += 1
    await setTimeout(100)
    throw new Error('Query read timeout')
  }
  const call = callsOn({ changes: { query } } as unknown as ConnectionPool, 150, () => {})
  const take = () => call('limits.takeUnits', [[{ key: 'tenant', now: 1, interval: 1, span: 9 }]], null)
  const answers = await Promise.allSettled(Array.from({ length: 20 }, take))
  equal(answers.filter((it) => it.status === 'rejected' && it.reason instanceof StoreUnavailable).length, 20)
  ok(asked <= 6, `${asked} asked`)
})

test('whoever seals the log hears of what was committed to it, and of no other call', async () => {
  let heard = 0
  let rowCount = 1
  const connection = {
    on() {},
    off() {},
    release() {},
    query: async (it: unknown) => (it === 'commit' ? { command: 'COMMIT' } : { rows: [], rowCount }),
  }
  const changes = { query: async () => ({ rows: [{ ok: 1, tat: 1 }] }) }
  const pool = { changes, begin: async () => connection }
  const call = callsOn(pool as unknown as ConnectionPool, 150, () => (heard += 1))
  const revoke = () =>
    call('grants.revoke', [{ tenant: acme, id: grantId('g'), at: at(1) }, entries('grant.revoked')], null)

  await call('limits.takeUnits', [[{ key: 'tenant', now: 1, interval: 1, span: 9 }]], null)
  await call('sessions.touch', [acme, 's', at(1)], null)
  rowCount = 0
  equal(await revoke(), 'already-revoked')
  equal(heard, 0)
  rowCount = 1
  equal(await revoke(), 'revoked')
  await call('events.append', [entries('login.failed')], null)
  equal(heard, 2)
})
