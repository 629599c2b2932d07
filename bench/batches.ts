/** Rounds of what must be prepared first: batch by batch, where only the asking counts and the preparing does not. */
import type { Contestant } from './contestants/contestant.ts'
import { applyLoad, type Load } from './load.ts'
import type { RoundRunner, Round } from './measure.ts'
import { cpuMicros } from './process-facts.ts'
import { quantile } from './statistics.ts'

export type Batch = Required<Pick<Load, 'request' | 'requests'>> & Pick<Load, 'answered'>

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

/** The kernel counts CPU in hundredths of a second, so a round adds up enough batches to make that fine. */
async function round(
  { name, contestant: { port, pid }, prepare }: BatchedParticipant,
  { connections, batches }: { readonly connections: number; readonly batches: number },
): Promise<Round> {
  const latencies: number[] = []
  let seconds = 0
  let cpu = 0
  for (let n = 0; n < batches; n++) {
    const batch = await prepare()
    let before = Number.NaN
    const opened = (): void => void (before = cpuMicros(pid) ?? Number.NaN)
    const result = await applyLoad({ port, connections, opened, ...batch })
    cpu += (cpuMicros(pid) ?? Number.NaN) - before
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
  }
}
