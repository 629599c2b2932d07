/** Which mutants are tried: those of some files, or of what changed, or a sample that a seed decides. */
import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { type Mutant, mutantsOf } from './mutants.ts'
import { randomFrom } from '../random.ts'

/** What is measured where nothing is named, a part each; its name is that of the package. */
const measuredParts: readonly string[] = [
  'packages/protocol/src',
  'packages/authority/src',
  'packages/resource/src',
  'packages/store/src/verbs',
]

/** The package, whose tests are asked first. */
export const partOf = (file: string): string => file.split('/')[1] ?? ''

export interface Selection {
  readonly root: string
  /** Folders, files or lines (`file.ts:12`) of any package; all that is measured where there are none. */
  readonly paths: readonly string[]
  /** Only lines that changed since; null for all. */
  readonly since: string | null
}

export function candidates({ root, paths, since }: Selection): readonly Mutant[] {
  const within = paths.length === 0 ? measuredParts : paths
  const files = globSync('packages/*/src/**/*.ts', { cwd: root })
    .filter((file) => within.some((path) => `${file}:`.startsWith(path.replace(/\d+$/, ''))))
    .toSorted()
  const changed = since === null ? null : changedLines(since, root)
  return files
    .filter((file) => changed === null || changed.has(file))
    .flatMap((file) => mutantsOf(file, root))
    .filter(({ file, line }) => within.some((path) => file.startsWith(path) || path === `${file}:${line}`))
    .filter(({ file, line }) => changed === null || changed.get(file)?.has(line) === true)
}

function changedLines(since: string, root: string): ReadonlyMap<string, ReadonlySet<number>> {
  const diff = execFileSync('git', ['diff', '-U0', '--no-color', since, '--', 'packages'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  const found = new Map<string, Set<number>>()
  let lines = new Set<number>()
  for (const row of diff.split('\n')) {
    const [, file] = /^\+\+\+ b\/(.+)$/.exec(row) ?? []
    if (file !== undefined) found.set(file, (lines = new Set()))
    const [, from, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(row) ?? []
    if (from === undefined) continue
    for (let n = 0; n < Number(count); n += 1) lines.add(Number(from) + n)
  }
  return found
}

/** So many of each part, drawn at random: the same seed draws the same from the same sources. */
export function sampled(all: readonly Mutant[], size: number, seed: number): readonly Mutant[] {
  const parts = Object.values(Object.groupBy(all, ({ file }) => partOf(file)))
  const drawn = parts.flatMap((mutants) => shuffled(mutants ?? [], seed).slice(0, size))
  // Mixed again, so that a run that is ended early is a smaller sample of the same kind.
  return shuffled(drawn, seed)
}

function shuffled<T>(list: readonly T[], seed: number): readonly T[] {
  const random = randomFrom(seed)
  const result = [...list]
  for (let at = result.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1))
    const [a, b] = [result[at], result[other]]
    if (a !== undefined && b !== undefined) [result[at], result[other]] = [b, a]
  }
  return result
}
