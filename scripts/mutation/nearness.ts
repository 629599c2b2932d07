/** Which tests are likeliest to notice a defect of a source: those that speak of the same things. */
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * All of these tests for a source: first those named for it, then those that import it, then those of its folder that
 * share most of its rarer words; or of the words of a place in it, where these are given.
 */
export type Nearness = (source: string, place?: ReadonlySet<string>) => readonly string[]

export function openNearness(root: string, tests: readonly string[]): Nearness {
  const texts = new Map(tests.map((test) => [test, readFileSync(join(root, test), 'utf8')]))
  const words = new Map([...texts].map(([test, text]) => [test, wordsOf(`${test} ${text}`)]))
  const holders = new Map<string, number>()
  for (const word of [...words.values()].flatMap((it) => [...it])) holders.set(word, (holders.get(word) ?? 0) + 1)
  const sum = (list: ReadonlySet<string>): number =>
    [...list].reduce((total, word) => total + Math.log(tests.length / (holders.get(word) ?? tests.length)) ** 2, 0)
  const imports = (test: string, source: string): boolean =>
    packageOf(test) === packageOf(source) &&
    texts.get(test)?.includes(`/${source.split('/').slice(2).join('/')}'`) === true
  return (source, place) => {
    // Those of its path too.
    const own = place ?? wordsOf(`${source} ${readFileSync(join(root, source), 'utf8')}`)
    const scores = new Map(
      [...words].map(([test, all]) => {
        if (isNamedFor(test, source)) return [test, Infinity]
        const shared = sum(own.intersection(all)) / Math.sqrt(1 + sum(all))
        return [test, shared * (isOfSameFolder(test, source) ? 4 : 1) * (imports(test, source) ? 100 : 1)]
      }),
    )
    return tests.toSorted((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0) || a.localeCompare(b))
  }
}

const packageOf = (path: string): string => path.split('/')[1] ?? ''
const foldersOf = (path: string): readonly string[] => dirname(path).split('/').slice(3)

const isNamedFor = (test: string, source: string): boolean =>
  packageOf(test) === packageOf(source) && basename(test, '.test.ts') === basename(source, '.ts')

/** In whichever package: what the authority does is often tested where it is seen, in the answers of the server. */
const isOfSameFolder = (test: string, source: string): boolean =>
  foldersOf(test).some((folder) => foldersOf(source).includes(folder))

/** `signInPage` are three. */
export const wordsOf = (text: string): ReadonlySet<string> =>
  new Set((text.match(/[A-Z]?[a-z]{2,}|[A-Z]{2,}/g) ?? []).map((word) => word.toLowerCase()))
