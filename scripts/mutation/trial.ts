/** Tries mutants: each against the tests that are likeliest to notice and execute the place, until one is red. */
import { basename, join } from 'node:path'
import { digestOf, executes, type TestCoverage } from './coverage.ts'
import type { Mutant } from './mutants.ts'
import type { TriedMutant } from './record.ts'
import type { Scratch } from './scratch.ts'
import { runTest } from './test-runs.ts'

export interface TrialOptions {
  readonly scratch: Scratch
  /** All tests, the likeliest first. */
  readonly tests: readonly string[]
  /** What a test executes; null where it fails without any defect. */
  readonly coverageOf: (test: string) => Promise<TestCoverage | null>
  readonly databaseUrl: string
  /** So many tests are looked at; whoever wrote a test of the behaviour wrote it among these. */
  readonly depth: number
}

export async function tryMutant(mutant: Mutant, options: TrialOptions): Promise<TriedMutant> {
  const { scratch, databaseUrl } = options
  const digest = digestOf(join(scratch.folder, mutant.file))
  for (const test of options.tests.slice(0, options.depth)) {
    // Measured without the defect, and only when somebody asks: most are noticed by the first.
    const coverage = await options.coverageOf(test)
    if (coverage === null || !executes(coverage, mutant, digest)) continue
    const fate = await scratch.with(mutant, () => fateBy(coverage, mutant, { folder: scratch.folder, databaseUrl }))
    if (fate !== null) return { mutant, fate, by: test }
  }
  return { mutant, fate: 'survived', by: null }
}

/** Milliseconds. */
const longFile = 10_000

async function fateBy(
  { test, milliseconds }: TestCoverage,
  { file }: Mutant,
  where: { readonly folder: string; readonly databaseUrl: string },
): Promise<'test' | 'time' | null> {
  // A busy machine is slow, and not a defect.
  const most = { ...where, mostMilliseconds: 60_000 + 10 * milliseconds, coverage: null }
  // Of a long file first the part that is named for the source: it is where most defects are noticed.
  const named = basename(file, '.ts').replaceAll('-', ' ')
  for (const part of milliseconds < longFile ? [null] : [named, null]) {
    const { outcome } = await runTest(test, { ...most, part })
    if (outcome !== 'green') return outcome === 'late' ? 'time' : 'test'
  }
  return null
}
