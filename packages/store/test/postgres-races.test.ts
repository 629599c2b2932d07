/** PostgreSQL with two nodes at once: what one decided on a row that the other is just changing. */
import { deepEqual, equal } from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import pg from 'pg'
import type { Instant } from '@grantor/protocol/types'
import { openPostgres } from '../src/drivers/postgres/engine.ts'
import type { Store } from '../src/index.ts'
import { tombstoneKeeping } from '../src/verbs/sweep.ts'
import { acme, at, event, statusBlock } from '../suite/samples.ts'
import { openAuditKey as auditKey } from './support/audit-key.ts'
import { ask, freshSchema } from './support/fresh-schema.ts'

interface TwoNodes {
  readonly store: Store
  /** A connection of the other node, in a transaction. */
  readonly other: pg.Client
  /** Begins something that has to wait for the other node, which commits as soon as it does. */
  overtaken<T>(work: () => Promise<T>): Promise<T>
}

async function twoNodes(t: TestContext): Promise<TwoNodes> {
  const { url, schema, drop } = await freshSchema()
  // The last first: what a store does in the background and the drop of its tables could wait for each other.
  const stack = new AsyncDisposableStack()
  t.after(() => stack.disposeAsync())
  stack.defer(drop)
  const store = await openPostgres({ url: `${url}?application_name=${schema}`, schema, auditKey })
  stack.defer(() => store.close())
  const other = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` })
  await other.connect()
  stack.defer(() => other.end())
  await other.query('begin')
  return {
    store,
    other,
    async overtaken(work) {
      const answer = work()
      const over = new AbortController()
      const end = (): void => over.abort()
      answer.then(end, end)
      const waiting = `select 1 from pg_stat_activity where application_name = '${schema}' and wait_event_type = 'Lock'`
      while (!over.signal.aborted && (await ask(url, waiting)).length === 0);
      await other.query('commit')
      return answer
    },
  }
}

test('a checkpoint that another node is moving further is not moved back', async (t) => {
  const { store, other, overtaken } = await twoNodes(t)
  await store.events.append([10, 20, 30].map((time) => event('token.issued', { at: at(time) })))
  await store.events.position()
  const [short, long] = [await store.events.prunable(acme, at(25), 100), await store.events.prunable(acme, at(35), 100)]
  if (short === null || long === null) throw new Error('nothing to prune')
  deepEqual([short.seq, long.seq], [2, 3])
  const values = [acme, long.seq, Buffer.from(long.hash), Buffer.from([1])]
  await other.query('insert into checkpoints (tenant, seq, hash, at, signature) values ($1, $2, $3, 50, $4)', values)
  await other.query('delete from events where tenant = $1', [acme])
  const late = { ...short, at: at(50), signature: Uint8Array.from([2]) }
  equal(await overtaken(() => store.events.prune(late, [])), 'stale')
  equal((await store.events.checkpoint(acme))?.seq, long.seq)
})

test('a list of places that ends while a block of it is leased gives none', async (t) => {
  const { store, other, overtaken } = await twoNodes(t)
  await other.query('commit')
  await store.statusLists.lease(statusBlock({ newList: 'old' }))
  await other.query('begin')
  await other.query('update status_lists set ended_at = 5')
  const block = await overtaken(() => store.statusLists.lease(statusBlock({ newList: 'new' })))
  deepEqual(block, { list: 'new', first: 0 })
})

test('a session that two nodes sweep at once goes with the clients that were told of it', async (t) => {
  const { store, other, overtaken } = await twoNodes(t)
  for (const id of ['one', 'two']) {
    await other.query(`insert into sessions (tenant, id, handle, browser, subject, authenticated_at, acr, amr, created_at, last_seen_at, expires_at)
      values ('acme', '${id}', '${id}', '${id}', 'ada', 1, '1', '', 1, 1, ${id === 'one' ? 1 : 2})`)
    await other.query(
      `insert into session_parties (tenant, session_id, client_id, sid, sub) values ('acme', '${id}', 'web', '${id}', 'ada')`,
    )
  }
  await other.query('commit')
  await other.query('begin')
  await other.query(`delete from session_parties where session_id = 'one'`)
  await other.query(`delete from sessions where id = 'one'`)
  await overtaken(() => store.sweep(at(2 * tombstoneKeeping), 1))
  while ((await store.sweep(at(2 * tombstoneKeeping), 1)) > 0);
  equal((await other.query(`select 1 from sessions`)).rowCount, 0)
  equal((await other.query(`select 1 from session_parties`)).rowCount, 0)
})

/** Of a row that is over, and that the other node needs again just now. */
const renewals: readonly Renewal[] = [
  {
    table: 'token_cutoffs',
    row: `(tenant, dimension, key, at, up_to, until) values ('acme', 'subject', 'alice', 1, 1, 1)`,
    renewed: 'until = 9e12',
  },
  {
    table: 'status_lists',
    row: `(tenant, id, next_index, until) values ('acme', 'one', 1, 1)`,
    renewed: 'until = 9e12',
  },
  { table: 'limits', row: `(key, tat) values ('somebody', 1)`, renewed: 'tat = 9e15' },
  {
    table: 'locks',
    row: `(tenant, key, limit_name, quota, window_seconds, kind, held_by, reached_at, until)
      values ('acme', 'somebody', 'login-account', 1, 1, 'user', 'alice', 1, 1)`,
    renewed: 'until = 9e12',
  },
  {
    table: 'event_deliveries',
    row: `(tenant, receiver, id, pos, type, order_key, payload, state, made_at, queued_at, attempts, attempts_before,
      keep_until) values ('acme', 'hook', 'one', 1, 'ping', '', '{}', 'dead', 1, 1, 1, 0, 1)`,
    renewed: `state = 'waiting', keep_until = null`,
  },
  {
    table: 'validators',
    row: `(tenant, client_id, id, epoch, heard, closes_after, connections, since, seen_at)
      values ('acme', 'api', 'one', 'e', '', 1, 1, 1, 1)`,
    renewed: 'seen_at = 9e12',
    sweep: (store, now) => store.validators.forget(now, 10),
  },
]

interface Renewal {
  readonly table: string
  readonly row: string
  readonly renewed: string
  /** Default the sweep of all that is over. */
  readonly sweep?: (store: Store, now: Instant) => Promise<unknown>
}
const sweepAll = (store: Store, now: Instant): Promise<unknown> => store.sweep(now, 100)

for (const { table, row, renewed, sweep = sweepAll } of renewals) {
  test(`a row of ${table} that is needed again while it is swept stays`, async (t) => {
    const { store, other, overtaken } = await twoNodes(t)
    await other.query(`insert into ${table} ${row}`)
    await other.query('commit')
    await other.query('begin')
    await other.query(`update ${table} set ${renewed}`)
    await overtaken(() => sweep(store, at(2 * tombstoneKeeping)))
    equal((await other.query(`select 1 from ${table}`)).rowCount, 1)
  })
}
