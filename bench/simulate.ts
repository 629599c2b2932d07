/** `node bench/simulate.ts`: simulates revocations at sizes that no machine here can run, based on measurements. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { keepReport } from './report.ts'
import { calibrationOf, type PropagationReport } from './simulate/calibration.ts'
import { type Fault, type Plan, simulate } from './simulate/simulation.ts'

const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' }, quick: { type: 'boolean' } } })
const measured = JSON.parse(
  readFileSync(join(import.meta.dirname, 'results', 'propagation.json'), 'utf8'),
) as PropagationReport
const calibration = calibrationOf(measured)
const seed = Number(values.seed)

/** One machine, like that of the measurement. */
const small = { seed, regions: 1, nodesPerRegion: 1, between: 0, within: 0.1, revocationsPerSecond: 2, fault: null }
const compared = measured.results.map(({ validators, from_answer_ms: reality }) => {
  const { heard_ms: simulated } = simulate({ ...small, validators, seconds: 600 }, calibration)
  return { validators, measured_ms: { p50: reality.p50, p99: reality.p99 }, simulated_ms: simulated }
})

/** A billion live tokens, of which one in ten thousand is revoked in an hour. */
const tokens = 1e9
const large: Omit<Plan, 'fault'> = {
  seed,
  regions: 3,
  nodesPerRegion: 8,
  validators: 100_000,
  between: 40,
  within: 0.5,
  revocationsPerSecond: (tokens * 1e-4) / 3600,
  seconds: 30,
}
const faults: Readonly<Record<string, Fault | null>> = {
  'nothing lost': null,
  'a node lost': { kind: 'node', at: 10_000 },
  'a region lost': { kind: 'region', at: 10_000 },
  'the database away for 20 s': { kind: 'database', at: 10_000, for: 20_000 },
  'the database away for 60 s': { kind: 'database', at: 10_000, for: 60_000 },
}
const sizes = values.quick === true ? [1_000] : [1_000, 10_000, 100_000]
const results = sizes.flatMap((validators) =>
  Object.entries(faults).map(([lost, fault]) => ({
    validators,
    lost,
    ...simulate({ ...large, validators, fault }, calibration),
  })),
)
const { seed: _, ...plan } = large
const report = { seed, tokens, plan, calibration, compared, results }
if (values.quick === true) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
else keepReport('simulate', report)
