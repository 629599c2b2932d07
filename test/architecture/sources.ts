/** The sources of the repository and what they import, for the tests that hold them to the rules. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')
export const read = (file: string): string => readFileSync(join(root, file), 'utf8')

const find = (...patterns: readonly string[]): readonly string[] =>
  patterns.flatMap((pattern) =>
    globSync(pattern, { cwd: root, exclude: (name) => name === 'node_modules' || name.endsWith('.d.ts') }),
  )

/** What is published: the `src` of the packages. */
export const packageSources = find('packages/*/src/**/*.{ts,tsx}').toSorted()
/** What lies beside the packages, and drives them from outside. */
export const workspaceSources = find('{bench,e2e,interop,scripts,test}/**/*.ts').toSorted()
export const packageTests = find('packages/*/{test,suite}/**/*.ts').toSorted()
export const packageNames = find('packages/*/package.json').map((file) => packageOf(file))

export function packageOf(file: string): string {
  return file.split('/')[1] ?? ''
}

/**
 * `import … from 'x'`, `export … from 'x'`, `import 'x'` at the beginning of a line, and `import('x')` anywhere. What
 * stands between the word and `from` holds no quotes and no parentheses, so prose in a string is never taken for one.
 */
const importStatement = /^(?:import|export)\s+(?:[^'"`();]*?\sfrom\s+)?'([^'\n]+)'|\bimport\(\s*'([^'\n]+)'\s*\)/gm

/** The modules that a text imports, for a type or a value, in its order. */
export const specifiersIn = (text: string): readonly string[] =>
  [...text.matchAll(importStatement)].map(([, stated, loaded]) => stated ?? loaded ?? '')

/** How many statements a file begins with; what it loads later is not counted. */
export const importCount = (text: string): number => [...text.matchAll(/^import\s/gm)].length

export interface ValueImport {
  readonly module: string
  /** As exported there; `*` for all of it. */
  readonly names: readonly string[]
}

/** What is left of an import when the types are erased. */
export function valueImports(text: string): readonly ValueImport[] {
  return [...text.matchAll(importStatement)].flatMap(([statement, stated, loaded]) => {
    const module = stated ?? loaded ?? ''
    if (/^(?:import|export)\s+type\s/.test(statement)) return []
    const listed = /^(?:import|export)\s*\{([^}]*)\}/.exec(statement)?.[1]
    if (listed === undefined) return [{ module, names: ['*'] }]
    const names = listed.split(',').map((name) =>
      name
        .trim()
        .split(/\s+as\s+/, 1)
        .join(''),
    )
    return [{ module, names: names.filter((name) => name !== '' && !name.startsWith('type ')) }]
  })
}

/** The entries of every package by their specifier (`@grantor/protocol/oauth`), each with the file behind it. */
export const publishedEntries: ReadonlyMap<string, string> = new Map(
  packageNames.flatMap((name) => {
    const manifest = JSON.parse(read(`packages/${name}/package.json`)) as Manifest
    return Object.entries(manifest.exports ?? {}).map(
      ([path, file]) => [join(manifest.name, path), join('packages', name, file)] as const,
    )
  }),
)

interface Manifest {
  readonly name: string
  readonly exports?: Readonly<Record<string, string>>
}

/** The file of this repository that a specifier leads to; null for what others wrote. */
export const fileBehind = (specifier: string, from: string): string | null =>
  specifier.startsWith('.') ? normalize(join(dirname(from), specifier)) : (publishedEntries.get(specifier) ?? null)
