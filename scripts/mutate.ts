/** `npm run mutate -- [paths] [--sample N] [--seed S] [--since REF] [--jobs N] [--record]`: which defects no test would notice. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { coverageOf, type TestCoverage } from './mutation/coverage.ts'
import { readEquivalents } from './mutation/equivalents.ts'
import { describeMutant, type Mutant } from './mutation/mutants.ts'
import { figures, recordRun, type TriedMutant } from './mutation/record.ts'
import { openScratch, type Scratch } from './mutation/scratch.ts'
import { candidates, partOf, sampled } from './mutation/selection.ts'
import { tryMutant } from './mutation/trial.ts'
import { refusedByTypes } from './mutation/types.ts'
import { startPostgres } from './postgres.ts'

const root = join(import.meta.dirname, '..')
const { values, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: {
    /** So many of each part. */
    sample: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    since: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    /** Seconds of other packages' tests that one mutant is worth. */
    budget: { type: 'string', default: '30' },
    record: { type: 'boolean', default: false },
  },
})
const [seed, sample, jobs] = [Number(values.seed), Number(values.sample), Number(values.jobs)]

const isEquivalent = readEquivalents(root)
const all = candidates({ root, paths, since: values.since ?? null })
const worth = all.filter((mutant) => !isEquivalent(mutant))
const chosen = sampled(worth, sample, seed)
console.log(`${all.length} mutants, ${all.length - worth.length} of them equivalent; ${chosen.length} are tried`)

const postgres = await startPostgres()
const scratches = Array.from({ length: jobs }, () => openScratch(root))
process.on('exit', () => scratches.forEach((scratch) => scratch.remove()))
const tried: TriedMutant[] = []
try {
  const coverages = await coveragesFor(chosen)
  const waiting = [...chosen]
  // Ended by hand, it tells of what it has tried; SIGINT and SIGTERM end the database under it at once.
  process.once('SIGUSR2', () => (waiting.length = 0))
  await Promise.all(scratches.map((scratch) => work(scratch, waiting, coverages)))
  await askCompiler()
} finally {
  await postgres.stop()
}
const run = { seed, sample, equivalents: all.length - worth.length, tried }
console.log(['| part | defects | caught | share |', '|---|---|---|---|', ...figures(run)].join('\n'))
for (const { mutant, fate } of tried) if (fate === 'survived') console.log(`survived: ${describeMutant(mutant)}`)
if (values.record) recordRun(run, root)
process.exit(0)

async function work(scratch: Scratch, waiting: Mutant[], coverages: readonly TestCoverage[]): Promise<void> {
  const budget = 1000 * Number(values.budget)
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const done = await tryMutant(next, { scratch, coverages, databaseUrl: postgres.url, budget })
    tried.push(done)
    const by = done.by === null ? '' : ` (${done.by})`
    console.log(
      `${tried.length}/${chosen.length} ${done.fate === 'survived' ? 'unnoticed' : done.fate}${by}: ${describeMutant(next)}`,
    )
  }
}

/** What the compiler refuses cannot be committed either. */
async function askCompiler(): Promise<void> {
  const unnoticed = tried.filter(({ fate }) => fate === 'survived').map(({ mutant }) => mutant)
  const refused = await refusedByTypes(unnoticed, scratches[0]?.folder ?? root)
  for (const [at, { mutant }] of tried.entries())
    if (refused.has(mutant)) tried[at] = { mutant, fate: 'types', by: 'tsc' }
}

/** Of all tests that could notice one of them. */
async function coveragesFor(mutants: readonly Mutant[]): Promise<readonly TestCoverage[]> {
  const packages = new Set(mutants.map(({ file }) => partOf(file)))
  const tests = [...packages]
    .flatMap((name) => globSync(`packages/${name}/test/**/*.test.ts`, { cwd: root }))
    // Pages of docs that are tables of the code.
    .concat('test/docs.test.ts')
    .toSorted()
  const found: TestCoverage[] = []
  const work = async ({ folder }: Scratch) => {
    for (let test = tests.shift(); test !== undefined; test = tests.shift()) {
      const coverage = await coverageOf(test, { root, folder, databaseUrl: postgres.url })
      if (coverage === null) console.log(`not green without any defect, left out: ${test}`)
      else found.push(coverage)
    }
  }
  await Promise.all(scratches.map(work))
  return found
}
