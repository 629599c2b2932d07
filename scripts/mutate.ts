/** `npm run mutate -- [paths] [--sample N] [--seed S] [--since REF] [--jobs N] [--depth N] [--record]`: which defects no test would notice. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { coverageOf, type CoverageOptions, type TestCoverage } from './mutation/coverage.ts'
import { readEquivalents } from './mutation/equivalents.ts'
import { describeMutant, type Mutant } from './mutation/mutants.ts'
import { openNearness } from './mutation/nearness.ts'
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
    /** So many tests are looked at for a defect, the likeliest first. */
    depth: { type: 'string', default: '16' },
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
const tried: TriedMutant[] = []
const coverages = new Map<string, Promise<TestCoverage | null>>()
const leftOut = new Set<string>()
// Much of what the parts do is tested where it is seen, in the answers of the server.
const askedPackages = new Set([...chosen.map(({ file }) => partOf(file)), 'server'])
const nearestTo = openNearness(
  root,
  [...askedPackages].flatMap((name) => globSync(`packages/${name}/test/**/*.test.ts`, { cwd: root })),
)
try {
  const waiting = [...chosen]
  // Ended by hand, it tells of what it has tried; SIGINT and SIGTERM end the database under it at once.
  process.once('SIGUSR2', () => (waiting.length = 0))
  await Promise.all(scratches.map((scratch) => work(scratch, waiting)))
  await askCompiler()
} finally {
  await postgres.stop()
}
const run = { commit, seed, sample, equivalents: all.length - worth.length, tried }
console.log(['| part | defects | caught | share |', '|---|---|---|---|', ...figures(run)].join('\n'))
for (const { mutant, fate } of tried) if (fate === 'survived') console.log(`survived: ${describeMutant(mutant)}`)
if (values.record) recordRun(run, root)
process.exit(0)

async function work(scratch: Scratch, waiting: Mutant[]): Promise<void> {
  const where = { root, folder: scratch.folder, databaseUrl: postgres.url }
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const done = await tryMutant(next, {
      scratch,
      // With the pages of docs that are tables of the code.
      tests: nearestTo(next.file).toSpliced(Number(values.depth) - 1, 0, 'test/docs.test.ts'),
      coverageOf: (test) => remembered(test, where),
      databaseUrl: postgres.url,
      depth: Number(values.depth),
    })
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

/** A test that is red by itself is tried once. */
async function remembered(test: string, where: CoverageOptions): Promise<TestCoverage | null> {
  const known = coverages.get(test) ?? coverageOf(test, where)
  coverages.set(test, known)
  const coverage = await known
  if (coverage === null && !leftOut.has(test)) console.log(`not green without any defect, left out: ${test}`)
  if (coverage === null) leftOut.add(test)
  return coverage
}
