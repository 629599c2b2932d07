/** What a run found, for machines and for docs/testing.md. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeMutant, type Mutant } from './mutants.ts'
import { partOf } from './selection.ts'

export type Fate = 'test' | 'time' | 'types' | 'survived'

export interface TriedMutant {
  readonly mutant: Mutant
  readonly fate: Fate
  /** The test that noticed. */
  readonly by: string | null
}

/** Asked before a run: while it takes its time the work goes on. */
export const commitOf = (root: string): string =>
  execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()

export interface MutationRun {
  readonly commit: string
  readonly seed: number
  readonly sample: number
  readonly equivalents: number
  readonly tried: readonly TriedMutant[]
}

const percent = (caught: number, all: number): string => `${((100 * caught) / all).toFixed(1)} %`

const counts = (tried: readonly TriedMutant[]) => ({
  all: tried.length,
  caught: tried.filter(({ fate }) => fate !== 'survived').length,
})

/** A row for each part that was measured. */
export function figures({ tried }: MutationRun): readonly string[] {
  const parts = Object.entries(Object.groupBy(tried, ({ mutant }) => partOf(mutant.file)))
  return parts
    .map(([name, list = []]) => ({ name, ...counts(list) }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(({ name, caught, all }) => `| ${name} | ${all} | ${caught} | ${percent(caught, all)} |`)
}

export const resultFile = 'scripts/mutation/result.json'
const page = 'docs/testing.md'
const [begin, end] = ['<!-- mutation: begin -->', '<!-- mutation: end -->']

/** Keeps the run and writes its figures into the page. */
export function recordRun(run: MutationRun, root: string): void {
  const { commit } = run
  const result = {
    command: `npm run mutate -- --sample ${run.sample} --seed ${run.seed}`,
    commit,
    equivalents: run.equivalents,
    tried: run.tried.map(({ mutant, fate, by }) => ({ mutant: describeMutant(mutant), fate, by })),
  }
  writeFileSync(join(root, resultFile), `${JSON.stringify(result, null, 2)}\n`)
  const text = readFileSync(join(root, page), 'utf8')
  const table = ['| part | defects | caught | share |', '|---|---|---|---|', ...figures(run)].join('\n')
  const said = `\`${result.command}\` at commit \`${commit}\`; ${run.equivalents} in the list of equivalent ones were left out.`
  const [head = '', rest = ''] = text.split(begin)
  const [, tail = ''] = rest.split(end)
  writeFileSync(join(root, page), `${head}${begin}\n\n${said}\n\n${table}\n\n${end}${tail}`)
}
