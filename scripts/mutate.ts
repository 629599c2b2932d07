/** `npm run mutate -- [paths] [--sample N] [--seed S] [--since REF] [--jobs N] [--depth N] [--further N] [--record]`: which defects no test would notice. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type AskedTests, openAskedTests } from './mutation/asked-tests.ts'
import { coverageOf, type CoverageOptions, type TestCoverage } from './mutation/coverage.ts'
import { readEquivalents } from './mutation/equivalents.ts'
import { describeMutant, type Mutant } from './mutation/mutants.ts'
import { commitOf, figures, recordRun, type TriedMutant } from './mutation/record.ts'
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
    /** So many tests are looked at for a defect, the likeliest first; and so many more for one that these let pass. */
    depth: { type: 'string', default: '16' },
    further: { type: 'string', default: '32' },
    record: { type: 'boolean', default: false },
  },
})
const [seed, sample, jobs] = [Number(values.seed), Number(values.sample), Number(values.jobs)]

const isEquivalent = readEquivalents(root)
const all = candidates({ root, paths, since: values.since ?? null })
const worth = all.filter((mutant) => !isEquivalent(mutant))
const chosen = sampled(worth, sample, seed)
console.log(`${all.length} mutants, ${all.length - worth.length} of them equivalent; ${chosen.length} are tried`)

const commit = commitOf(root)
const postgres = await startPostgres()
const scratches = Array.from({ length: jobs }, () => openScratch(root))
process.on('exit', () => scratches.forEach((scratch) => scratch.remove()))
const fates = new Map<Mutant, TriedMutant>()
const coverages = new Map<string, Promise<TestCoverage | null>>()
const leftOut = new Set<string>()
const bounds = { depth: Number(values.depth), further: Number(values.further) }
const asked = openAskedTests(root, new Set(chosen.map(({ file }) => partOf(file))), bounds)
let waiting: Mutant[] = []
// Ended by hand, it tells of what it has tried; SIGINT and SIGTERM end the database under it at once.
process.on('SIGUSR2', () => (waiting.length = 0))
try {
  await show(chosen, 'near')
  await askCompiler()
  // Most are noticed by the first; of the others fewer are left to ask many about.
  await show(survivors(), 'further')
} finally {
  await postgres.stop()
}
const run = { commit, seed, sample, equivalents: all.length - worth.length, tried: [...fates.values()] }
console.log(['| part | defects | caught | share |', '|---|---|---|---|', ...figures(run)].join('\n'))
for (const mutant of survivors()) console.log(`survived: ${describeMutant(mutant)}`)
if (values.record) recordRun(run, root)
process.exit(0)

function survivors(): readonly Mutant[] {
  return [...fates.values()].filter(({ fate }) => fate === 'survived').map(({ mutant }) => mutant)
}

async function show(mutants: readonly Mutant[], to: keyof AskedTests): Promise<void> {
  waiting = [...mutants]
  let count = 0
  await Promise.all(scratches.map((scratch) => work(scratch)))

  async function work(scratch: Scratch): Promise<void> {
    const where = { root, folder: scratch.folder, databaseUrl: postgres.url }
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const tests = asked[to](next)
      const done = await tryMutant(next, { ...where, scratch, tests, coverageOf: (test) => remembered(test, where) })
      fates.set(next, done)
      const told = done.by === null ? 'unnoticed' : `${done.fate} (${done.by})`
      console.log(`${to} ${(count += 1)}/${mutants.length} ${told}: ${describeMutant(next)}`)
    }
  }
}

/** What the compiler refuses cannot be committed either. */
async function askCompiler(): Promise<void> {
  const refused = await refusedByTypes(survivors(), scratches[0]?.folder ?? root)
  for (const mutant of refused) fates.set(mutant, { mutant, fate: 'types', by: 'tsc' })
}

/** A test that is red by itself is tried once. */
async function remembered(test: string, where: CoverageOptions): Promise<TestCoverage | null> {
  const known = coverages.get(test) ?? coverageOf(test, where)
  coverages.set(test, known)
  const coverage = await known
  if (coverage === null && !leftOut.has(test)) console.log(`not green without any defect, left out: ${test}`)
  if (coverage === null) leftOut.add(test)
  return coverage
}
