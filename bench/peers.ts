/** `node bench/peers.ts`: CPU per kind of request, beside `oidc-provider`, Keycloak and better-auth in one run. */
import { parseArgs } from 'node:util'
import { temporaryDatabase } from '../interop/database.ts'
import { roundRunner, type Unasked, unaskedOf } from './batches.ts'
import { allocator } from './contestants/contestant.ts'
import { inTurns, type Measured } from './measure.ts'
import { startBetterAuth } from './peers/better-auth.ts'
import {
  type Compared,
  names,
  startDurableFloor,
  startGrantor,
  startKeycloakBeside,
  startProvider,
} from './peers/contestants.ts'
import { type ComparedOperation, comparedOperations, participantOf } from './peers/operations.ts'
import { apart, type ComparedCost, multiplesTable, peersTable, targetsOf, tokenMultiples } from './peers/report.ts'
import { residentBytes } from './process-facts.ts'
import { keepReport } from './report.ts'
import { median, rounded } from './statistics.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    /** Measures only the named operations. */
    only: { type: 'string' },
    keycloak: { type: 'boolean', default: true },
    'better-auth': { type: 'boolean', default: true },
  },
  allowNegative: true,
})
const plan = values.quick ? { rounds: 1, warmUps: 0, batches: 1 } : { rounds: 9, warmUps: 8, batches: 3 }
const pacedPlan = values.quick ? plan : { rounds: 5, warmUps: 1, batches: 1 }
/** For Keycloak and better-auth, which take many times as long for each request. */
const slowPlan = values.quick ? plan : { rounds: 5, warmUps: 8, batches: 2 }
const connections = 64
const say = (line: string): void => void process.stderr.write(`${line}\n`)

await using stack = new AsyncDisposableStack()
say('starting')
const database = stack.use(await temporaryDatabase())
const postgres = {
  env: { ...database.settings, GRANTOR_MASTER_KEY: 'a-master-key-for-measuring-only-0123456789' },
  databaseProcesses: database.backends,
}
const compared: Compared[] = [
  await startGrantor(names.sqlite, { env: {} }, stack),
  await startGrantor(names.postgres, postgres, stack),
  await startDurableFloor(stack),
  await startProvider(stack),
]
const keycloak = values.keycloak ? await startKeycloakBeside(stack) : 'it was not asked for'
if (typeof keycloak === 'string') say(`without Keycloak: ${keycloak}`)
else compared.push(keycloak)
if (values['better-auth']) compared.push(await startBetterAuth(stack))

// Before any request except one code; Keycloak has also created its realm.
const idle = Object.fromEntries(
  compared.map(({ name, contestant }) => [name, Math.round(residentBytes(contestant.pid) / 2 ** 20)]),
)
say(`MiB when idle: ${JSON.stringify(idle)}`)
/** By name. Measured at the same time, because idle servers hardly disturb each other. */
const unasked = new Map<string, Unasked>(
  await Promise.all(compared.map(async ({ name, contestant }) => [name, await unaskedOf(contestant)] as const)),
)
const unaskedTimes = Object.fromEntries(
  [...unasked].map(([name, { server, database }]) => [name, { server: rounded(server), database: rounded(database) }]),
)
say(`CPU milliseconds a second when idle: ${JSON.stringify(unaskedTimes)}`)

/**
 * Rounds of Keycloak and better-auth take seconds, and a server that was idle for so long costs more than under load.
 * So each of the two is measured after the others, in turns with the peer only.
 */
async function costs(operation: ComparedOperation): Promise<readonly ComparedCost[]> {
  const offering = compared.filter(({ lacks }) => lacks?.includes(operation.name) !== true)
  const slow = offering.filter(({ name }) => apart.includes(name))
  const beside = offering.filter(({ name }) => name === names.provider)
  const others = offering.filter((it) => !slow.includes(it))
  const measured = [...(await costsInTurns(operation, others, operation.paced === true ? pacedPlan : plan))]
  for (const one of slow) {
    const both = await costsInTurns(operation, [one, ...beside], operation.paced === true ? pacedPlan : slowPlan)
    measured.push(...both.filter(({ name }) => name === one.name))
  }
  return measured
}

async function costsInTurns(
  operation: ComparedOperation,
  participants: readonly Compared[],
  { warmUps, rounds, batches }: typeof plan,
): Promise<readonly ComparedCost[]> {
  const runners = participants.map((one) =>
    roundRunner(participantOf(one, operation, unasked.get(one.name) as Unasked), { connections, batches }),
  )
  for (let n = 0; n < warmUps; n++) for (const runner of runners) await runner.round()
  const measured = await inTurns(runners, rounds)
  const peer = measured.find(({ name }) => name === names.provider) as Measured
  const eachOf = (name: string): number => {
    const one = compared.find((it) => it.name === name) as Compared
    return operation.each?.(one) ?? 1
  }
  const toPeer = (name: string, byRound: readonly number[]): number =>
    rounded(
      median(
        byRound.map((cpu, n) => (cpu * eachOf(name)) / ((peer.cpu_us_by_round[n] ?? Number.NaN) * eachOf(peer.name))),
      ),
      2,
    )
  return measured.map((it) => ({
    operation: operation.name,
    name: it.name,
    server_cpu_us: rounded(it.cpu_us_per_request.median * eachOf(it.name)),
    server_to_peer: toPeer(it.name, it.cpu_us_by_round),
    database_cpu_us: rounded((it.database_cpu_us_per_request?.median ?? 0) * eachOf(it.name)),
    database_to_peer: toPeer(it.name, it.database_cpu_us_by_round ?? []) || 0,
  }))
}

const found: ComparedCost[] = []
for (const operation of comparedOperations.filter(({ name }) => values.only?.split(',').includes(name) ?? true)) {
  const measured = await costs(operation)
  say(peersTable(measured))
  found.push(...measured)
}
const report = {
  plan,
  paced_plan: pacedPlan,
  slow_plan: slowPlan,
  allocator,
  idle_mib: idle,
  idle_cpu_ms_per_second: unaskedTimes,
  costs: found,
  token_to_grantor: tokenMultiples(found),
  targets: targetsOf(found, idle),
  ...(typeof keycloak === 'string' ? { without_keycloak: keycloak } : {}),
}
process.stdout.write(`${peersTable(found)}\n`)
if (report.token_to_grantor.length > 0) process.stdout.write(`\n${multiplesTable(report.token_to_grantor)}\n`)
for (const [target, holds] of Object.entries(report.targets))
  process.stdout.write(`${holds ? 'yes' : 'NO '} ${target}\n`)
if (!values.quick && values.only === undefined) keepReport('peers', report)
