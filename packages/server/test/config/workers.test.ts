/** How many processes serve, by the setting, the database and the machine. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadSettings } from '../../src/config/load.ts'
import { workersFor } from '../../src/workers/count.ts'

const database = 'postgresql://u:p@db:5432/g'
const cases = [
  { workers: 'auto', databaseUrl: database, cores: 6, serve: 6 },
  { workers: 'auto', databaseUrl: database, cores: 1, serve: 1 },
  { workers: 'auto', databaseUrl: database, cores: 192, serve: 64 },
  { workers: 'auto', databaseUrl: null, cores: 6, serve: 1 },
  { workers: 3, databaseUrl: database, cores: 6, serve: 3 },
] as const

for (const { workers, databaseUrl, cores, serve } of cases)
  test(`${workers} workers on ${databaseUrl === null ? 'SQLite' : 'PostgreSQL'} with ${cores} cores: ${serve}`, () => {
    assert.equal(workersFor({ workers, databaseUrl }, cores), serve)
  })

for (const [given, read] of [
  ['auto', 'auto'],
  ['4', 4],
  ['0', null],
  ['automatic', null],
] as const)
  test(`GRANTOR_WORKERS=${given} is ${read === null ? 'a mistake' : 'read'}`, () => {
    const env = { GRANTOR_WORKERS: given, GRANTOR_DATABASE_URL: database, GRANTOR_MASTER_KEY: 'm'.repeat(40) }
    const loaded = loadSettings({ flags: {}, env, cwd: '/' })
    assert.equal(loaded.kind === 'ok' ? loaded.value.settings.workers : null, read)
  })
