/** Whom a defect is shown to: first the tests near its source, then further ones near it and near its very place. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutant } from './mutants.ts'
import { openNearness, wordsOf } from './nearness.ts'
import { partOf } from './selection.ts'

export interface AskedTests {
  /** Of its package and of the server, the test that holds the pages of docs to the code, and the suites of its package. */
  near(mutant: Mutant): readonly string[]
  /** Of all packages that use it and of the workspace, without those that were asked before. */
  further(mutant: Mutant): readonly string[]
}

export interface AskedBounds {
  readonly depth: number
  readonly further: number
}

/** Of the workspace's tests those that run servers; the others look at texts, or take minutes. */
const workspaceTests = 'test/{attacks,clocks,faults,feed,keys,log,outbound,tenants}/*.test.ts'

export function openAskedTests(root: string, parts: ReadonlySet<string>, bounds: AskedBounds): AskedTests {
  const testsOf = (name: string) => globSync(`packages/${name}/test/**/*.test.ts`, { cwd: root })
  // Much of what the parts do is tested where it is seen, in the answers of the server.
  const nearest = openNearness(root, [...parts.union(new Set(['server']))].flatMap(testsOf))
  const everywhere = openNearness(root, [...testsOf('*'), ...globSync(workspaceTests, { cwd: root })])
  const usersOf = openUsers(root)
  const suites = new Map([...parts].map((part) => [part, suiteRunners(root, testsOf(part))]))
  const near = (mutant: Mutant): readonly string[] => {
    const likeliest = nearest(mutant.file)
      .toSpliced(bounds.depth - 1, 0, 'test/docs.test.ts')
      .slice(0, bounds.depth)
    return [...new Set([...likeliest, ...(suites.get(partOf(mutant.file)) ?? [])])]
  }
  return {
    near,
    further(mutant) {
      const asked = new Set(near(mutant))
      const users = usersOf(partOf(mutant.file))
      const mayLoad = (test: string): boolean => test.startsWith('test/') || users.has(partOf(test))
      const others = (place?: ReadonlySet<string>) =>
        everywhere(mutant.file, place).filter((test) => mayLoad(test) && !asked.has(test))
      const byFile = others().slice(0, bounds.further / 2)
      return [...new Set([...byFile, ...others(placeWords(root, mutant))])].slice(0, bounds.further)
    },
  }
}

/** Who runs a suite says nothing of what it holds: no words lead there, and it is asked last. */
const suiteRunners = (root: string, tests: readonly string[]): readonly string[] =>
  tests
    .filter((test) => readFileSync(join(root, test), 'utf8').includes("'../suite/index.ts'"))
    .toSorted()
    .toReversed()

/** Those of its line and of the lines around it. */
function placeWords(root: string, { file, line }: Mutant): ReadonlySet<string> {
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  return wordsOf(lines.slice(Math.max(0, line - 4), line + 3).join('\n'))
}

/** The package itself and whatever depends on it, however indirectly. */
function openUsers(root: string): (part: string) => ReadonlySet<string> {
  const uses = new Map(
    globSync('packages/*/package.json', { cwd: root }).map((path) => {
      const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(join(root, path), 'utf8')) as {
        readonly dependencies?: object
        readonly devDependencies?: object
      }
      return [partOf(path), Object.keys({ ...dependencies, ...devDependencies })]
    }),
  )
  return (part) => {
    const users = new Set([part])
    // A set that grows is walked to its end.
    for (const used of users)
      for (const [name, dependencies] of uses) if (dependencies.includes(`@grantor/${used}`)) users.add(name)
    return users
  }
}
