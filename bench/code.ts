/** `node bench/code.ts`: what pushing, redeeming a code and refreshing cost, durable, against a peer that keeps nothing. */
import { parseArgs } from 'node:util'
import { temporaryDatabase } from '../interop/database.ts'
import { type Environment, startServer, temporaryFolder } from '../interop/server.ts'
import { type Batch, type BatchedParticipant, roundRunner } from './batches.ts'
import { type CodeSource, codesByAuthorizing, codesFromProgram, granted, refreshTokens } from './codes.ts'
import { type Contestant, proxied, startProgram } from './contestants/contestant.ts'
import { pushing, redemption, refreshing, seed } from './contestants/web-client.ts'
import { cpuRatio, inTurns, type Measured } from './measure.ts'
import { keepReport } from './report.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const connections = 64
/** The peer's memory holds a thousand entries, and a code with its grant and their index takes three of them. */
const codesPerBatch = 192
/** Short, because the peer's memory walks the whole chain at every refresh; what it costs there is not the point. */
const refreshesPerChain = 12
/** `warmUp` is in rounds, which are thrown away. */
const plan = values.quick
  ? { rounds: 2, codes: { connections, batches: 2, warmUp: 1 }, refreshes: { connections, batches: 1, warmUp: 2 } }
  : { rounds: 5, codes: { connections, batches: 4, warmUp: 1 }, refreshes: { connections, batches: 2, warmUp: 3 } }

await using stack = new AsyncDisposableStack()
const say = (line: string): void => void process.stderr.write(`${line}\n`)

const names = { sqlite: 'Grantor, SQLite', postgres: 'Grantor, PostgreSQL', peer: 'oidc-provider' } as const

interface CodeContestant {
  readonly name: string
  readonly contestant: Contestant
  readonly codes: CodeSource
}

async function grantor(name: string, env: Environment): Promise<CodeContestant> {
  const folder = stack.use(temporaryFolder())
  const options = { data: folder.path, seed: folder.write('seed.json', seed), env: { ...proxied, ...env } }
  const server = stack.use(await startServer(options))
  const contestant = { ...server, stop: async () => void (await server.stop()) }
  return { name, contestant, codes: await codesByAuthorizing(contestant) }
}

async function peer(): Promise<CodeContestant> {
  const contestant = stack.adopt(await startProgram('oidc-provider-codes.ts'), (one) => one.stop())
  return { name: names.peer, contestant, codes: codesFromProgram(contestant) }
}

/** Every code once, in the order they were made. */
const exchange = ({ name, contestant, codes }: CodeContestant): BatchedParticipant => ({
  name,
  contestant,
  async prepare(): Promise<Batch> {
    const waiting = (await codes(codesPerBatch)).map((code) => redemption(code)).values()
    return { requests: codesPerBatch, request: () => waiting.next().value as Buffer }
  },
})

/** Nothing has to be made first: every push is a request of its own, kept for a minute. */
const push = ({ name, contestant }: CodeContestant): BatchedParticipant => ({
  name,
  contestant,
  prepare: (): Promise<Batch> => Promise.resolve({ requests: codesPerBatch, request: () => pushing() }),
})

/** As many chains as connections: each asks with the token that the last answer brought. */
const refresh = ({ name, contestant, codes }: CodeContestant): BatchedParticipant => ({
  name,
  contestant,
  async prepare(): Promise<Batch> {
    const tokens = [...(await refreshTokens(contestant, await codes(connections)))]
    return {
      requests: connections * refreshesPerChain,
      request: () => refreshing(tokens.shift() as string),
      answered: (status, body) => void tokens.push(granted(status, body).refresh_token),
    }
  },
})

async function measure(batched: readonly BatchedParticipant[], how: typeof plan.codes): Promise<readonly Measured[]> {
  const runners = batched.map((one) => roundRunner(one, how))
  for (const one of runners) for (let n = 0; n < how.warmUp; n++) await one.round()
  const measured = await inTurns(runners, plan.rounds)
  for (const { name, cpu_us_per_request: cpu, p50_ms: p50, p99_ms: p99 } of measured) {
    say(`  ${name}: ${cpu.median} µs, p50 ${p50.median} ms, p99 ${p99.median} ms`)
  }
  return measured
}

/** A push and what is redeemed at its end, as one: the way between them leads through a browser, and is not measured. */
function pushedCode(pushes: readonly Measured[], exchanges: readonly Measured[]) {
  const cpuOf = (name: string): number =>
    [pushes, exchanges].reduce(
      (sum, of) => sum + (of.find((it) => it.name === name)?.cpu_us_per_request.median ?? 0),
      0,
    )
  const ratio = (name: string): number => Math.round((cpuOf(name) / cpuOf(names.peer)) * 100) / 100
  return { sqlite_to_peer: ratio(names.sqlite), postgres_to_peer: ratio(names.postgres) }
}

const ratios = (measured: readonly Measured[]) => ({
  sqlite_to_peer: cpuRatio(measured, names.sqlite, names.peer),
  postgres_to_peer: cpuRatio(measured, names.postgres, names.peer),
})

say('starting')
const database = stack.use(await temporaryDatabase())
const contestants = [
  await grantor(names.sqlite, {}),
  await grantor(names.postgres, {
    GRANTOR_DATABASE_URL: database.url,
    GRANTOR_MASTER_KEY: 'a-master-key-for-measuring-only-0123456789',
  }),
  await peer(),
]
// Refreshes first: they need the least preparing, so they are what warms everyone up.
say(`refresh: ${plan.rounds} rounds of ${plan.refreshes.batches * connections * refreshesPerChain}`)
const refreshes = await measure(contestants.map(refresh), plan.refreshes)
say(`code exchange: ${plan.rounds} rounds of ${plan.codes.batches * codesPerBatch}`)
const exchanges = await measure(contestants.map(exchange), plan.codes)

say(`push: ${plan.rounds} rounds of ${plan.codes.batches * codesPerBatch}`)
const pushes = await measure(contestants.map(push), plan.codes)

const cpuRatios = {
  code_exchange: ratios(exchanges),
  refresh: ratios(refreshes),
  push: ratios(pushes),
  push_and_code_exchange: pushedCode(pushes, exchanges),
}
const report = {
  plan: { ...plan, codes_per_batch: codesPerBatch, refreshes_per_chain: refreshesPerChain },
  code_exchange: exchanges,
  refresh: refreshes,
  push: pushes,
  cpu_ratios: cpuRatios,
  targets: {
    'a code exchange, durable on SQLite, takes no more CPU than oidc-provider in memory':
      cpuRatios.code_exchange.sqlite_to_peer <= 1,
    'a refresh, durable on SQLite, takes no more CPU than oidc-provider in memory':
      cpuRatios.refresh.sqlite_to_peer <= 1,
  },
}
if (values.quick) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
else keepReport('code', report)
