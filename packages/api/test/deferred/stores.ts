/** The stores of deferred work that tests run on: memory, SQLite in a file, and PostgreSQL where there is one. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import pg from 'pg'
import type { OperationStore } from '../../src/deferred/operation-store.ts'
import { memoryOperations } from '../../src/stores/memory-operations.ts'
import { postgresOperations } from '../../src/stores/postgres-operations.ts'
import { sqliteOperations } from '../../src/stores/sqlite-operations.ts'

export type StoreName = 'memory' | 'SQLite' | 'PostgreSQL'

const url = process.env['GRANTOR_TEST_DATABASE_URL']
export const storeNames: readonly StoreName[] = [
  'memory',
  'SQLite',
  ...(url === undefined ? [] : (['PostgreSQL'] as const)),
]

/** A fresh one for each test. */
export async function openOperations(name: StoreName): Promise<OperationStore> {
  if (name === 'memory') return memoryOperations()
  if (name === 'SQLite') {
    const folder = mkdtempSync(join(tmpdir(), 'operations-'))
    const database = new DatabaseSync(join(folder, 'operations.db'))
    after(() => {
      database.close()
      rmSync(folder, { recursive: true })
    })
    return sqliteOperations(database)
  }
  return postgresOperations(await postgresPool())
}

/** A schema of its own, dropped at the end. */
export async function postgresPool(
  schema = `operations_${process.pid}_${Date.now()}_${Math.floor(Math.random() * 1e6)}`,
) {
  const pool = new pg.Pool({ connectionString: url, max: 4, options: `-c search_path=${schema}` })
  await pool.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
  after(async () => {
    await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`)
    await pool.end()
  })
  return pool
}

export function onEveryStore(title: string, run: (store: OperationStore, name: StoreName) => Promise<void>): void {
  for (const name of storeNames) test(`${title} [${name}]`, async () => run(await openOperations(name), name))
}
