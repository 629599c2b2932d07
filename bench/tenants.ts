/** `node bench/tenants.ts`: what a token costs with one tenant and with 5 000, and how long a start takes with so many. */
import { parseArgs } from 'node:util'
import { temporaryDatabase } from '../interop/database.ts'
import { type Environment, type Folder, runCommand, startServer, temporaryFolder } from '../interop/server.ts'
import { clientId, clientSecret, scope } from './contestants/client.ts'
import { type Contestant, proxied, seed } from './contestants/contestant.ts'
import { applyLoad, formRequest } from './load.ts'
import { cpuRatio, type Participant, measureInTurns } from './measure.ts'
import { residentBytes } from './process-facts.ts'
import { keepReport } from './report.ts'
import { rounded, spread } from './statistics.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const many = 5_000
const plan = values.quick
  ? { rounds: 8, connections: 64, milliseconds: 400, warmUp: 11_000 }
  : { rounds: 90, connections: 64, milliseconds: 300, warmUp: 20_000 }
const starts = values.quick ? 2 : 7

await using stack = new AsyncDisposableStack()
const say = (line: string): void => void process.stderr.write(`${line}\n`)

const names = Array.from({ length: many }, (_, n) => `tenant-${n}`)
const declared = { ...seed, tenants: names.map((id) => ({ id, name: id, ...seed })) }
const request = (tenant: string): Buffer =>
  formRequest({
    path: `/t/${tenant}/token`,
    basic: [clientId, clientSecret],
    form: { grant_type: 'client_credentials', scope },
  })
const requests = names.map(request)

/** Requests to every tenant in turn, in another order than that of their creation. */
function spreadOut(): () => Buffer {
  let n = 0
  return () => requests[(n++ * 2_741) % many] as Buffer
}

async function declare(folder: Folder, objects: object, env: Environment): Promise<void> {
  const file = folder.write('objects.json', objects)
  const { code, stderr } = await runCommand(['apply', file], { data: folder.path, env })
  if (code !== 0) throw new Error(stderr)
}

async function start(folder: Folder, env: Environment): Promise<Contestant> {
  const server = await startServer({ data: folder.path, env: { ...proxied, ...env } })
  return { ...server, stop: async () => void (await server.stop()) }
}

async function readyAfter(folder: Folder, env: Environment): Promise<number> {
  const server = await start(folder, env)
  await server.stop()
  return server.readyAfter
}

async function compare(on: string, envOf: () => Promise<Environment>) {
  const [fewFolder, manyFolder] = [stack.use(temporaryFolder()), stack.use(temporaryFolder())]
  const [fewEnv, manyEnv] = [await envOf(), await envOf()]
  say(`${on}: declaring ${many} tenants`)
  await declare(fewFolder, { tenants: declared.tenants.slice(0, 1) }, fewEnv)
  await declare(manyFolder, declared, manyEnv)

  const ready = { one: [] as number[], many: [] as number[] }
  for (let n = 0; n < starts; n++) {
    ready.one.push(await readyAfter(fewFolder, fewEnv))
    ready.many.push(await readyAfter(manyFolder, manyEnv))
  }
  const withOne = stack.adopt(await start(fewFolder, fewEnv), (one) => one.stop())
  const withMany = stack.adopt(await start(manyFolder, manyEnv), (one) => one.stop())
  const before = residentBytes(withMany.pid)
  say(`${on}: the first token of every tenant, which makes its ring`)
  const first = await applyLoad({ port: withMany.port, request: spreadOut(), connections: 16, requests: many })
  if (first.failures > 0) throw new Error(`${first.failures} first tokens failed`)
  const one: Participant = { name: '1 tenant', contestant: withOne, requests: () => () => requests[0] as Buffer }
  const all: Participant = { name: `${many} tenants`, contestant: withMany, requests: spreadOut }
  const tokens = await measureInTurns([one, all], plan)
  for (const it of tokens) say(`  ${it.name}: ${it.cpu_us_per_request.median} µs, ${it.requests_per_second.median}/s`)
  const ratio = cpuRatio(tokens, all.name, one.name)
  say(
    `  ratio ${ratio}; ready after ${spread(ready.many, 0).median} ms, with one tenant ${spread(ready.one, 0).median} ms`,
  )
  return {
    on,
    ready_ms: { with_one: spread(ready.one, 0), with_many: spread(ready.many, 0) },
    first_tokens_per_second: rounded(many / first.seconds, 0),
    memory_mib: {
      ready: rounded(before / 2 ** 20, 0),
      every_ring_used: rounded(residentBytes(withMany.pid) / 2 ** 20, 0),
    },
    tokens,
    cpu_ratio_many_to_one: ratio,
  }
}

const results = [await compare('SQLite', async () => ({}))]
results.push(
  await compare('PostgreSQL', async () => ({
    GRANTOR_DATABASE_URL: stack.use(await temporaryDatabase()).url,
    GRANTOR_MASTER_KEY: 'a-master-key-for-measuring-only-0123456789',
  })),
)
const report = { tenants: many, plan, results }
if (values.quick) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
else keepReport('tenants', report)
