/** Which tests are likeliest to notice a defect of a source: those that speak of the same things. */
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** All of these tests for a source: those named for it first, then those of its folder that share most of its rarer words. */
export type Nearness = (source: string) => readonly string[]

export function openNearness(root: string, tests: readonly string[]): Nearness {
  const words = new Map(tests.map((test) => [test, wordsIn(root, test)]))
  const holders = new Map<string, number>()
  for (const word of [...words.values()].flatMap((it) => [...it])) holders.set(word, (holders.get(word) ?? 0) + 1)
  const sum = (list: ReadonlySet<string>): number =>
    [...list].reduce((total, word) => total + Math.log(tests.length / (holders.get(word) ?? tests.length)) ** 2, 0)
  const known = new Map<string, readonly string[]>()
  return (source) => {
    const own = wordsIn(root, source)
    const scores = new Map(
      [...words].map(([test, all]) => {
        const shared = sum(own.intersection(all)) / Math.sqrt(1 + sum(all))
        return [test, isNamedFor(test, source) ? Infinity : shared * (isOfSameFolder(test, source) ? 4 : 1)]
      }),
    )
    const nearest =
      known.get(source) ?? tests.toSorted((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0) || a.localeCompare(b))
    known.set(source, nearest)
    return nearest
  }
}

const packageOf = (path: string): string => path.split('/')[1] ?? ''
const foldersOf = (path: string): readonly string[] => dirname(path).split('/').slice(3)

const isNamedFor = (test: string, source: string): boolean =>
  packageOf(test) === packageOf(source) && basename(test, '.test.ts') === basename(source, '.ts')

/** In whichever package: what the authority does is often tested where it is seen, in the answers of the server. */
const isOfSameFolder = (test: string, source: string): boolean =>
  foldersOf(test).some((folder) => foldersOf(source).includes(folder))

/** Those of its path too; `signInPage` are three. */
function wordsIn(root: string, file: string): ReadonlySet<string> {
  const text = `${file} ${readFileSync(join(root, file), 'utf8')}`
  return new Set((text.match(/[A-Z]?[a-z]{2,}|[A-Z]{2,}/g) ?? []).map((word) => word.toLowerCase()))
}
