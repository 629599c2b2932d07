/** Deferred work in PostgreSQL, for all processes of an API. Takes a pool of `pg`, or anything with its `query`. */
import type { OperationStore } from '../deferred/operation-store.ts'
import { operationsSchema, sqlOperations } from './sql-operations.ts'

export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>
}

/** Creates its table if needed. */
export async function postgresOperations(client: PostgresClient): Promise<OperationStore> {
  // In one transaction under an advisory lock, so that processes that start together do not create it twice.
  const lock = "SELECT pg_advisory_xact_lock(hashtext('grantor operations'))"
  await client.query([`BEGIN`, lock, ...operationsSchema, 'COMMIT'].join(';'))
  return sqlOperations({
    query: async (sql, values) => (await client.query(numbered(sql), [...values])).rows,
    skipLocked: 'FOR UPDATE SKIP LOCKED',
  })
}

/** Replaces each `?` with `$1`, `$2`, …. No statement here has a `?` in a string. */
function numbered(sql: string): string {
  let n = 0
  return sql.replaceAll('?', () => `$${++n}`)
}
