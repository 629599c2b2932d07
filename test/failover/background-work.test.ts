/** The primary is killed in the middle of what nodes do in the background; at the new one it goes on where it was. */
import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { linkForm, type Store, StoreUnavailable } from '@grantor/store'
import { openPostgres, type PostgresOptions } from '@grantor/store/postgres'
import { until } from '../faults/until.ts'
import { countedRows, countedTable, withCounting } from './counted-rows.ts'
import { type PostgresServer, promote, startPair } from './postgres-server.ts'

type NewEvent = Parameters<Store['events']['append']>[0][number]
type Tenant = NewEvent['tenant']
type Instant = NewEvent['at']

const tenant = 'default' as Tenant
const begun = 1_000 as Instant
const day = 24 * 60 * 60 * 1000
/** All that was written at the beginning is old by then. */
const now = (begun + 30 * day) as Instant
const expired = 3_000
const living = 500
const grown = 20_000

const nothing = { subject: null, clientId: null, grantId: null, jti: null, scope: null, reason: null, ip: null }
const event = (): NewEvent => ({
  ...nothing,
  id: randomUUID() as unknown as NewEvent['id'],
  tenant,
  at: begun,
  name: 'token.issued',
  actor: { kind: 'system', id: null },
  traceId: null,
  data: null,
})

/** Null while the database is away: whoever works in the background comes again. */
const unlessAway = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch(async (error: unknown) => {
    ok(error instanceof StoreUnavailable, String(error))
    return setTimeout(25, null)
  })

const progress = { asked: 0, acknowledged: 0, dropped: 0, swept: 0, counted: 0, cutOff: 0 }

/** Appends, makes parts of the log ahead and drops the old ones. */
async function keepLog(store: Store, signal: AbortSignal): Promise<void> {
  const { events } = store
  while (!signal.aborted) {
    for (let n = 0; n < 4; n += 1) {
      progress.asked += 1
      if ((await unlessAway(events.append([event()]).then(() => true))) === true) progress.acknowledged += 1
    }
    await unlessAway(events.position())
    await unlessAway(events.keepPartsAhead(now))
    await unlessAway(dropOldest(store))
  }
}

async function dropOldest({ events }: Store): Promise<void> {
  const part = await events.oldestPart(now)
  if (part === null) return
  for (const head of part.heads)
    await events.prune({ ...head, at: now, signature: events.macOf(head, 'checkpoint') }, [])
  if (await events.dropPart(part)) progress.dropped += 1
}

async function sweepAll(store: Store, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const freed = await unlessAway(store.sweep(now, 10))
    if (freed === 0) return
    progress.swept += freed ?? 0
    await setTimeout(5)
  }
}

/** Cut off by an outage it is begun again, as a node is that its service manager starts. */
async function migrate(options: PostgresOptions, signal: AbortSignal): Promise<void> {
  const report = (_: unknown, done: number): void => void (progress.counted = done)
  while (!signal.aborted) {
    const store = await unlessAway(openPostgres({ ...options, upgrade: { migrations: withCounting, report } }))
    if (store !== null) return store.close()
    progress.cutOff += 1
  }
}

/** What is left of the chain, from its checkpoint on, as a verifier walks it; the last number. */
async function verifiedEnd({ events }: Store): Promise<number> {
  await events.position()
  const checkpoint = await events.checkpoint(tenant)
  let { seq, hash } = checkpoint ?? { seq: 0, hash: null }
  for (;;) {
    const rows = await events.rows(tenant, seq, 500)
    for (const row of rows) {
      seq += 1
      equal(row.seq, seq)
      if (hash !== null) notEqual(linkForm(hash, row, row.hash), null)
      hash = row.hash
    }
    if (rows.length === 0) return seq
  }
}

/** It grew and nobody has looked at it yet, nor can before the commit; what the server counted of that is gone with it. */
const grow = (server: PostgresServer): Promise<unknown> =>
  server.ask(`lock table grantor.used_proofs in share update exclusive mode; insert into grantor.used_proofs (tenant, handle, expires_at)
    select 'default', 'h' || n, ${Number.MAX_SAFE_INTEGER} from generate_series(1, ${grown}) n`)

test('parts of the log, sweeps, the batches of a migration and statistics go on at the new primary, nothing lost and nothing done twice', async () => {
  await using pair = await startPair()
  const { primary, standby } = pair
  const key = new Uint8Array(32).fill(1)
  const auditKey: PostgresOptions['auditKey'] = (sealed) => ({ key: sealed ?? key, sealed: sealed ?? key })
  const options: PostgresOptions = { url: pair.url, auditKey, patience: 2_000, leastLogPart: 16 }
  const store = await openPostgres(options)
  await using stack = new AsyncDisposableStack()
  stack.defer(() => store.close())
  await primary.ask(countedTable)
  await primary.ask(`insert into grantor.assertions (tenant, client, handle, expires_at)
    select 'default', 'c', 'old' || n, ${begun} from generate_series(1, ${expired}) n
    union all select 'default', 'c', 'young' || n, ${now + day} from generate_series(1, ${living}) n`)

  const stop = new AbortController()
  const failed = new AbortController()
  const either = AbortSignal.any([stop.signal, failed.signal])
  stack.defer(() => failed.abort())
  const keeping = keepLog(store, either)
  await Promise.race([until(() => setTimeout(5, progress.dropped), Boolean, 120_000), keeping])
  const working = Promise.all([keeping, sweepAll(store, failed.signal), migrate(options, failed.signal)])
  const reaches = (enough: () => boolean): Promise<unknown> =>
    Promise.race([until(() => setTimeout(5, enough()), Boolean, 120_000), working])
  await reaches(() => progress.swept > 20 && progress.counted > 400)
  await grow(primary)
  await primary.kill()
  const before = { ...progress }
  ok(before.swept < expired && before.counted < countedRows, 'all of it is under way')
  await promote(standby)

  await reaches(() => progress.dropped > before.dropped + 2 && progress.acknowledged > before.acknowledged + 200)
  stop.abort()
  await working
  ok(progress.cutOff > 0, 'the migration was cut off')

  const times = 'select times, count(*)::int as n from grantor.counted group by times'
  deepEqual(await standby.ask(times), [{ times: 1, n: countedRows }])
  deepEqual(await standby.ask(`select number from grantor.migration_work`), [])
  const left = `select count(*)::int as n from grantor.assertions where handle like 'young%' or handle like 'old%'`
  deepEqual(await standby.ask(left), [{ n: living }])

  const end = await verifiedEnd(store)
  ok(end >= progress.acknowledged, `${progress.acknowledged} were acknowledged, the log ends at ${end}`)
  ok(end <= progress.asked, `${progress.asked} were asked for, the log ends at ${end}`)
  equal(await store.events.lost(), 0)
  await store.events.keepPartsAhead(now)
  deepEqual(await standby.ask(`select conname from pg_constraint where conname like 'events_without_%'`), [])

  // A plan made for an empty table would read all rows of a tenant.
  await until(
    () => standby.ask<{ n: number }>(`select reltuples as n from pg_class where oid = 'grantor.used_proofs'::regclass`),
    ([row]) => (row?.n ?? 0) >= grown,
    60_000,
  )
})
