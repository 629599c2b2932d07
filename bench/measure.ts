/** Measures contestants in turns, so that other load on the machine affects all of them equally. */
import type { Contestant } from './contestants/contestant.ts'
import { sendRequests, type LoadPlan, closeHttpSockets, type HttpSocket, openHttpSockets } from './load.ts'
import { cpuMicros } from './process-facts.ts'
import { median, quantile, rounded, type Spread, spread } from './statistics.ts'

export interface Participant {
  readonly name: string
  readonly contestant: Contestant
  /** Prepares a round; the load generator calls the result for each request. */
  requests(): () => Buffer
}

export interface Plan {
  readonly rounds: number
  readonly connections: number
  readonly milliseconds: number
  /** Requests before the rounds, which do not count: they warm up compilers and caches. */
  readonly warmUp: number
}

export interface Round {
  readonly rate: number
  readonly p50: number
  readonly p99: number
  readonly cpu: number
  /** CPU of the database processes; left out if the contestant has no separate database. */
  readonly databaseCpu?: number
}

export interface Measured {
  readonly name: string
  readonly requests_per_second: Spread
  readonly p50_ms: Spread
  readonly p99_ms: Spread
  readonly cpu_us_per_request: Spread
  /** CPU time of each round, in the order measured, because ratios are calculated per round. */
  readonly cpu_us_by_round: readonly number[]
  readonly database_cpu_us_per_request?: Spread
  readonly database_cpu_us_by_round?: readonly number[]
}

/** Connections stay open through all rounds, so that rounds can be short: other load then affects all equally. */
export async function measureInTurns(participants: readonly Participant[], plan: Plan): Promise<readonly Measured[]> {
  using stack = new DisposableStack()
  const connect = async (participant: Participant): Promise<ConnectedParticipant> => {
    const httpSockets = await openHttpSockets(participant.contestant.port, plan.connections)
    return { participant, httpSockets: stack.adopt(httpSockets, closeHttpSockets) }
  }
  // On separate connections: idle ones would be closed while the other contestants warm up.
  for (const participant of participants) await load(await connect(participant), { requests: plan.warmUp })
  const connected = await Promise.all(participants.map(connect))
  return await inTurns(
    connected.map((it) => ({ name: it.participant.name, round: () => oneRound(it, plan) })),
    plan.rounds,
  )
}

interface ConnectedParticipant {
  readonly participant: Participant
  readonly httpSockets: readonly HttpSocket[]
}

export interface RoundRunner {
  readonly name: string
  round(): Promise<Round>
}

export async function inTurns(runners: readonly RoundRunner[], times: number): Promise<readonly Measured[]> {
  const rounds = new Map<string, Round[]>(runners.map(({ name }) => [name, []]))
  for (let n = 0; n < times; n++) {
    // Each round begins with another contestant, so that none always runs after the busiest one.
    for (let k = 0; k < runners.length; k++) {
      const runner = runners[(n + k) % runners.length] as RoundRunner
      rounds.get(runner.name)?.push(await runner.round())
    }
  }
  return [...rounds].map(([name, of]) => summary(name, of))
}

async function oneRound(connected: ConnectedParticipant, { milliseconds }: Plan): Promise<Round> {
  const { pid } = connected.participant.contestant
  const before = cpuMicros(pid) ?? Number.NaN
  const { requests, seconds, latencies } = await load(connected, { milliseconds })
  const after = cpuMicros(pid) ?? Number.NaN
  return {
    rate: requests / seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    cpu: (after - before) / requests,
  }
}

async function load(
  { participant, httpSockets }: ConnectedParticipant,
  until: Pick<LoadPlan, 'milliseconds' | 'requests'>,
) {
  const result = await sendRequests(httpSockets, { request: participant.requests(), ...until })
  if (result.failures > 0)
    throw new Error(`${participant.name}: ${result.failures} of ${result.requests} requests failed`)
  return result
}

const summary = (name: string, rounds: readonly Round[]): Measured => ({
  name,
  requests_per_second: spread(
    rounds.map((round) => round.rate),
    0,
  ),
  p50_ms: spread(
    rounds.map((round) => round.p50),
    2,
  ),
  p99_ms: spread(
    rounds.map((round) => round.p99),
    2,
  ),
  cpu_us_per_request: spread(rounds.map((round) => round.cpu)),
  cpu_us_by_round: rounds.map((round) => rounded(round.cpu)),
  ...databaseSummary(rounds.flatMap(({ databaseCpu }) => (databaseCpu === undefined ? [] : [databaseCpu]))),
})

const databaseSummary = (cpu: readonly number[]) =>
  cpu.length === 0
    ? {}
    : { database_cpu_us_per_request: spread(cpu), database_cpu_us_by_round: cpu.map((it) => rounded(it)) }

/** The cost of a request of `of` relative to `base`: the median of the CPU ratios per round. */
export function cpuRatio(measured: readonly Measured[], of: string, base: string): number {
  const find = (name: string): readonly number[] => measured.find((one) => one.name === name)?.cpu_us_by_round ?? []
  const [mine, theirs] = [find(of), find(base)]
  return rounded(median(mine.map((cpu, n) => cpu / (theirs[n] ?? Number.NaN))), 2)
}
