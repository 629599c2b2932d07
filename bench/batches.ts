/** Rounds of what must be prepared first: batch by batch, where only the asking counts and the preparing does not. */
import type { Contestant } from './contestants/contestant.ts'
import { applyLoad, type Load } from './load.ts'
import type { RoundRunner, Round } from './measure.ts'
import { setTimeout } from 'node:timers/promises'
import { cpuMicros } from './process-facts.ts'
import { quantile } from './statistics.ts'

/** Passwords are hashed on threads of this name: what a hash costs is chosen, and would hide all else. */
const hashing = 'hashing'

/** Milliseconds. By then events that were committed have their place in the log, which is part of what a request costs. */
const settling = 150

export type Batch = Required<Pick<Load, 'request' | 'requests'>> & Pick<Load, 'answered' | 'success'>

export interface BatchedParticipant {
  readonly name: string
  readonly contestant: Contestant
  prepare(): Promise<Batch>
}

export const roundRunner = (
  batched: BatchedParticipant,
  plan: { readonly connections: number; readonly batches: number },
): RoundRunner => ({
  name: batched.name,
  round: () => round(batched, plan),
})

/** A round adds up enough batches to be told from noise. */
async function round(
  { name, contestant, prepare }: BatchedParticipant,
  { connections, batches }: { readonly connections: number; readonly batches: number },
): Promise<Round> {
  const { port, pid } = contestant
  const latencies: number[] = []
  let [seconds, cpu, databaseCpu] = [0, 0, 0]
  for (let n = 0; n < batches; n++) {
    const batch = await prepare()
    if (contestant.databaseProcesses !== undefined) await setTimeout(settling)
    const databaseBefore = await databaseTimes(contestant)
    let before = Number.NaN
    const opened = (): void => void (before = cpuMicros(pid, hashing) ?? Number.NaN)
    const result = await applyLoad({ port, connections, opened, ...batch })
    if (contestant.databaseProcesses !== undefined) await setTimeout(settling)
    cpu += (cpuMicros(pid, hashing) ?? Number.NaN) - before
    // A process that was not there before has begun within the batch.
    for (const [process, micros] of await databaseTimes(contestant))
      databaseCpu += micros - (databaseBefore.get(process) ?? 0)
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
