/** Deferred work in PostgreSQL: any process of the API does it. Takes a pool of `pg`, or whatever queries like one. */
import type { OperationStore } from '../deferred/operation-store.ts'
import { operationsSchema, sqlOperations } from './sql-operations.ts'

export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>
}

/** Makes its table where there is none. */
export async function postgresOperations(client: PostgresClient): Promise<OperationStore> {
  // One transaction under a lock of its own: processes that start together do not make it twice.
  const lock = "SELECT pg_advisory_xact_lock(hashtext('grantor operations'))"
  await client.query([`BEGIN`, lock, ...operationsSchema, 'COMMIT'].join(';'))
  return sqlOperations({
    query: async (sql, values) => (await client.query(numbered(sql), [...values])).rows,
    skipLocked: 'FOR UPDATE SKIP LOCKED',
  })
}

/** `?` as PostgreSQL writes it. No statement here has one in a text. */
function numbered(sql: string): string {
  let n = 0
  return sql.replaceAll('?', () => `$${++n}`)
}
