/** `node bench/status-entries.ts`: space of listed tokens in PostgreSQL, and cost to find those that end together. */
import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { statusListSize } from '@grantor/protocol/status-list'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { ListedPopulation, Store } from '@grantor/store'
import { openPostgres } from '@grantor/store/postgres'
import { Client } from 'pg'
import { temporaryDatabase } from '../interop/database.ts'
import { keepReport } from './report.ts'
import { median, rounded } from './statistics.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const steps = values.quick ? [1] : [1, 3]
const rounds = values.quick ? 20 : 200
const leases = values.quick ? 100 : 1_000
const liveTokens = 100_000_000
const tokensOfAGrant = 4
const clients = 1_000
const tenant = 'default' as TenantId
const now = Date.now() as Instant

await using stack = new AsyncDisposableStack()
const database = stack.use(await temporaryDatabase())
const key = randomBytes(32)
const store: Store = stack.adopt(
  await openPostgres({ url: database.url, auditKey: (sealed) => ({ key, sealed: sealed ?? key }) }),
  (it) => it.close(),
)
const sql = stack.adopt(new Client({ connectionString: database.url }), (it) => it.end())
await sql.connect()
await sql.query('set search_path to grantor')

/** Writes a full list of tokens as issuance does: random places, and a few tokens per grant and session. */
async function fillList(n: number): Promise<void> {
  await sql.query(
    `insert into status_entries (tenant, list, idx, client_id, grant_id, session_id, issued_at)
     select $1, $2, i, 'client-' || i % ${clients}, md5($2 || i / ${tokensOfAGrant}), md5('s' || $2 || i / ${tokensOfAGrant}), $3
     from generate_series(0, ${statusListSize - 1}) i order by md5(i::text)`,
    [tenant, `list-${n}`, now],
  )
  await sql.query(
    `insert into status_lists (tenant, id, next_index, until) values ($1, $2, ${statusListSize}, $3)
     on conflict do nothing`,
    [tenant, `list-${n}`, now + 3_600_000],
  )
}

/** Median milliseconds that a node waits, including the database's own work. */
async function millisecondsOf(work: (round: number) => Promise<unknown>, times = rounds): Promise<number> {
  const taken: number[] = []
  for (let round = 0; round < times; round++) {
    const before = performance.now()
    await work(round)
    taken.push(performance.now() - before)
  }
  return rounded(median(taken), 2)
}

const grantsOf = async (count: number): Promise<readonly ListedPopulation[]> => {
  const { rows } = await sql.query(
    `select distinct grant_id from (select grant_id from status_entries tablesample system (0.5) limit ${count * 8}) sample limit ${count}`,
  )
  return rows.map((row: { grant_id: string }) => ({ dimension: 'grant', key: row.grant_id, issuedUpTo: now }))
}

const before = performance.now()
for (let n = 0; n < leases; n++)
  await store.statusLists.lease({ tenant, size: 1024, until: (now + 3_600_000) as Instant, newList: `leased-${n}` })
const leaseUs = ((performance.now() - before) * 1000) / leases / 1024

interface Measured {
  readonly tokens: number
  readonly bytes_of_row: number
  readonly bytes_of_indexes: number
  readonly ms_to_find_a_grant: number
  readonly ms_to_find_500_grants: number
  readonly ms_to_find_a_client: number
  readonly tokens_of_that_client: number
}
const measured: Measured[] = []
let filled = 0
for (const lists of steps) {
  while (filled < lists) await fillList(filled++)
  await sql.query('vacuum analyze status_entries')
  const tokens = lists * statusListSize
  const { rows } = await sql.query(
    `select pg_table_size('status_entries') as heap, pg_indexes_size('status_entries') as indexes`,
  )
  const [{ heap, indexes }] = rows as [{ heap: string; indexes: string }]
  const grants = await grantsOf(1_000)
  const client: ListedPopulation = { dimension: 'client', key: 'client-1', issuedUpTo: now }
  measured.push({
    tokens,
    bytes_of_row: rounded(Number(heap) / tokens),
    bytes_of_indexes: rounded(Number(indexes) / tokens),
    ms_to_find_a_grant: await millisecondsOf((n) =>
      store.statusLists.places(tenant, grants.slice(n % grants.length).slice(0, 1)),
    ),
    ms_to_find_500_grants: await millisecondsOf(() => store.statusLists.places(tenant, grants.slice(0, 500)), 20),
    ms_to_find_a_client: await millisecondsOf(() => store.statusLists.places(tenant, [client]), 20),
    tokens_of_that_client: (await store.statusLists.places(tenant, [client])).length,
  })
  process.stderr.write(`${JSON.stringify(measured.at(-1))}\n`)
}

await sql.query('update status_lists set until = 0')
const swept = performance.now()
let gone = 0
for (let n = 0; n < 20; n++) gone += await store.sweep(now, 1_000)

const bytes = (it: Measured): number => it.bytes_of_row + it.bytes_of_indexes
const report = {
  database: 'PostgreSQL on the same machine',
  tokens_of_a_grant: tokensOfAGrant,
  clients,
  lease_us_for_each_token: rounded(leaseUs, 2),
  measured,
  rows_swept_per_second: Math.round(gone / ((performance.now() - swept) / 1000)),
  /** Calculated, not measured: rows keep their size, and indexes get one more level. */
  extrapolated_to_tokens: liveTokens,
  extrapolated_gigabytes: measured.slice(-1).map((it) => rounded((liveTokens * bytes(it)) / 1e9)),
}
if (values.quick) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
else keepReport('status-entries', report)
