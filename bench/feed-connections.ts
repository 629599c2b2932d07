/** `node bench/feed-connections.ts`: what thousands of open feed connections cost one node, idle and when something is revoked. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startServer, temporaryFolder } from '../interop/server.ts'
import { claimsOf, httpClientOf } from '../test/faults/http-client.ts'
import { audience, clientId, clientSecret, scope } from './contestants/client.ts'
import { seed } from './contestants/contestant.ts'
import type { ReadersCommand, ReadersReport } from './feed-readers.ts'
import { cpuMicros, residentBytes } from './process-facts.ts'
import { keepReport } from './report.ts'
import { quantile, rounded } from './statistics.ts'
import { monotonicMillis } from './validator-process.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const counts = values.quick ? [100, 500] : [1_000, 10_000]
const revocations = values.quick ? 5 : 10
/** Milliseconds: several heartbeats, and as many looks at each token. */
const idleFor = values.quick ? 6_000 : 20_000

const reader = ['reader', 'bench-reader-secret-of-32-characters'] as const
const declared = {
  client_id: reader[0],
  client_secret: reader[1],
  grant_types: ['client_credentials'],
  response_types: [],
  scope: 'revocations:read',
  resource_server: audience,
}
const most = String(2 * (counts.at(-1) ?? 0))
const env = {
  GRANTOR_LOG: 'warn',
  GRANTOR_LIMIT_TOKEN: 'off',
  GRANTOR_LIMIT_TOKEN_FAILURES: 'off',
  // All of them come from one address here.
  GRANTOR_CONNECTIONS_MOST: most,
  GRANTOR_CONNECTIONS_PER_ADDRESS: most,
}

await using stack = new AsyncDisposableStack()
const say = (line: string): void => void process.stderr.write(`${line}\n`)
const folder = stack.use(temporaryFolder())
const clients = [...seed.clients, declared]
const server = stack.use(
  await startServer({ data: folder.path, seed: folder.write('seed.json', { ...seed, clients }), env }),
)
const http = stack.use(httpClientOf(server))
const readers = stack.adopt(fork(join(import.meta.dirname, 'feed-readers.ts')), ended)
command({ plan: { port: server.port, ca: server.ca ?? '', token: await tokenOf(reader, 'revocations:read') } })

const before = residentBytes(server.pid)
const results: Measured[] = []
for (const count of counts) results.push(await measure(count, results.at(-1)?.connections ?? 0))
const last = results.at(-1)
const report = {
  database: 'SQLite',
  idle_seconds: idleFor / 1000,
  revocations,
  /** Beside how much else: the times are of use on a quiet machine only, memory and CPU on any. */
  load_average: rounded(loadavg()[0] ?? 0, 1),
  resident_mib_without: mib(before),
  results,
  targets: { [`${counts.at(-1)} connections stay open`]: last?.connections === counts.at(-1) && last?.broken === 0 },
}
if (values.quick) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
else keepReport('feed-connections', report)

/** What is shown of one number of connections; the report holds more. */
interface Measured {
  readonly connections: number
  readonly broken: number
}

async function measure(count: number, openBefore: number): Promise<Measured> {
  const cpuBefore = cpuNow()
  command({ open: count })
  const { opened, broken } = await next('opened')
  const opening = cpuNow() - cpuBefore
  say(`${opened} open, ${broken} broken`)
  const idleBefore = cpuNow()
  await after(idleFor)
  const idle = (cpuNow() - idleBefore) / (idleFor / 1000)
  const resident = residentBytes(server.pid)
  const [heard, cpu] = [[] as number[], [] as number[]]
  for (let n = 0; n < revocations; n++) {
    const token = await tokenOf([clientId, clientSecret], scope)
    command({ watch: claimsOf(token).jti })
    await after(50)
    const cpuFrom = cpuNow()
    const asked = monotonicMillis()
    await http.send('/revoke', { basic: [clientId, clientSecret], form: { token } })
    const answer = await next('heard')
    heard.push(...answer.heard.map((at) => at - asked))
    cpu.push(cpuNow() - cpuFrom)
  }
  const ascending = heard.toSorted((a, b) => a - b)
  const result = {
    connections: opened,
    broken,
    resident_mib: mib(resident),
    kib_a_connection: rounded((resident - before) / 1024 / opened, 1),
    opening_cpu_ms_a_connection: rounded(opening / 1000 / Math.max(1, opened - openBefore), 2),
    idle_cpu_percent: rounded(idle / 1e4, 1),
    idle_cpu_us_a_connection_and_second: rounded(idle / opened, 1),
    revocation_cpu_us_a_connection: rounded(
      quantile(
        cpu.toSorted((a, b) => a - b),
        0.5,
      ) / opened,
      1,
    ),
    heard: heard.length,
    of: opened * revocations,
    propagation_ms: { p50: rounded(quantile(ascending, 0.5), 1), p99: rounded(quantile(ascending, 0.99), 1) },
  }
  say(JSON.stringify(result))
  return result
}

function cpuNow(): number {
  return cpuMicros(server.pid) ?? 0
}

async function tokenOf(basic: readonly [string, string], of: string): Promise<string> {
  const { body } = await http.send('/token', { basic, form: { grant_type: 'client_credentials', scope: of } })
  return (JSON.parse(body) as { readonly access_token: string }).access_token
}

function command(message: ReadersCommand): void {
  readers.send(message)
}

function next<K extends 'opened' | 'heard'>(kind: K): Promise<Extract<ReadersReport, Record<K, unknown>>> {
  return new Promise((resolve) => {
    const listen = (message: ReadersReport): void => {
      if (!(kind in message)) return
      readers.off('message', listen)
      resolve(message as Extract<ReadersReport, Record<K, unknown>>)
    }
    readers.on('message', listen)
  })
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}

function mib(bytes: number): number {
  return rounded(bytes / 2 ** 20, 1)
}
