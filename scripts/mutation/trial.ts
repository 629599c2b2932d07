/** Tries mutants: each against the tests that are likeliest to notice and execute the place, until one is red. */
import { join } from 'node:path'
import { digestOf, executes, type TestCoverage } from './coverage.ts'
import type { Mutant } from './mutants.ts'
import type { TriedMutant } from './record.ts'
import type { Scratch } from './scratch.ts'
import { runTest } from './test-runs.ts'

export interface TrialOptions {
  readonly scratch: Scratch
  /** Whom it is shown to, the likeliest first. */
  readonly tests: readonly string[]
  /** What a test executes; null where it fails without any defect. */
  readonly coverageOf: (test: string) => Promise<TestCoverage | null>
  readonly databaseUrl: string
}

export async function tryMutant(mutant: Mutant, options: TrialOptions): Promise<TriedMutant> {
  const { scratch, databaseUrl } = options
  const digest = digestOf(join(scratch.folder, mutant.file))
  for (const test of options.tests) {
    // Measured without the defect, and only when somebody asks: most are noticed by the first.
    const coverage = await options.coverageOf(test)
    if (coverage === null || !executes(coverage, mutant, digest)) continue
    const fate = await scratch.with(mutant, () => fateBy(coverage, { folder: scratch.folder, databaseUrl }))
    if (fate !== null) return { mutant, fate, by: test }
  }
  return { mutant, fate: 'survived', by: null }
}

async function fateBy(
  { test, milliseconds }: TestCoverage,
  where: { readonly folder: string; readonly databaseUrl: string },
): Promise<'test' | 'time' | null> {
  // A busy machine is slow, and not a defect.
  const { outcome } = await runTest(test, { ...where, mostMilliseconds: 60_000 + 10 * milliseconds, coverage: null })
  if (outcome === 'green') return null
  return outcome === 'late' ? 'time' : 'test'
}
