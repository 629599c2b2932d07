/** No sweep reads a table from end to end: each of its statements finds by an index what is over. */
import { deepEqual, ok } from 'node:assert/strict'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { test } from 'node:test'
import type { Instant } from '@grantor/protocol/types'
import { migrationsOf } from '../src/schema/migrations.ts'
import { sweep } from '../src/verbs/sweep.ts'
import type { Statement } from '../src/verbs/verb.ts'
import { scanning } from './support/postgres-plans.ts'

/** All that a sweep asks where it finds nothing. */
function statements(): readonly Statement[] {
  const found: Statement[] = []
  const verb = sweep(1_000_000_000_000 as Instant, 100)
  for (let step = verb.next(); step.done !== true; step = verb.next([])) {
    if (step.value.do === 'sql') found.push(step.value)
  }
  ok(found.length > 25)
  return found
}

test('on SQLite no statement of a sweep scans', () => {
  using db = new DatabaseSync(':memory:')
  for (const { text } of migrationsOf('sqlite')) db.exec(text)
  const scanning = statements().filter(({ text, values }) => {
    const plan = db.prepare(`explain query plan ${text}`).all(...(values as readonly SQLInputValue[]))
    return plan.some(({ detail }) => /^SCAN|TEMP B-TREE FOR ORDER/.test(String(detail)))
  })
  deepEqual(scanning, [])
})

test('on PostgreSQL every statement of a sweep has an index to go by', async (t) => {
  deepEqual(await scanning(t, statements()), [])
})
