/** Quotas in PostgreSQL, shared by all processes of an API. */
import { type QuotaState, refundQuota, takeQuota } from '@grantor/protocol/http'
import type { Instant } from '@grantor/protocol/types'
import { KeyedMutex } from '../operations/keyed-mutex.ts'
import { quotaKey, type QuotaStore } from '../quotas/quota-store.ts'
import type { PostgresClient } from './postgres-operations.ts'

/** How often a number is read again that another process changed meanwhile; in this one they take turns. */
const mostTries = 50

/** Makes its table where there is none. The wall clock, because processes share the numbers (see takeQuota). */
export async function postgresQuotas(
  client: PostgresClient,
  now: () => Instant = () => Date.now() as Instant,
): Promise<QuotaStore> {
  const lock = "SELECT pg_advisory_xact_lock(hashtext('grantor quota'))"
  const schema = 'CREATE TABLE IF NOT EXISTS quota (key TEXT PRIMARY KEY, full_at DOUBLE PRECISION NOT NULL)'
  await client.query(['BEGIN', lock, schema, 'COMMIT'].join(';'))
  const turns = new KeyedMutex()
  let writes = 0

  async function write(key: string, held: QuotaState, state: QuotaState): Promise<boolean> {
    if (held === state) return true
    const [sql, values] =
      held === null
        ? ['INSERT INTO quota VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING key', [key, state]]
        : state === null
          ? ['DELETE FROM quota WHERE key = $1 AND full_at = $2 RETURNING key', [key, held]]
          : ['UPDATE quota SET full_at = $3 WHERE key = $1 AND full_at = $2 RETURNING key', [key, held, state]]
    return (await client.query(sql, values)).rows.length === 1
  }

  /** Decided on the number that is there, and written only if it still is. */
  const inOne = <T>(key: string, decide: (held: QuotaState) => readonly [T, QuotaState]): Promise<T> =>
    turns.runExclusive(key, async () => {
      for (let tries = 0; tries < mostTries; tries++) {
        const [row] = (await client.query('SELECT full_at FROM quota WHERE key = $1', [key])).rows
        const held = row === undefined ? null : (row as { readonly full_at: Instant }).full_at
        const [result, state] = decide(held)
        if (!(await write(key, held, state))) continue
        // What is full again says nothing; a little of it goes with every hundredth write, so that nothing piles up.
        if (++writes % 100 === 0)
          await client.query(
            'DELETE FROM quota WHERE key IN (SELECT key FROM quota WHERE full_at < $1 LIMIT 100 FOR UPDATE SKIP LOCKED)',
            [now()],
          )
        return result
      }
      throw new Error('other processes keep changing a quota')
    })

  return {
    take: (partition, policy, cost = 1) =>
      inOne(quotaKey(partition, policy), (held) => {
        const decision = takeQuota(policy, held, now(), cost)
        return [decision, decision.state]
      }),
    refund: (partition, policy, cost = 1) =>
      inOne(quotaKey(partition, policy), (held) => [undefined, refundQuota(policy, held, now(), cost)]),
  }
}
