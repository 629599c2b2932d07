/** The log of PostgreSQL in parts: made ahead, filled, dropped whole, by several nodes at once and after a crash. */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Instant, TenantId } from '@grantor/protocol/types'
import pg from 'pg'
import type { Store } from '../src/index.ts'
import { openPostgres } from '../src/drivers/postgres/engine.ts'
import { migrationsOf } from '../src/schema/migrations.ts'
import { acme, at, event, other } from '../suite/samples/values.ts'
import { openAuditKey as auditKey } from './support/audit-key.ts'
import { ask, freshSchema } from './support/fresh-schema.ts'
import { verified } from './support/verified-log.ts'

const least = 20
const month = 30 * 24 * 60 * 60 * 1000

interface PartedLog {
  readonly store: Store
  /** Another node over it. */
  open(): Promise<Store>
  /** The names of the tables that hold it, and how many events each does. */
  tables(): Promise<readonly string[]>
  ask(text: string): Promise<readonly Record<string, unknown>[]>
  /** Does it in a transaction that is still open. */
  hold(text: string): Promise<pg.Client>
}

async function partedLog(t: TestContext, migrations = migrationsOf('postgres')): Promise<PartedLog> {
  const { url, schema, drop } = await freshSchema()
  const stores: Store[] = []
  t.after(async () => {
    for (const store of stores) await store.close()
    await drop()
  })
  const open = async (upgrade = {}): Promise<Store> => {
    const store = await openPostgres({ url, schema, auditKey, patience: 60_000, leastLogPart: least, upgrade })
    stores.push(store)
    return store
  }
  const here = `${url}?options=-c%20search_path%3D${schema}`
  const askHere = (text: string) => ask(here, text)
  const hold = async (text: string): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: here })
    await client.connect()
    t.after(() => client.end())
    await client.query(`begin; ${text}`)
    return client
  }
  const tables = async () => {
    const rows =
      await askHere(`select c.relname::text as name, (select count(*) from events e where e.tableoid = c.oid) as count
      from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'events'::regclass order by c.oid`)
    return rows.map(({ name, count }) => `${String(name)}: ${String(count)}`)
  }
  return { store: await open({ migrations }), open, tables, ask: askHere, hold }
}

async function write(store: Store, count: number, time: number, tenant: TenantId = acme): Promise<void> {
  for (let n = 0; n < count; n += 1) await store.events.append([event('token.issued', { tenant, at: at(time) })])
  await store.events.position()
}

/** Each tenant's log ends at a checkpoint, as if retention had looked at all of it. */
async function checkpointAll(store: Store): Promise<void> {
  for (const tenant of [acme, other]) {
    const head = await store.events.head(tenant)
    if (head === null) continue
    const checkpoint = { ...head, at: at(0), signature: store.events.macOf(head, 'checkpoint') }
    equal(await store.events.prune(checkpoint, []), 'pruned')
  }
}

test('a short log has no parts; a longer one gets the next before it is needed, and reads as one', async (t) => {
  const { store, tables } = await partedLog(t)
  await write(store, 19, 1_000)
  await store.events.keepPartsAhead(at(1_000 + month))
  deepEqual(await tables(), ['events_rest: 19'])
  await write(store, 6, 1_000)
  await store.events.keepPartsAhead(at(1_000 + month))
  await store.events.keepPartsAhead(at(1_000 + month))
  // From the second multiple on, so that nothing gets there first; and as long as a month was before.
  deepEqual(await tables(), ['events_rest: 25', 'events_60_100: 0'])
  await write(store, 60, 2_000)
  deepEqual(await tables(), ['events_rest: 59', 'events_60_100: 26'])
  await store.events.keepPartsAhead(at(2_000 + month))
  await write(store, 10, 2_000, other)
  await write(store, 10, 3_000)
  deepEqual(await tables(), ['events_rest: 59', 'events_60_100: 40', 'events_100_140: 6'])

  equal((await verified(store, acme)).length, 95)
  equal((await verified(store, other)).length, 10)
  equal(await store.events.lost(), 0)
  equal((await store.events.before(acme, Number.MAX_SAFE_INTEGER, 1_000)).length, 95)
  deepEqual(
    (await store.events.after(acme, 45, 10)).map(({ seq }) => seq),
    [46, 47, 48, 49, 50, 51, 52, 53, 54, 55],
  )
})

test('a part that another node is dropping at this moment is looked for again next time', async (t) => {
  const { store, ask: askHere, hold } = await partedLog(t)
  await write(store, 25, 1_000)
  await store.events.keepPartsAhead(at(1_000 + month))
  await write(store, 80, 2_000)
  const dropping = await hold('drop table events_60_100')
  const looking = store.events.oldestPart(at(9_000))
  // It has seen the name, and waits for the table.
  while (
    (await askHere(`select 1 from pg_locks where relation = 'events_60_100'::regclass and not granted`)).length < 1
  );
  await dropping.query('commit')
  equal(await looking, null)
  equal(await store.events.oldestPart(at(9_000)), null)
})

test('no position is given twice, whatever part it would lie in', async (t) => {
  const { store, ask: askHere } = await partedLog(t)
  await write(store, 25, 1_000)
  await store.events.keepPartsAhead(at(1_000 + month))
  await write(store, 45, 1_000)
  for (const position of [3, 65])
    await rejects(
      askHere(`insert into events select (e).* from (select e from events e where pos = ${position}) it`),
      /events_.*pkey/,
    )
})

test('a part goes whole when its events are old and the next has begun; what is behind it verifies', async (t) => {
  const { store, tables } = await partedLog(t)
  await write(store, 25, 1_000)
  await store.events.keepPartsAhead(at(1_000 + month))
  await write(store, 40, 2_000)
  await write(store, 20, 3_000, other)
  await store.events.keepPartsAhead(at(2_000 + month))
  equal(await store.events.oldestPart(at(9_000)), null, 'it is in use')
  await write(store, 20, 4_000)
  equal(await store.events.oldestPart(at(4_000)), null, 'it is young')
  const part = await store.events.oldestPart(at(4_001))
  ok(part !== null)
  deepEqual(
    part.heads.map(({ tenant, seq }) => `${tenant} ${seq}`),
    [`${acme} 79`, `${other} 20`],
  )
  await checkpointAll(store)
  deepEqual(
    await tables(),
    ['events_rest: 0', 'events_60_100: 40', 'events_100_140: 6'],
    'only the rest goes row by row',
  )
  equal(await store.events.prunable(acme, at(9_000), 10), null, 'all is behind the checkpoint')
  equal(await store.events.dropPart(part), true)
  equal(await store.events.dropPart(part), true, 'twice is once')
  deepEqual(await tables(), ['events_rest: 0', 'events_100_140: 6'])
  equal(await store.events.lost(), 0)
  await write(store, 2, 5_000, other)
  equal((await store.events.head(other))?.seq, 22)
  equal((await store.events.head(acme))?.seq, 85)
  equal(await store.events.lost(), 0)
})

test('nodes that look at once make one part', async (t) => {
  const { store, open, tables } = await partedLog(t)
  const stores = [store, await open(), await open()]
  await write(store, 25, 1_000)
  const now = at(1_000 + month)
  await Promise.all(stores.map((it, n) => it.events.keepPartsAhead((now + n * month) as Instant)))
  equal((await tables()).length, 2)
})

test('a part that was begun by a node which died is made by the next, or given up where events came first', async (t) => {
  const { store, tables, ask: askHere } = await partedLog(t)
  await write(store, 25, 1_000)
  const begin = (first: number, past: number) =>
    askHere(`alter table events_rest add constraint events_without_${first}_${past}
      check (pos < ${first} or pos >= ${past}) not valid`)
  await begin(60, 80)
  await store.events.keepPartsAhead(at(1_000 + month))
  deepEqual(await tables(), ['events_rest: 25', 'events_60_80: 0'])
  await begin(20, 40)
  await store.events.keepPartsAhead(at(1_000 + month))
  deepEqual(await tables(), ['events_rest: 25', 'events_60_80: 0'])
  await write(store, 60, 2_000)
  equal((await verified(store, acme)).length, 85)
})

test('where nobody makes parts every event has its place, and parts go on behind them', async (t) => {
  const { store, tables } = await partedLog(t)
  await write(store, 25, 1_000)
  await store.events.keepPartsAhead(at(1_000 + month))
  await write(store, 85, 2_000)
  deepEqual(await tables(), ['events_rest: 70', 'events_60_100: 40'])
  await store.events.keepPartsAhead(at(2_000 + month))
  await write(store, 60, 3_000)
  const [, , next] = await tables()
  ok(next?.startsWith('events_140_') === true)
  equal((await verified(store, acme)).length, 170)
})

test('a log that is there already becomes the rest without being read, and goes on', async (t) => {
  const all = migrationsOf('postgres')
  const before = all.findIndex(({ name }) => name === 'expand-parts-of-the-log')
  const { store, open, tables } = await partedLog(t, all.slice(0, before))
  await write(store, 30, 1_000)
  const upgraded = await open()
  deepEqual(await tables(), ['events_rest: 30'])
  // The node of the version before, whose statements were prepared over the old table.
  await write(store, 5, 1_000)
  await upgraded.events.keepPartsAhead(at(1_000 + month))
  await write(store, 40, 1_000)
  equal((await verified(upgraded, acme)).length, 75)
})
