/** `npm run bench`: what a token costs, against the least it can cost on this stack and against a peer. */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { temporaryDatabase } from '../interop/database.ts'
import { type Folder, temporaryFolder } from '../interop/server.ts'
import { tokenRequest } from './contestants/client.ts'
import { allocator, type Contestant, startGrantor, startProgram } from './contestants/contestant.ts'
import { measureEnumeration } from './enumeration.ts'
import { applyLoad, type LoadResult } from './load.ts'
import { cpuRatio, type Participant, type Measured, measureInTurns } from './measure.ts'
import { introspections, revocations } from './other-requests.ts'
import { residentBytes } from './process-facts.ts'
import { keepPlot, keepReport } from './report.ts'
import { quantile, rounded, spread } from './statistics.ts'
import { compareTokens } from './token-before.ts'
import { names, tokenPicture } from './token-picture.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    /** Another checkout of Grantor with its node_modules, measured in the same rounds: what was before. */
    also: { type: 'string' },
  },
})
const connections = 64
const plan = values.quick
  ? { rounds: 6, connections, milliseconds: 400, warmUp: 8_000 }
  : { rounds: 120, connections, milliseconds: 200, warmUp: 40_000 }
const tokensForMemory = values.quick ? 20_000 : 100_000

const masterKey = 'a-master-key-for-measuring-only-0123456789'

await using stack = new AsyncDisposableStack()
const folderFor = (): Folder => stack.use(temporaryFolder())
const running = (contestant: Contestant): Contestant => stack.adopt(contestant, (one) => one.stop())
const say = (line: string): void => void process.stderr.write(`${line}\n`)

const database = stack.use(await temporaryDatabase())
const postgresEnv = { GRANTOR_DATABASE_URL: database.url, GRANTOR_MASTER_KEY: masterKey }
const sqliteFolder = folderFor()
const postgresFolder = folderFor()

say('starting')
const floor = running(await startProgram('floor.ts'))
const peer = running(await startProgram('oidc-provider.ts'))
const sqlite = running(await startGrantor(sqliteFolder, {}))
const postgres = running(await startGrantor(postgresFolder, postgresEnv))
const before = values.also === undefined ? [] : await startBefore(values.also)

const always = (request: Buffer) => () => () => request
const asking = (name: string, contestant: Contestant): Participant => ({
  name,
  contestant,
  requests: always(tokenRequest()),
})
say(`tokens: ${plan.rounds} rounds of ${plan.milliseconds} ms each`)
const tokens = await measureInTurns(
  [
    asking(names.floor, floor),
    asking(names.sqlite, sqlite),
    asking(names.postgres, postgres),
    asking(names.peer, peer),
    ...before.map(({ name, contestant }) => asking(name, contestant)),
  ],
  plan,
)
for (const { contestant } of before) await contestant.stop()
for (const one of tokens) say(`  ${one.name}: ${one.cpu_us_per_request.median} µs, ${one.requests_per_second.median}/s`)

say('latency at half of saturation')
const paced = [await atHalf(names.sqlite, sqlite, tokens), await atHalf(names.postgres, postgres, tokens)]

say('introspection and revocation')
const short = { ...plan, rounds: Math.min(12, plan.rounds), warmUp: 2_000 }
const introspection = await measureInTurns(
  [await introspections(names.sqlite, sqlite), await introspections(names.postgres, postgres)],
  short,
)
// Each revocation needs a token of its own, made beforehand: as many as the rounds can use up.
const tokensToRevoke = { ...short, milliseconds: 400, warmUp: 1_000 }
const revocation = await measureInTurns(
  [
    await revocations(names.sqlite, sqlite, tokensToRevoke),
    await revocations(names.postgres, postgres, tokensToRevoke),
  ],
  tokensToRevoke,
)

say('wrong secret against unknown client')
const enumeration = {
  [names.sqlite]: await measureEnumeration(sqlite, values.quick ? 500 : 3_000),
  [names.postgres]: await measureEnumeration(postgres, values.quick ? 500 : 3_000),
}

say(`memory over ${tokensForMemory} tokens`)
const memory = await memoryOver(sqlite, tokensForMemory)

say('time to ready')
const ready = { first_start_ms: await firstStarts(3), later_start_ms: await laterStarts(5) }

const ratios = {
  sqlite_to_floor: cpuRatio(tokens, names.sqlite, names.floor),
  postgres_to_floor: cpuRatio(tokens, names.postgres, names.floor),
  peer_to_sqlite: cpuRatio(tokens, names.peer, names.sqlite),
  peer_to_postgres: cpuRatio(tokens, names.peer, names.postgres),
}
const targets = {
  'CPU per token at most 1.3 times the floor, SQLite, durable audit': ratios.sqlite_to_floor <= 1.3,
  'oidc-provider takes at least 1.9 times the CPU per token': ratios.peer_to_sqlite >= 1.9,
  'ready in less than 1 s': ready.later_start_ms.median < 1_000 && ready.first_start_ms.median < 1_000,
  'memory flat over the second half of the tokens (less than 10 % more)': memory.growth_of_second_half < 0.1,
}
const report = {
  plan,
  allocator,
  tokens: tokens.filter(({ name }) => before.every((one) => one.name !== name)),
  cpu_ratios: ratios,
  paced,
  introspection,
  revocation,
  enumeration,
  memory,
  ready,
  targets,
}
if (values.also !== undefined) {
  const compared = compareTokens(tokens, values.also)
  if (!values.quick) keepReport('token-compared', { plan, allocator, ...compared })
  say(JSON.stringify(compared.cpu_ratios))
}
if (!values.quick) {
  keepReport('token', report)
  keepPlot('token', tokenPicture(tokens, plan))
}
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)

/** The same two servers as they were at another commit, on data of their own. */
async function startBefore(checkout: string): Promise<readonly { name: string; contestant: Contestant }[]> {
  const command = resolve(checkout, 'packages/cli/bin/grantor.js')
  const older = stack.use(await temporaryDatabase())
  return [
    { name: names.sqliteBefore, contestant: running(await startGrantor(folderFor(), {}, command)) },
    {
      name: names.postgresBefore,
      contestant: running(
        await startGrantor(folderFor(), { ...postgresEnv, GRANTOR_DATABASE_URL: older.url }, command),
      ),
    },
  ]
}

/** Several times, because one stall of the machine is a hundredth of a short run. */
async function atHalf(name: string, contestant: Contestant, measured: readonly Measured[]) {
  const full = measured.find((one) => one.name === name)?.requests_per_second.median ?? 0
  const rate = Math.floor(full / 2)
  const request = tokenRequest()
  const runs: LoadResult[] = []
  for (let n = 0; n < (values.quick ? 1 : 5); n++) {
    const load = { port: contestant.port, request: () => request, connections: 256, rate }
    runs.push(await applyLoad({ ...load, milliseconds: values.quick ? 2_000 : 4_000 }))
  }
  const sum = (of: (run: LoadResult) => number): number => runs.reduce((total, run) => total + of(run), 0)
  const at = (q: number) =>
    spread(
      runs.map(({ latencies }) => quantile(latencies, q)),
      2,
    )
  return {
    name,
    rate,
    answered: sum((run) => run.requests),
    failed: sum((run) => run.failures),
    p50_ms: at(0.5),
    p99_ms: at(0.99),
  }
}

async function memoryOver({ port, pid }: Contestant, tokenCount: number) {
  const request = tokenRequest()
  const samples: number[] = []
  for (let n = 0; n < 10; n++) {
    await applyLoad({ port, request: () => request, connections, requests: tokenCount / 10 })
    samples.push(Math.round(residentBytes(pid) / 2 ** 20))
  }
  const [half = 0, end = 0] = [samples[4], samples[9]]
  return { tokens: tokenCount, resident_mib_by_tenth: samples, growth_of_second_half: rounded((end - half) / half, 3) }
}

/** On an empty folder: makes master key, database, local CA, certificate, signing key, and declares the client. */
async function firstStarts(times: number) {
  const took: number[] = []
  for (let n = 0; n < times; n++) {
    using folder = temporaryFolder()
    const contestant = await startGrantor(folder, { GRANTOR_TRUST_PROXY: '', GRANTOR_ISSUER: '' })
    took.push(contestant.readyAfter)
    await contestant.stop()
  }
  return spread(took, 0)
}

async function laterStarts(times: number) {
  await sqlite.stop()
  const took: number[] = []
  for (let n = 0; n < times; n++) {
    const contestant = await startGrantor(sqliteFolder, {})
    took.push(contestant.readyAfter)
    await contestant.stop()
  }
  return spread(took, 0)
}
