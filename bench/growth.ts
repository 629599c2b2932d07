/** `node bench/growth.ts`: what an operation costs with 10³, 3·10⁴ and 10⁶ live grants, on both databases, in turns. */
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { roundRunner } from './batches.ts'
import type { Size } from './growth/fill.ts'
import { filledServer } from './growth/filled-server.ts'
import { type FilledServer, operations, participantOf } from './growth/operations.ts'
import { growthOf, growthPicture, type MeasuredOperation } from './growth/report.ts'
import { inTurns } from './measure.ts'
import { cpuMicros } from './process-facts.ts'
import { keepPlot, keepReport } from './report.ts'
import { rounded } from './statistics.ts'

const { values } = parseArgs({
  options: {
    grants: { type: 'string', default: '1000,30000,1000000' },
    rounds: { type: 'string', default: '9' },
    on: { type: 'string', default: 'SQLite,PostgreSQL' },
    quick: { type: 'boolean', default: false },
  },
})
const sizes = (values.quick ? '1000,3000,10000' : values.grants).split(',').map((it): Size => {
  const grants = Number(it)
  return { grants, people: Math.ceil(grants / 10), events: grants * 3 }
})
const rounds = values.quick ? 2 : Number(values.rounds)
const warmUps = values.quick ? 1 : 3
const connections = 16
/** Seconds without requests, in which a node does only its background work. */
const idleFor = values.quick ? 6 : 30
const say = (line: string): void => void process.stderr.write(`${line}\n`)
await using stack = new AsyncDisposableStack()

/** Milliseconds of CPU per second of the server and its database without requests: sweeps and the like. */
async function idleCpu({ name, contestant }: FilledServer) {
  const processes = (await contestant.databaseProcesses?.()) ?? []
  const read = (): readonly [number, number] => [
    cpuMicros(contestant.pid) ?? Number.NaN,
    processes.reduce((sum, pid) => sum + (cpuMicros(pid) ?? 0), 0),
  ]
  const before = read()
  await setTimeout(idleFor * 1000)
  const after = read()
  const [server, database] = after.map((micros, n) => rounded((micros - (before[n] ?? 0)) / idleFor / 1000, 2))
  return { grants: Number(name), server_ms_per_second: server, database_ms_per_second: database }
}

async function measured(on: string) {
  const servers: FilledServer[] = []
  for (const size of sizes) {
    say(`${on}: ${size.grants} grants, ${size.people} people, ${size.events} events`)
    servers.push(await filledServer(on, size, stack))
  }
  const idle = []
  for (const server of servers) idle.push(await idleCpu(server))
  say(`${on}, idle: ${JSON.stringify(idle)}`)
  const found: MeasuredOperation[] = []
  for (const operation of operations) {
    const runners = servers.map((server) =>
      roundRunner(participantOf(server, operation, warmUps + rounds), { connections, batches: 1 }),
    )
    for (let n = 0; n < warmUps; n++) for (const runner of runners) await runner.round()
    const result = growthOf(operation.name, await inTurns(runners, rounds))
    found.push(result)
    say(
      `  ${on} ${result.operation}: ${result.cpu_us.join(' → ')} µs, ratios ${result.ratios.join(', ')}, at 10⁷ ${result.extrapolated_ratio}`,
    )
  }
  for (const { contestant } of servers) await contestant.stop()
  return { on, idle, operations: found }
}

const results = []
for (const on of values.on.split(',')) results.push(await measured(on))
const report = {
  sizes,
  rounds,
  extrapolated: 'ratio to the smallest size at 10⁷ grants, by a line through the logarithms of the sizes; not measured',
  results,
}
if (values.quick || results.length < 2) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
else {
  keepReport('growth', report)
  keepPlot('growth', growthPicture(results))
}
