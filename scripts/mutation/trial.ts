/** Tries mutants: each against the tests that execute it, the likeliest and quickest first, until one is red. */
import { basename, join } from 'node:path'
import { digestOf, executes, type TestCoverage } from './coverage.ts'
import type { Mutant } from './mutants.ts'
import type { TriedMutant } from './record.ts'
import type { Scratch } from './scratch.ts'
import { partOf } from './selection.ts'
import { runTest } from './test-runs.ts'

export interface TrialOptions {
  readonly scratch: Scratch
  readonly coverages: readonly TestCoverage[]
  readonly databaseUrl: string
  /** Milliseconds of tests that a mutant is worth, beyond those of its own package. */
  readonly budget: number
}

export async function tryMutant(mutant: Mutant, options: TrialOptions): Promise<TriedMutant> {
  const { scratch, coverages, databaseUrl, budget } = options
  const digest = digestOf(join(scratch.folder, mutant.file))
  const executing = coverages.filter((it) => executes(it, mutant, digest))
  return scratch.with(mutant, async () => {
    for (const { test, milliseconds } of testsFor(mutant, executing, budget)) {
      // A busy machine is slow, and not a defect.
      const most = { folder: scratch.folder, databaseUrl, mostMilliseconds: 20_000 + 5 * milliseconds, coverage: null }
      // Of a long file first the part that is named for the source: it is where most defects are noticed.
      const named = basename(mutant.file, '.ts').replaceAll('-', ' ')
      const parts = milliseconds < longFile ? [null] : [named, null]
      for (const part of parts) {
        const run = await runTest(test, { ...most, part })
        if (run.outcome !== 'green') return { mutant, fate: run.outcome === 'late' ? 'time' : 'test', by: test }
      }
    }
    return { mutant, fate: 'survived', by: null }
  })
}

/** Milliseconds. */
const longFile = 10_000

/** Of its own package; whoever writes a test of a behaviour writes it where these are. */
const mostOwnTests = 12

/**
 * Of its own package so many that execute it, first those that are named for its file or its folder; of the others the
 * quickest, as long as the budget lasts.
 */
export function testsFor(mutant: Mutant, executing: readonly TestCoverage[], budget: number): readonly TestCoverage[] {
  const own = `packages/${partOf(mutant.file)}/test/`
  const [, folder = ''] = /\/src\/(.*\/)?/.exec(mutant.file) ?? []
  const name = basename(mutant.file, '.ts')
  const strangeness = ({ test }: TestCoverage): number => {
    if (!test.startsWith(own)) return 3
    if (test.endsWith(`/${name}.test.ts`)) return 0
    return folder !== '' && test.startsWith(own + folder) ? 1 : 2
  }
  const inOrder = executing.toSorted((a, b) => strangeness(a) - strangeness(b) || a.milliseconds - b.milliseconds)
  const isOwn = (it: TestCoverage): boolean => strangeness(it) < 3
  let left = budget
  const others = inOrder.filter((it) => !isOwn(it) && (left -= it.milliseconds) >= 0)
  return [...inOrder.filter(isOwn).slice(0, mostOwnTests), ...others]
}
