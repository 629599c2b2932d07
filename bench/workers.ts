/** `node bench/workers.ts`: what a token costs on PostgreSQL with two server processes, compared with one. */
import { parseArgs } from 'node:util'
import { temporaryDatabase } from '../interop/database.ts'
import { temporaryFolder } from '../interop/server.ts'
import { tokenRequest } from './contestants/client.ts'
import { allocator, type Contestant, startGrantor } from './contestants/contestant.ts'
import { applyLoad } from './load.ts'
import { cpuRatio, inTurns, type Round, type RoundRunner } from './measure.ts'
import { childrenOf, cpuMicros } from './process-facts.ts'
import { keepReport } from './report.ts'
import { quantile } from './statistics.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const plan = values.quick
  ? { rounds: 3, connections: 64, milliseconds: 500, warmUp: 8_000 }
  : { rounds: 60, connections: 64, milliseconds: 500, warmUp: 40_000 }
const target = 1.18

await using stack = new AsyncDisposableStack()
const say = (line: string): void => void process.stderr.write(`${line}\n`)
const request = tokenRequest()
const names = { one: 'one worker', two: 'two workers' } as const

async function started(workers: number): Promise<Contestant> {
  const database = stack.use(await temporaryDatabase())
  const contestant = await startGrantor(stack.use(temporaryFolder()), {
    ...database.settings,
    GRANTOR_MASTER_KEY: 'a-master-key-for-measuring-only-0123456789',
    GRANTOR_WORKERS: String(workers),
  })
  stack.defer(() => contestant.stop())
  return { ...contestant, databaseProcesses: database.backends }
}

async function cpuOf({ pid, databaseProcesses }: Contestant): Promise<readonly [server: number, database: number]> {
  const sum = (pids: readonly number[]): number => pids.reduce((all, one) => all + (cpuMicros(one) ?? 0), 0)
  return [sum([pid, ...childrenOf(pid)]), sum((await databaseProcesses?.()) ?? [])]
}

const runner = (name: string, contestant: Contestant): RoundRunner => ({
  name,
  async round(): Promise<Round> {
    const { port } = contestant
    const [server, database] = await cpuOf(contestant)
    const load = { port, request: () => request, connections: plan.connections, milliseconds: plan.milliseconds }
    const { requests, failures, seconds, latencies } = await applyLoad(load)
    if (failures > 0) throw new Error(`${name}: ${failures} of ${requests} requests failed`)
    const [serverAfter, databaseAfter] = await cpuOf(contestant)
    return {
      rate: requests / seconds,
      p50: quantile(latencies, 0.5),
      p99: quantile(latencies, 0.99),
      cpu: (serverAfter - server) / requests,
      databaseCpu: (databaseAfter - database) / requests,
    }
  },
})

const contestants = [
  [names.one, await started(1)],
  [names.two, await started(2)],
] as const
for (const [, { port }] of contestants)
  await applyLoad({ port, request: () => request, connections: plan.connections, requests: plan.warmUp })
const measured = await inTurns(
  contestants.map(([name, contestant]) => runner(name, contestant)),
  plan.rounds,
)
const ratio = cpuRatio(measured, names.two, names.one)
for (const it of measured)
  say(`${it.name}: ${it.cpu_us_per_request.median} + ${it.database_cpu_us_per_request?.median} µs`)
say(`a token of ${names.two} costs the servers ${ratio} times one of ${names.one}`)
const report = {
  plan,
  allocator,
  measured,
  cpu_ratio: ratio,
  targets: { [`CPU per token with two workers at most ${target} times that with one`]: ratio <= target },
}
if (values.quick) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
else keepReport('workers', report)
