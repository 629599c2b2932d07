/** Deferred work in SQLite, kept across restarts and then continued. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { OperationStore } from '../deferred/operation-store.ts'
import { operationsSchema, sqlOperations } from './sql-operations.ts'

export interface SqliteOperationsOptions {
  /** No other process uses this file: operations that ran when it was opened wait again at once. */
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
