/** `node bench/sealing.ts`: how fast events are written and sealed, and how long an event waits for its seal. */
import { randomBytes, randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { NewEvent } from '@grantor/protocol/events'
import type { EventId, Instant, TenantId } from '@grantor/protocol/types'
import type { AuditKeySource, Store } from '@grantor/store'
import { openPostgres } from '@grantor/store/postgres'
import { openSqlite } from '@grantor/store/sqlite'
import { temporaryDatabase } from '../interop/database.ts'
import { temporaryFolder } from '../interop/server.ts'
import { keepReport } from './report.ts'
import { quantile, rounded, spread } from './statistics.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const rounds = values.quick ? 2 : 7
const perRound = values.quick ? 10_000 : 40_000
/** Concurrent writes of a busy server; each verb carries one event, as issuance does. */
const writers = 256
const tenants = Array.from({ length: 20 }, (_, n) => `tenant-${n}` as TenantId)

await using stack = new AsyncDisposableStack()
const say = (line: string): void => void process.stderr.write(`${line}\n`)
const key = randomBytes(32)
const auditKey: AuditKeySource = (sealed) => ({ key, sealed: sealed ?? key })

const event = (tenant: TenantId): NewEvent => ({
  id: randomUUID() as string as EventId,
  tenant,
  at: Date.now() as Instant,
  name: 'token.rejected',
  actor: { kind: 'resource_server', id: 'https://api.bench.example' },
  subject: null,
  clientId: 'bench',
  grantId: null,
  jti: null,
  scope: 'bench:read',
  reason: 'token_expired',
  ip: '192.0.2.1',
  traceId: null,
  data: null,
})

/** Events per second, from the first write until the last one is sealed. */
async function throughput(store: Store): Promise<number> {
  let begun = 0
  const writer = async (): Promise<void> => {
    while (begun < perRound) await store.events.append([event(tenants[begun++ % tenants.length] as TenantId)])
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: writers }, writer))
  await store.events.position()
  return (perRound * 1000) / (performance.now() - start)
}

/** Milliseconds from the commit of one event to the moment a reader on the same node could see it sealed. */
async function delays(store: Store, count: number): Promise<Float64Array> {
  const found: number[] = []
  for (let n = 0; n < count; n++) {
    const before = (await store.events.head(tenants[0] as TenantId))?.seq ?? 0
    await store.events.append([event(tenants[0] as TenantId)])
    const committed = performance.now()
    // Polls the head without a pause, and does not request sealing.
    while (((await store.events.head(tenants[0] as TenantId))?.seq ?? 0) <= before);
    found.push(performance.now() - committed)
  }
  return Float64Array.from(found).toSorted()
}

async function measure(on: string, store: Store) {
  say(`${on}: ${rounds} rounds of ${perRound} events`)
  await throughput(store)
  const rates: number[] = []
  for (let n = 0; n < rounds; n++) rates.push(await throughput(store))
  const waits = await delays(store, values.quick ? 50 : 500)
  const [p50, p99, most] = [0.5, 0.99, 1].map((q) => rounded(quantile(waits, q), 2))
  say(`  ${spread(rates, 0).median} events/s; commit to sealed p50 ${p50} ms, p99 ${p99} ms, most ${most} ms`)
  return { on, events_per_second: spread(rates, 0), commit_to_sealed_ms: { p50, p99, most } }
}

const folder = stack.use(temporaryFolder())
const sqlite = stack.adopt(await openSqlite({ path: `${folder.path}/log.db`, auditKey }), (it) => it.close())
const database = stack.use(await temporaryDatabase())
const postgres = stack.adopt(await openPostgres({ url: database.url, auditKey }), (it) => it.close())
const results = [await measure('SQLite', sqlite), await measure('PostgreSQL', postgres)]
const report = { writers, tenants: tenants.length, rounds, events_per_round: perRound, results }
if (values.quick) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
else keepReport('sealing', report)
