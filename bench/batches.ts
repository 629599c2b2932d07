/** Rounds of requests that need preparation: batch by batch, and only the requests count, not the preparation. */
import type { Contestant } from './contestants/contestant.ts'
import { applyLoad, type Load } from './load.ts'
import type { RoundRunner, Round } from './measure.ts'
import { setTimeout } from 'node:timers/promises'
import { cpuMicros } from './process-facts.ts'
import { quantile } from './statistics.ts'

/** The name of the threads that hash passwords: they do not count, because the cost of a hash is a setting. */
const hashing = 'hashing'

/** Milliseconds after which committed events are placed in the log, which is part of the cost of a request. */
const settling = 150
/** Milliseconds: longer than the interval of periodic work. */
const watching = 10_000

export type Batch = Required<Pick<Load, 'request' | 'requests'>> & Pick<Load, 'answered' | 'success' | 'rate'>

export interface BatchedParticipant {
  readonly name: string
  readonly contestant: Contestant
  /** The idle CPU, subtracted from the cost of the requests if it is known. */
  readonly unasked?: Unasked
  prepare(): Promise<Batch>
}

/** CPU milliseconds per second of a server and its database without requests. */
export interface Unasked {
  readonly server: number
  readonly database: number
}

const nothing: Unasked = { server: 0, database: 0 }

/** Measures the idle CPU: a batch of sign-ins takes seconds because of the hashes, so it contains background work. */
export async function unaskedOf(contestant: Contestant): Promise<Unasked> {
  const serverTime = (): number => cpuMicros(contestant.pid, hashing) ?? Number.NaN
  const [serverBefore, databaseBefore, began] = [serverTime(), await databaseTimes(contestant), performance.now()]
  await setTimeout(watching)
  const [server, database] = [serverTime() - serverBefore, await databaseSince(contestant, databaseBefore)]
  const elapsed = performance.now() - began
  return { server: server / elapsed, database: database / elapsed }
}

export const roundRunner = (
  batched: BatchedParticipant,
  plan: { readonly connections: number; readonly batches: number },
): RoundRunner => ({
  name: batched.name,
  round: () => round(batched, plan),
})

/** A round sums up enough batches to stand out from noise. */
async function round(
  { name, contestant, unasked = nothing, prepare }: BatchedParticipant,
  { connections, batches }: { readonly connections: number; readonly batches: number },
): Promise<Round> {
  const { port, pid } = contestant
  const latencies: number[] = []
  let [seconds, cpu, databaseCpu] = [0, 0, 0]
  for (let n = 0; n < batches; n++) {
    const batch = await prepare()
    if (contestant.databaseProcesses !== undefined) await setTimeout(settling)
    const databaseBefore = await databaseTimes(contestant)
    let [before, began] = [Number.NaN, Number.NaN]
    const opened = (): void => {
      before = cpuMicros(pid, hashing) ?? Number.NaN
      began = performance.now()
    }
    const result = await applyLoad({ port, connections, opened, ...batch })
    if (contestant.databaseProcesses !== undefined) await setTimeout(settling)
    const elapsed = performance.now() - began
    cpu += (cpuMicros(pid, hashing) ?? Number.NaN) - before - unasked.server * elapsed
    databaseCpu += (await databaseSince(contestant, databaseBefore)) - unasked.database * elapsed
    if (result.failures > 0) throw new Error(`${name}: ${result.failures} of ${result.requests} requests failed`)
    seconds += result.seconds
    latencies.push(...result.latencies)
  }
  const ascending = Float64Array.from(latencies).sort()
  return {
    rate: ascending.length / seconds,
    p50: quantile(ascending, 0.5),
    p99: quantile(ascending, 0.99),
    cpu: cpu / ascending.length,
    ...(contestant.databaseProcesses === undefined ? {} : { databaseCpu: databaseCpu / ascending.length }),
  }
}

async function databaseTimes({ databaseProcesses }: Contestant): Promise<ReadonlyMap<number, number>> {
  const processes = (await databaseProcesses?.()) ?? []
  return new Map(processes.map((pid) => [pid, cpuMicros(pid) ?? 0]))
}

/** Database CPU since `before`; a process that is not in it started later and counts from 0. */
async function databaseSince(contestant: Contestant, before: ReadonlyMap<number, number>): Promise<number> {
  const now = await databaseTimes(contestant)
  return now.entries().reduce((sum, [pid, micros]) => sum + micros - (before.get(pid) ?? 0), 0)
}
