/** Which test files execute which part of which source, found once and remembered outside the repository. */
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Mutant } from './mutants.ts'
import { quickFolder } from './scratch.ts'
import { runTest } from './test-runs.ts'

/** [from, to, times]: the innermost range that holds a place says how often it ran. */
type Range = readonly [start: number, end: number, count: number]

export interface TestCoverage {
  readonly test: string
  readonly milliseconds: number
  /** Ranges by source file, with the digest of the source they are ranges of. */
  readonly sources: Readonly<Record<string, { readonly digest: string; readonly ranges: readonly Range[] }>>
}

export interface CoverageOptions {
  readonly root: string
  readonly folder: string
  readonly databaseUrl: string
}

export const digestOf = (path: string): string => hash('sha256', readFileSync(path, 'utf8'), 'base64url').slice(0, 16)

/** As remembered, or run anew where the test has changed. Null where it fails without any defect. */
export async function coverageOf(test: string, options: CoverageOptions): Promise<TestCoverage | null> {
  const cache = join(options.root, 'node_modules', '.cache', 'mutation')
  const path = join(cache, `${test.replaceAll('/', '+')}.json`)
  const testDigest = digestOf(join(options.folder, test))
  if (existsSync(path)) {
    const kept = JSON.parse(readFileSync(path, 'utf8')) as TestCoverage & { readonly testDigest: string }
    if (kept.testDigest === testDigest) return kept
  }
  const fresh = await measured(test, options)
  if (fresh === null) return null
  mkdirSync(cache, { recursive: true })
  writeFileSync(path, JSON.stringify({ ...fresh, testDigest }))
  return fresh
}

async function measured(test: string, { folder, databaseUrl }: CoverageOptions): Promise<TestCoverage | null> {
  const coverage = mkdtempSync(join(quickFolder, 'grantor-mutation-coverage-'))
  try {
    const run = await runTest(test, { folder, databaseUrl, coverage, mostMilliseconds: 900_000 })
    if (run.outcome !== 'green') return null
    const ranges = new Map<string, Range[]>()
    for (const name of readdirSync(coverage)) collect(join(coverage, name), folder, ranges)
    const sources = Object.fromEntries(
      [...ranges].map(([file, list]) => [file, { digest: digestOf(join(folder, file)), ranges: list }]),
    )
    return { test, milliseconds: Math.round(run.milliseconds), sources }
  } finally {
    rmSync(coverage, { recursive: true, force: true })
  }
}

interface V8Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[]
    }[]
  }[]
}

/** One file per process and thread; what any of them executed was executed. */
function collect(path: string, folder: string, into: Map<string, Range[]>): void {
  const { result } = JSON.parse(readFileSync(path, 'utf8')) as V8Coverage
  for (const { url, functions } of result.filter((it) => it.url.startsWith('file:'))) {
    const file = relative(folder, fileURLToPath(url))
    if (!/^packages\/\w+\/src\//.test(file)) continue
    const ranges = functions.flatMap((it) =>
      it.ranges.map(({ startOffset, endOffset, count }) => [startOffset, endOffset, count] as const),
    )
    // Processes are kept apart by a mark: within one, the innermost range counts.
    into.set(file, [...(into.get(file) ?? []), [-1, -1, 0], ...ranges])
  }
}

/**
 * Whether that test executes the place of the defect, in any of its processes. Of a source that has changed since it
 * was measured, every test that loads it may.
 */
export function executes({ sources }: TestCoverage, mutant: Mutant, digest: string): boolean {
  const { file, reachedAt: start = mutant.start } = mutant
  const known = sources[file]
  if (known === undefined || known.digest !== digest) return known !== undefined
  let innermost: Range | null = null
  for (const range of known.ranges) {
    if (range[0] < 0) {
      if (innermost !== null && innermost[2] > 0) return true
      innermost = null
    } else if (range[0] <= start && start < range[1]) {
      const isInner = innermost === null || range[1] - range[0] <= innermost[1] - innermost[0]
      if (isInner) innermost = range
    }
  }
  return innermost !== null && innermost[2] > 0
}
