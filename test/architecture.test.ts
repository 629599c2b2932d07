/** The map is a test: arrows are read from ARCHITECTURE.md, imports from the code. */
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { circles } from './architecture/circles.ts'
import {
  root,
  fileBehind,
  packageNames,
  packageOf,
  packageSources,
  packageTests,
  publishedEntries,
  read,
  specifiersIn,
  valueImports,
  workspaceSources,
} from './architecture/sources.ts'

const map = read('ARCHITECTURE.md')

interface Import {
  readonly file: string
  readonly specifier: string
}

const importsOf = (files: readonly string[]): readonly Import[] =>
  files.flatMap((file) => specifiersIn(read(file)).map((specifier) => ({ file, specifier })))

const imports = importsOf(packageSources)

test('every import of every package is an arrow on the map', () => {
  const arrows = new Map(
    tableRows('may import (ours)').map(([name = '', ours = '', world = '']) => [
      name,
      { ours: new Set(list(ours)), world: list(world) },
    ]),
  )
  const broken: string[] = []
  for (const { file, specifier } of imports) {
    const may = arrows.get(packageOf(file))
    assert.ok(may, `${packageOf(file)} is a package without a row on the map`)
    if (specifier.startsWith('.')) {
      if (packageOf(fileBehind(specifier, file) ?? '') !== packageOf(file))
        broken.push(`${file} reaches into another package: ${specifier}`)
      continue
    }
    const ours = /^@grantor\/([^/]+)/.exec(specifier)?.[1]
    const allowed = ours === undefined ? may.world.some((w) => covers(w, specifier)) : may.ours.has(ours)
    if (!allowed) broken.push(`${file} imports ${specifier}`)
  }
  assert.deepEqual(broken, [])
})

test('an import is known by its statement, and prose that speaks of one is none', () => {
  assert.deepEqual(specifiersIn("import { a,\n  type B } from 'x'\nimport 'y'\nexport * from './z.ts'\n"), [
    'x',
    'y',
    './z.ts',
  ])
  assert.deepEqual(specifiersIn("const lazy = await import('pg')\n"), ['pg'])
  assert.deepEqual(specifiersIn("export const words = { where: 'asked from ', when: 'import ' }\n  from 'there'\n"), [])
})

test('no file imports itself by way of others, for a type or a value, within a package or across', () => {
  const everything = [...packageSources, ...packageTests, ...workspaceSources]
  const known = new Set(everything)
  const graph = new Map(
    everything.map((file) => [
      file,
      specifiersIn(read(file)).flatMap((specifier) => {
        const target = fileBehind(specifier, file)
        return target !== null && known.has(target) ? [target] : []
      }),
    ]),
  )
  assert.ok([...graph.values()].flat().length > 1000)
  assert.deepEqual(circles(graph), [])
})

test('no package depends on itself by way of others', () => {
  const graph = new Map(tableRows('may import (ours)').map(([name = '', ours = '']) => [name, list(ours)]))
  assert.deepEqual(circles(graph), [])
})

test('a circle is found wherever it begins, and a diamond is none', () => {
  const diamond = new Map(Object.entries({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }))
  assert.deepEqual(circles(diamond), [])
  const round = new Map(Object.entries({ a: ['b'], b: ['c'], c: ['d'], d: ['b'], e: ['e'] }))
  assert.deepEqual(circles(round), ['b → c → d → b', 'e → e'])
})

test('whoever lies beside the packages uses their published entries only', () => {
  const broken = importsOf(workspaceSources).flatMap(({ file, specifier }) => {
    if (specifier.startsWith('.'))
      return fileBehind(specifier, file)?.startsWith('packages/') === true ? [`${file} reaches into ${specifier}`] : []
    return isOurs(specifier) && !publishedEntries.has(specifier) ? [`${file} imports ${specifier}`] : []
  })
  assert.deepEqual(broken, [])
})

for (const workspace of ['bench', 'e2e', 'interop']) {
  test(`the manifest of ${workspace} names every package of ours that it imports`, () => {
    const { dependencies } = JSON.parse(read(`${workspace}/package.json`)) as { dependencies: object }
    const used = importsOf(workspaceSources.filter((file) => file.startsWith(`${workspace}/`)))
      .map(({ specifier }) => /^@grantor\/[^/]+/.exec(specifier)?.[0])
      .filter((name) => name !== undefined)
    assert.deepEqual(new Set(used), new Set(Object.keys(dependencies).filter((name) => name.startsWith('@grantor/'))))
  })
}

test('imports that belong to a few files stay there', () => {
  const bound = tableRows('only in').map(([what = '', where = '']) => ({ what, where: list(where) }))
  assert.ok(bound.length > 0)
  const broken = imports.flatMap(({ file, specifier }) =>
    bound
      .filter(({ what, where }) => specifier === what && !where.some((prefix) => file.startsWith(prefix)))
      .map(() => `${file} imports ${specifier}`),
  )
  assert.deepEqual(broken, [])
})

/** The packages that make up the server. */
const serving = /^packages\/(?:protocol|store|authority|server)\//

/** Modules that reach other machines whatever is taken from them; of the others these names do. */
const reaching = /^(?:undici|ws|nodemailer|pg|ldapts|node:(?:http2|dgram|dns|child_process|inspector|quic))(?:\/|$)/
const connecting = /^(?:request|get|connect|createConnection|Agent|globalAgent|ClientRequest|Socket|Stream|TLSSocket)$/

test('the ways out of the server are the ones on the map', () => {
  const ways = tableRows('only through').map(([what = '', where = '']) => ({ what, where }))
  assert.ok(ways.length > 0)
  const broken = packageSources
    .filter((file) => serving.test(file))
    .flatMap((file) =>
      valueImports(read(file))
        .filter(({ module, names }) => isWayOut(module, names))
        .filter(({ module }) => !ways.some(({ what, where }) => covers(what, module) && file.startsWith(where)))
        .map(({ module }) => `${file} reaches out by ${module}`),
    )
  assert.deepEqual(broken, [])
})

test('nothing in the server reaches out by a global, or by a module that no import names', () => {
  const globals = /(?<![.\w])(?:fetch|WebSocket|EventSource)\s*\(|globalThis\.fetch|getBuiltinModule|createRequire/
  const port = new Set(['packages/authority/src/ports/outbound.ts', 'packages/server/src/outbound/index.ts'])
  const found = packageSources.filter((file) => serving.test(file) && !port.has(file) && globals.test(read(file)))
  assert.deepEqual(found, [])
})

test('a way out is known by what is imported: types are none, a whole module is one', () => {
  const found = (text: string) =>
    valueImports(text)
      .filter(({ module, names }) => isWayOut(module, names))
      .map(({ module }) => module)
  assert.deepEqual(found("import { isIP, type Socket } from 'node:net'\nimport type { Agent } from 'node:https'\n"), [])
  assert.deepEqual(found("import { request as ask } from 'node:http'\nimport net from 'node:net'\n"), [
    'node:http',
    'node:net',
  ])
  assert.deepEqual(found("import * as tls from 'node:tls'\nconst { get } = await import('node:https')\n"), [
    'node:tls',
    'node:https',
  ])
  assert.deepEqual(found("import { lookup } from 'node:dns/promises'\nimport 'undici'\n"), [
    'node:dns/promises',
    'undici',
  ])
})

test('every package on the map exists, and every package is on the map', () => {
  const names = tableRows('may import (ours)').map(([name = '']) => name)
  assert.deepEqual(names.toSorted(), packageNames.toSorted())
})

function tableRows(heading: string): string[][] {
  const lines = map.split('\n')
  const start = lines.findIndex((line) => line.startsWith('|') && line.includes(`| ${heading} |`))
  assert.notEqual(start, -1, `no table with a column "${heading}"`)
  const rows: string[][] = []
  for (const line of lines.slice(start + 2)) {
    if (!line.startsWith('|')) break
    rows.push(
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  }
  return rows
}

const list = (cell: string): string[] => (cell === '–' ? [] : cell.split(',').map((item) => item.trim()))

const covers = (allowed: string, specifier: string): boolean =>
  allowed === 'node:*'
    ? specifier.startsWith('node:')
    : specifier === allowed || (!allowed.startsWith('node:') && specifier.startsWith(`${allowed}/`))

const isOurs = (specifier: string): boolean => specifier.startsWith('@grantor/')

const isWayOut = (module: string, names: readonly string[]): boolean =>
  names.length > 0 &&
  (reaching.test(module) ||
    (/^node:(?:http|https|net|tls)$/.test(module) && names.some((name) => name === '*' || connecting.test(name))))

test('no two migrations of a database have one number, and none is left out', () => {
  for (const database of ['sqlite', 'postgres']) {
    const numbers = globSync(`packages/store/src/schema/${database}/*.sql`, { cwd: root })
      .map((file) => Number(file.split('/').at(-1)?.slice(0, 4)))
      .toSorted((a, b) => a - b)
    assert.deepEqual(
      numbers,
      numbers.map((_, at) => at + 1),
      database,
    )
  }
})
