/** Quotas in PostgreSQL, shared by all processes of an API. */
import { type QuotaState, refundQuota, takeQuota } from '@grantor/protocol/http'
import type { Instant } from '@grantor/protocol/types'
import { inTime } from '../quotas/in-time.ts'
import { quotaKey, type QuotaStore } from '../quotas/quota-store.ts'
import type { PostgresClient } from './postgres-operations.ts'

/** How often a number is read again because another process changed it. */
const mostTries = 50

/** Milliseconds for one statement: after that the database counts as away. */
const patience = 1_000

const sweep = `DELETE FROM quota WHERE key IN (
  SELECT key FROM quota WHERE full_at < $1 LIMIT 100 FOR UPDATE SKIP LOCKED)`

interface Asked {
  decide(held: QuotaState): { readonly state: QuotaState; tell(): void }
  fail(error: unknown): void
}

/** Creates its table if needed. Uses the wall clock, because processes share the numbers (see takeQuota). */
export async function postgresQuotas(
  client: PostgresClient,
  now: () => Instant = () => Date.now() as Instant,
): Promise<QuotaStore> {
  const lock = "SELECT pg_advisory_xact_lock(hashtext('grantor quota'))"
  const schema = 'CREATE TABLE IF NOT EXISTS quota (key TEXT PRIMARY KEY, full_at DOUBLE PRECISION NOT NULL)'
  await client.query(['BEGIN', lock, schema, 'COMMIT'].join(';'))
  const waiting = new Map<string, Asked[]>()
  let writes = 0

  const query: PostgresClient['query'] = (text, values) => inTime(client.query(text, values), patience)

  async function write(key: string, held: QuotaState, state: QuotaState): Promise<boolean> {
    if (held === state) return true
    const [sql, values] =
      held === null
        ? ['INSERT INTO quota VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING key', [key, state]]
        : state === null
          ? ['DELETE FROM quota WHERE key = $1 AND full_at = $2 RETURNING key', [key, held]]
          : ['UPDATE quota SET full_at = $3 WHERE key = $1 AND full_at = $2 RETURNING key', [key, held, state]]
    return (await query(sql, values)).rows.length === 1
  }

  /** Decides all requests one after the other on the stored number, and writes the result only if that is unchanged. */
  async function answer(key: string, all: readonly Asked[]): Promise<boolean> {
    for (let tries = 0; tries < mostTries; tries++) {
      const [row] = (await query('SELECT full_at FROM quota WHERE key = $1', [key])).rows
      const held = row === undefined ? null : (row as { readonly full_at: Instant }).full_at
      const answers: (() => void)[] = []
      let state: QuotaState = held
      for (const { decide } of all) {
        const decided = decide(state)
        state = decided.state
        answers.push(decided.tell)
      }
      if (!(await write(key, held, state))) continue
      answers.forEach((tell) => tell())
      // Rows of full quotas are not needed; every hundredth write deletes some of them, so that they do not accumulate.
      if (++writes % 100 === 0) void query(sweep, [now()]).catch(() => {})
      return true
    }
    return false
  }

  /** While a number is being decided, further requests for it wait, and are then decided together. */
  async function answerInTurn(key: string, first: Asked): Promise<void> {
    for (let all: readonly Asked[] = [first]; all.length > 0;) {
      waiting.set(key, [])
      try {
        if (!(await answer(key, all)))
          for (const { fail } of all) fail(new Error('other processes keep changing a quota'))
        all = waiting.get(key) ?? []
      } catch (error) {
        // Requests that came in the meantime fail, too: they would wait just as long for a database that is away.
        for (const { fail } of [...all, ...(waiting.get(key) ?? [])]) fail(error)
        all = []
      }
    }
    waiting.delete(key)
  }

  const inOne = <T>(key: string, decide: (held: QuotaState) => readonly [T, QuotaState]): Promise<T> =>
    new Promise((resolve, fail) => {
      const asked: Asked = {
        decide(held) {
          const [result, state] = decide(held)
          return { state, tell: () => resolve(result) }
        },
        fail,
      }
      const others = waiting.get(key)
      if (others === undefined) void answerInTurn(key, asked)
      else others.push(asked)
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
