/** `node bench/admin.ts`: every list and search of the admin API over a million people and grants, on both databases. */
import { parseArgs } from 'node:util'
import { temporaryDatabase } from '../interop/database.ts'
import { type Environment, startServer, temporaryFolder } from '../interop/server.ts'
import { type AdminDatabase, fillPostgres, fillSqlite } from './admin-rows.ts'
import { proxied } from './contestants/contestant.ts'
import { applyLoad, formRequest } from './load.ts'
import { keepReport } from './report.ts'
import { quantile, rounded } from './statistics.ts'

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    on: { type: 'string', default: 'SQLite,PostgreSQL' },
    quick: { type: 'boolean', default: false },
  },
})
const rows = values.quick ? 10_000 : Number(values.rows)
const events = Math.ceil(rows / 5)
const samples = 40
/** The target for every list and search, in milliseconds. */
const target = 100
const say = (line: string): void => void process.stderr.write(`${line}\n`)

/** Several callers, because each has a rate limit. */
const callers = Array.from({ length: 8 }, (_, n) => `admin-${n}`)
const secret = 'a-secret-for-measuring-only-0123456789'
const nouns = [
  'clients',
  'users',
  'grants',
  'consents',
  'sessions',
  'events',
  'devices',
  'statistics',
  'locks',
  'mails',
]
const scope = nouns.map((noun) => `admin:${noun}:read`).join(' ')
const seed = {
  clients: callers.map((client_id) => ({
    client_id,
    client_secret: secret,
    client_name: client_id,
    grant_types: ['client_credentials'],
    response_types: [],
    token_endpoint_auth_method: 'client_secret_basic',
    scope,
  })),
}

const middle = String(Math.ceil(rows / 2)).padStart(7, '0')
const nobody = 'nobody-of-that-name'

/** Typical requests: the first page, a later one, every filter, with many results and with none. */
const lists: readonly string[] = [
  'users',
  'users?username[prefix]=person0001',
  `users?username[prefix]=${nobody}`,
  `users?username=person${middle}`,
  `users?email=person${middle}@example.com`,
  'clients',
  'clients?sort=-id',
  `clients?client_name[contains]=${middle}`,
  `clients?client_name[contains]=${nobody}`,
  'clients?kind=machine',
  'clients?kind=device',
  'clients?origin=dynamic',
  'clients?origin=declared',
  'clients?disabled=true',
  'clients?application_type=native',
  ...['grants', 'consents'].flatMap((noun) => [
    noun,
    `${noun}?subject=u${middle}`,
    `${noun}?subject=${nobody}`,
    `${noun}?subject=busy`,
    `${noun}?client_id=c0000007`,
    `${noun}?client_id=ended`,
    `${noun}?client_id=${nobody}`,
    `${noun}?subject=u${middle}&client_id=c0000001`,
    `${noun}?subject=busy&client_id=ended`,
  ]),
  'sessions',
  `sessions?subject=u${middle}`,
  `sessions?subject=${nobody}`,
  'sessions?subject=busy',
  'events',
  'events?sort=seq',
  'events?name=token.issued',
  `events?subject=u${middle}`,
  `events?subject=${nobody}`,
  `events?client_id=${nobody}`,
  'devices',
  'devices?client_id=c0000007',
  'statistics',
  'statistics?step=day',
  'locks',
  'mails',
]

type Ask = (path: string) => Promise<{ readonly milliseconds: number; readonly next: string | null }>

async function askAs(base: string, caller: string): Promise<Ask> {
  const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'localhost:8443' }
  const answer = await fetch(`${base}/token`, {
    method: 'POST',
    headers: { ...forwarded, authorization: `Basic ${Buffer.from(`${caller}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
  })
  const { access_token } = (await answer.json()) as { readonly access_token: string }
  const headers = { ...forwarded, authorization: `Bearer ${access_token}` }
  return async (path) => {
    const began = performance.now()
    const page = await fetch(`${base}${path}`, { headers })
    const body = (await page.json()) as { readonly next?: string }
    const milliseconds = performance.now() - began
    if (page.status !== 200) throw new Error(`${path}: ${page.status} ${JSON.stringify(body)}`)
    return { milliseconds, next: body.next ?? null }
  }
}

interface Timed {
  readonly p50_ms: number
  readonly p95_ms: number
  readonly worst_ms: number
}

async function timed(path: string, ask: Ask): Promise<Timed> {
  const taken: number[] = []
  // From the second page on, each request follows a cursor, so that the same page is not read again and again.
  for (let n = 0, at: string | null = path; n < samples; n++) {
    const { milliseconds, next } = await ask(at ?? path)
    taken.push(milliseconds)
    at = n % 2 === 0 ? path : next
  }
  const ascending = taken.toSorted((one, other) => one - other)
  const at = (q: number): number => rounded(quantile(ascending, q), 1)
  return { p50_ms: at(0.5), p95_ms: at(0.95), worst_ms: at(1) }
}

/** Events form a hash chain, so they are written by issuing tokens. */
async function writeEvents(port: number): Promise<void> {
  const form = { grant_type: 'client_credentials', scope: 'admin:events:read' }
  const request = formRequest({ path: '/token', basic: ['admin-0', secret], form })
  const { failures } = await applyLoad({ port, request: () => request, connections: 64, requests: events })
  if (failures > 0) throw new Error(`${failures} tokens were refused`)
}

async function measured(on: string, database: AdminDatabase, env: Environment) {
  using folder = temporaryFolder()
  const start = () =>
    startServer({
      data: folder.path,
      seed: folder.write('seed.json', seed),
      env: { ...proxied, ...env },
    })
  // The first start creates the tables.
  await (await start()).stop()
  say(`${on}: filling ${rows} rows a noun`)
  await database.fill(folder.path, rows)
  const server = await start()
  const found: Record<string, Timed> = {}
  try {
    say(`${on}: ${events} events`)
    await writeEvents(server.port)
    const asks = await Promise.all(callers.map((caller) => askAs(`http://127.0.0.1:${server.port}`, caller)))
    // The first call loads the admin API.
    for (const ask of asks) await ask('/v1/users')
    for (const [n, list] of lists.entries()) {
      try {
        const times = await timed(`/v1/${list}`, asks[n % asks.length] as Ask)
        found[list] = times
        say(`  ${times.p95_ms > target ? '!' : ' '} ${list}: ${times.p50_ms} ms, p95 ${times.p95_ms} ms`)
      } catch (error) {
        say(`  ! ${list}: ${String(error)}`)
      }
    }
  } finally {
    await server.stop()
  }
  return { on, lists: found, every_list_within_target: lists.every((it) => (found[it]?.p95_ms ?? Infinity) < target) }
}

const wanted = values.on.split(',')
const results = []
if (wanted.includes('SQLite')) results.push(await measured('SQLite', { fill: fillSqlite }, {}))
if (wanted.includes('PostgreSQL')) {
  await using database = await temporaryDatabase()
  const fill = (_folder: string, count: number) => fillPostgres(database.url, count)
  const env = { ...database.settings, GRANTOR_MASTER_KEY: 'a-master-key-for-measuring-only-0123456789' }
  results.push(await measured('PostgreSQL', { fill }, env))
}
const report = { rows, events, samples, target_ms: target, results }
if (values.quick || results.length < 2) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
else keepReport('admin', report)
