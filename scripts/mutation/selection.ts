/** Which mutants are tried: those of some files, or of what changed, or a sample that a seed decides. */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Mutant, mutantsOf } from './mutants.ts'

/** What is measured, and whose tests are asked: first those of the package itself, then of those that use it. */
export const areas: Readonly<Record<string, { readonly sources: string; readonly tests: readonly string[] }>> = {
  protocol: { sources: 'packages/protocol/src', tests: ['protocol'] },
  authority: { sources: 'packages/authority/src', tests: ['authority'] },
  resource: { sources: 'packages/resource/src', tests: ['resource'] },
  store: { sources: 'packages/store/src/verbs', tests: ['store'] },
}

export const areaOf = (file: string): string =>
  Object.keys(areas).find((name) => file.startsWith(`packages/${name}/`)) ?? ''

/** Published lists of names are no behaviour. */
const sourcesIn = (folder: string, root: string): readonly string[] =>
  globSync(`${folder}/**/*.ts`, { cwd: root }).toSorted()

export interface Selection {
  readonly root: string
  /** Files or folders; all areas where there are none. */
  readonly paths: readonly string[]
  /** Only lines that changed since; null for all. */
  readonly since: string | null
}

export function candidates({ root, paths, since }: Selection): readonly Mutant[] {
  const files = Object.values(areas)
    .flatMap(({ sources }) => sourcesIn(sources, root))
    .filter((file) => paths.length === 0 || paths.some((path) => file.startsWith(path)))
  const changed = since === null ? null : changedLines(since, root)
  return files
    .filter((file) => changed === null || changed.has(file))
    .flatMap((file) => mutantsOf(file, root))
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

/** So many in all, of each area by its lines, drawn at random: the same seed draws the same from the same sources. */
export function sampled(
  all: readonly Mutant[],
  size: number,
  { seed, root }: { seed: number; root: string },
): readonly Mutant[] {
  if (size >= all.length) return all
  const groups = Object.entries(Object.groupBy(all, ({ file }) => areaOf(file)))
  const linesOf = (mutants: readonly Mutant[]) =>
    [...new Set(mutants.map(({ file }) => file))].reduce(
      (sum, file) => sum + readFileSync(join(root, file), 'utf8').split('\n').length,
      0,
    )
  const lines = groups.map(([, mutants]) => linesOf(mutants ?? []))
  const total = lines.reduce((sum, it) => sum + it, 0)
  const drawn = groups.flatMap(([, mutants], at) => {
    const share = Math.round((size * (lines[at] ?? 0)) / total)
    return shuffled(mutants ?? [], seed).slice(0, share)
  })
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

/** mulberry32: small, even, and the same everywhere. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
