/** The command that puts defects in: what it makes of a source, and what it draws. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openAskedTests } from '../scripts/mutation/asked-tests.ts'
import { executes } from '../scripts/mutation/coverage.ts'
import { equivalentsFile, readEquivalents } from '../scripts/mutation/equivalents.ts'
import { type Mutant, mutantsOf, mutated } from '../scripts/mutation/mutants.ts'
import { openNearness } from '../scripts/mutation/nearness.ts'
import { candidates, sampled } from '../scripts/mutation/selection.ts'

const file = 'packages/protocol/src/sample.ts'

function folderWith(t: TestContext, source: string): string {
  const root = mkdtempSync(join(tmpdir(), 'grantor-mutants-'))
  t.after(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'packages/protocol/src'), { recursive: true })
  mkdirSync(join(root, 'scripts/mutation'), { recursive: true })
  writeFileSync(join(root, file), source)
  return root
}

const madeOf = (t: TestContext, source: string): readonly string[] =>
  mutantsOf(file, folderWith(t, source)).map((mutant) => mutated(source, mutant))

test('each operator makes its defect, and nothing else of the file changes', (t) => {
  const table: readonly (readonly [source: string, ...defects: string[]])[] = [
    ['f(a < b)', '', 'f(a <= b)'],
    ['f(a === b)', '', 'f(a !== b)'],
    ['f(a && !b)', '', 'f(a || !b)', 'f(a && b)'],
    ['if (a) f()', '', 'if (!(a)) f()'],
    ['const x: boolean = true', 'const x: boolean = false'],
    ['const x = 5', 'const x = 6'],
    ['const x = [a, b]', 'const x = [b]', 'const x = [a]'],
    ['const x = a.every(f)', 'const x = a.some(f)'],
    ['const x = a.filter(f)', 'const x = a'],
    ['const x = a.toString()'],
    ['const x = `${a} ${b}`', 'const x = ` ${b}`', 'const x = `${a} `'],
    [
      'const x = sql`select 1 from t where tenant = ${a} and id = ${b}`',
      'const x = sql`select 1 from t where 1 = 1 and id = ${b}`',
      'const x = sql`select 1 from t where tenant <> ${a} and id = ${b}`',
      'const x = sql`select 1 from t where tenant = ${a} `',
      'const x = sql`select 1 from t where tenant = ${a} and id <> ${b}`',
    ],
    ["import { a } from 'b'\ntype A = 'b' | 5\nthrow new Error('never read')"],
  ]
  for (const [source, ...defects] of table) assert.deepEqual(madeOf(t, source).toSorted(), defects.toSorted(), source)
})

test('an operator is reached by what stands before it: what follows may never have run', (t) => {
  const source = 'const x = a ?? b'
  const [only, ...more] = mutantsOf(file, folderWith(t, source))
  assert.deepEqual([only?.start, only?.reachedAt, only?.becomes, more], [12, 10, '&&', []])
})

test('the same seed draws the same sample, another seed another', (t) => {
  const source = Array.from({ length: 100 }, (_, n) => `f(${n})`).join('\n')
  const root = folderWith(t, source)
  const all = mutantsOf(file, root)
  const draw = (seed: number) => sampled(all, 20, seed).map(({ start }) => start)
  assert.deepEqual(draw(1), draw(1))
  assert.notDeepEqual(draw(1), draw(2))
  assert.equal(new Set(draw(1)).size, 20)
})

test('an equivalent mutant is left out; one that is not there any more is an error', (t) => {
  const root = folderWith(t, 'const x = 5')
  const entry = { file, text: 'const x = 5', was: '5', becomes: '6', reason: 'nobody reads it' }
  const list = (entries: readonly object[]) => writeFileSync(join(root, equivalentsFile), JSON.stringify(entries))
  list([entry])
  assert.deepEqual(mutantsOf(file, root).map(readEquivalents(root)), [true])
  for (const wrong of [
    { ...entry, text: 'const y = 5' },
    { ...entry, becomes: '7' },
    { ...entry, reason: '' },
  ]) {
    list([wrong])
    assert.throws(() => readEquivalents(root), /not there any more/)
  }
})

test('a test executes a place where the innermost range of one of its processes ran', () => {
  const ranges = [
    [-1, -1, 0],
    [0, 100, 1],
    [10, 50, 0],
    [20, 30, 0],
    [-1, -1, 0],
    [0, 100, 1],
    [10, 50, 1],
    [20, 30, 0],
  ] as const
  const coverage = { test: 't', milliseconds: 1, sources: { [file]: { digest: '', ranges } } }
  const runs = (start: number) => executes(coverage, { file, start } as Mutant, '')
  assert.deepEqual([5, 15, 25, 60, 200].map(runs), [true, true, false, true, false])
  assert.equal(executes(coverage, { file, start: 25, reachedAt: 15 } as Mutant, ''), true)
  assert.equal(executes(coverage, { file, start: 25 } as Mutant, 'changed since'), true)
  assert.equal(executes(coverage, { file: 'never loaded', start: 25 } as Mutant, ''), false)
})

test('the tests that are named for a source come first, then those of its folder that speak of the same things', (t) => {
  const root = folderWith(t, '')
  const write = (path: string, text: string): string => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
    return path
  }
  const source = write('packages/store/src/people/sessions.ts', 'const renewSession = invitation')
  const tests = [
    write('packages/server/test/pages.test.ts', 'colour, invitation'),
    write('packages/server/test/people/invitations.test.ts', 'renew the invitation'),
    write('packages/store/test/clients.test.ts', 'secret'),
    write('packages/store/test/sessions.test.ts', 'nothing in common'),
  ]
  const nearest = openNearness(root, tests)(source)
  assert.deepEqual([nearest.slice(0, 2), nearest.length], [[tests[3], tests[1]], 4])
})

test('a defect that the near tests let pass is shown to others that may load it, first to those near its place', (t) => {
  const root = folderWith(t, '')
  const write = (path: string, text: string): string => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
    return path
  }
  const uses = (name: string, ...packages: readonly string[]) => {
    const dependencies = Object.fromEntries(packages.map((it) => [`@grantor/${it}`, '1']))
    write(`packages/${name}/package.json`, JSON.stringify({ dependencies }))
  }
  uses('store')
  uses('authority', 'store')
  uses('cli', 'authority')
  uses('console')
  const source = write('packages/store/src/all.ts', `sessions()\n${'\n'.repeat(9)}delivery.begin()`)
  const own = write('packages/store/test/all.test.ts', 'sessions and delivery')
  const [commands, begun] = [
    write('packages/cli/test/commands.test.ts', 'sessions'),
    write('test/feed/begun.test.ts', 'delivery'),
  ]
  write('packages/console/test/delivery.test.ts', 'delivery')
  write('test/style.test.ts', 'delivery')
  const asked = (further: number) => openAskedTests(root, new Set(['store']), { depth: 2, further })
  const at = (line: number) => ({ file: source, line }) as Mutant
  assert.deepEqual(asked(1).near(at(1)), [own, 'test/docs.test.ts'])
  assert.deepEqual([asked(1).further(at(1)), asked(1).further(at(11))], [[commands], [begun]])
  assert.deepEqual(asked(9).further(at(1)).toSorted(), [commands, begun])
})

test('a file, a folder or a line of it is named', (t) => {
  const root = folderWith(t, 'f(1)\nf(2)')
  const lines = (...paths: readonly string[]) => [
    ...new Set(candidates({ root, paths, since: null }).map(({ line }) => line)),
  ]
  assert.deepEqual(
    [lines('packages/protocol'), lines(file), lines(`${file}:2`), lines(`${file}:3`)],
    [[1, 2], [1, 2], [2], []],
  )
})
