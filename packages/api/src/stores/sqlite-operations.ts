/** Deferred work in SQLite: it survives the process, and is done after it. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { OperationStore } from '../deferred/operation-store.ts'
import { operationsSchema, sqlOperations } from './sql-operations.ts'

export interface SqliteOperationsOptions {
  /** No other process uses this file: what was running when it was opened waits again at once. */
  readonly alone?: boolean
}

export function sqliteOperations(
  database: DatabaseSync,
  { alone = false }: SqliteOperationsOptions = {},
): OperationStore {
  database.exec(['PRAGMA busy_timeout = 2000', ...operationsSchema].join(';'))
  if (alone) database.exec("UPDATE operations SET lease_until = 0 WHERE status = 'running'")
  const prepared = new Map<string, StatementSync>()
  const statement = (sql: string): StatementSync => {
    const held = prepared.get(sql) ?? database.prepare(sql)
    if (prepared.size < 200) prepared.set(sql, held)
    return held
  }
  return sqlOperations({ query: async (sql, values) => statement(sql).all(...values), skipLocked: '' })
}
