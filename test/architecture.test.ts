/** The map is a test: arrows are read from ARCHITECTURE.md, imports from the code. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { test } from 'node:test'

const root = resolve(import.meta.dirname, '..')
const map = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')

interface Import {
  readonly file: string
  readonly room: string
  readonly specifier: string
}

test('every import of every room is an arrow on the map', () => {
  const arrows = new Map(
    tableRows('may import (ours)').map(([room = '', ours = '', world = '']) => [
      room,
      { ours: new Set(list(ours)), world: list(world) },
    ]),
  )
  const broken: string[] = []
  for (const { file, room, specifier } of imports()) {
    const may = arrows.get(room)
    assert.ok(may, `${room} is a room without a row on the map`)
    if (specifier.startsWith('.')) {
      const target = relative(root, resolve(root, file, '..', specifier)).split('/')
      if (target[1] !== room) broken.push(`${file} reaches into another room: ${specifier}`)
      continue
    }
    const ours = /^@grantor\/([^/]+)/.exec(specifier)?.[1]
    const allowed = ours === undefined ? may.world.some((w) => covers(w, specifier)) : may.ours.has(ours)
    if (!allowed) broken.push(`${file} imports ${specifier}`)
  }
  assert.deepEqual(broken, [])
})

test('an import is known by its statement, and prose that speaks of one is none', () => {
  const found = (text: string) => [...text.matchAll(importStatement)].map(([, stated, loaded]) => stated ?? loaded)
  assert.deepEqual(found("import { a,\n  type B } from 'x'\nimport 'y'\nexport * from './z.ts'\n"), [
    'x',
    'y',
    './z.ts',
  ])
  assert.deepEqual(found("const lazy = await import('pg')\n"), ['pg'])
  assert.deepEqual(found("export const words = { where: 'asked from ', when: 'import ' }\n  from 'there'\n"), [])
})

test('imports that belong to a few files stay there', () => {
  const bound = tableRows('only in').map(([what = '', where = '']) => ({ what, where: list(where) }))
  assert.ok(bound.length > 0)
  const broken = imports().flatMap(({ file, specifier }) =>
    bound
      .filter(({ what, where }) => specifier === what && !where.some((prefix) => file.startsWith(prefix)))
      .map(() => `${file} imports ${specifier}`),
  )
  assert.deepEqual(broken, [])
})

/** The rooms that make up the server. */
const serving = /^packages\/(?:protocol|store|authority|server)\//

/** Modules that reach other machines whatever is taken from them; of the others these names do. */
const reaching = /^(?:undici|ws|nodemailer|pg|node:(?:http2|dgram|dns|child_process|inspector|quic))(?:\/|$)/
const connecting = /^(?:request|get|connect|createConnection|Agent|globalAgent|ClientRequest|Socket|Stream|TLSSocket)$/

test('the ways out of the server are the ones on the map', () => {
  const ways = tableRows('only through').map(([what = '', where = '']) => ({ what, where }))
  assert.ok(ways.length > 0)
  const broken = sources()
    .filter((file) => serving.test(file))
    .flatMap((file) =>
      valueImports(readFileSync(join(root, file), 'utf8'))
        .filter(({ module, names }) => isWayOut(module, names))
        .filter(({ module }) => !ways.some(({ what, where }) => covers(what, module) && file.startsWith(where)))
        .map(({ module }) => `${file} reaches out by ${module}`),
    )
  assert.deepEqual(broken, [])
})

test('nothing in the server reaches out by a global, or by a module that no import names', () => {
  const globals = /(?<![.\w])(?:fetch|WebSocket|EventSource)\s*\(|globalThis\.fetch|getBuiltinModule|createRequire/
  const port = new Set(['packages/authority/src/ports/outbound.ts', 'packages/server/src/outbound/index.ts'])
  const found = sources().filter(
    (file) => serving.test(file) && !port.has(file) && globals.test(readFileSync(join(root, file), 'utf8')),
  )
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

test('every room on the map exists, and every package is on the map', () => {
  const rooms = tableRows('may import (ours)').map(([room = '']) => room)
  assert.deepEqual(rooms.toSorted(), readdirSync(join(root, 'packages')).toSorted())
})

test('STYLE §2: every source file begins with one sentence on what it is', () => {
  const silent = sources().filter((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return !text.startsWith('/** ') && !text.startsWith('/**\n') && !text.startsWith('#!')
  })
  assert.deepEqual(silent, [])
})

test('STYLE §11: no file is called utils, helpers, common, manager or service', () => {
  assert.deepEqual(
    sources().filter((file) => /\b(utils?|helpers?|common|manager|service)\b/.test(file.replaceAll('-', ' '))),
    [],
  )
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

function sources(): string[] {
  return readdirSync(join(root, 'packages')).flatMap((room) =>
    readdirSync(join(root, 'packages', room, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join('packages', room, 'src', file)),
  )
}

/**
 * `import … from 'x'`, `export … from 'x'`, `import 'x'` at the beginning of a line, and `import('x')` anywhere. What
 * stands between the word and `from` holds no quotes and no parentheses, so prose in a string is never taken for one.
 */
const importStatement = /^(?:import|export)\s+(?:[^'"`();]*?\sfrom\s+)?'([^'\n]+)'|\bimport\(\s*'([^'\n]+)'\s*\)/gm

interface ValueImport {
  readonly module: string
  /** As exported there; `*` for all of it. */
  readonly names: readonly string[]
}

/** What is left of an import when the types are erased. */
function valueImports(text: string): readonly ValueImport[] {
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

const isWayOut = (module: string, names: readonly string[]): boolean =>
  names.length > 0 &&
  (reaching.test(module) ||
    (/^node:(?:http|https|net|tls)$/.test(module) && names.some((name) => name === '*' || connecting.test(name))))

function imports(): Import[] {
  return sources().flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const room = file.split('/')[1] ?? ''
    return [...text.matchAll(importStatement)].map(([, stated, loaded]) => ({
      file,
      room,
      specifier: stated ?? loaded ?? '',
    }))
  })
}
