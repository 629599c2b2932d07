/** Declaration files: plain JSON out of YAML or JSON, and the line of every field. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { readSource } from '../src/declaration/source.ts'

const read = (text: string) => {
  const source = readSource(text)
  assert.ok(source.kind === 'ok', JSON.stringify(source))
  return source.value
}
const refused = (text: string) => {
  const source = readSource(text)
  assert.ok(source.kind === 'error', 'it was accepted')
  return source.error
}

const file = `resources:
  - identifier: https://api.example
    name: API
clients:
  - client_id: web
    redirect_uris:
      - https://a.example/cb
      - not a uri
  - { client_id: svc, scope: "a b" }
`

test('a field is found on the line where its key stands', () => {
  const { lineOf } = read(file)
  const lines = [
    'resources',
    'resources[0].identifier',
    'resources[0].name',
    'clients[0].redirect_uris',
    'clients[0].redirect_uris[1]',
    'clients[1].scope',
  ]
  assert.deepEqual(lines.map(lineOf), [1, 2, 3, 6, 8, 9])
})

test('a field that is not written down is found on the line of what should hold it', () => {
  const { lineOf } = read(file)
  assert.deepEqual(
    ['clients[0].grant_types[3].x', 'clients[1].client_name', 'users[0].name', ''].map(lineOf),
    [5, 9, 1, 1],
  )
})

test('JSON is read too, tabs and all, with its lines', () => {
  const { value, lineOf } = read('{\n\t"clients": [\n\t\t{"client_id": "a",\n\t\t "scope": "x"}\n\t]\n}')
  assert.deepEqual(value, { clients: [{ client_id: 'a', scope: 'x' }] })
  assert.equal(lineOf('clients[0].scope'), 4)
})

test('what is not plain JSON is refused with its line', () => {
  const cases: readonly [text: string, line: number, message: RegExp][] = [
    ['a: 1\na: 2', 2, /unique/],
    ['a: [1\nb: 2', 2, /end with a \]/],
    ['a: 1\n---\nb: 2', 2, /more than one document/],
    ['a: 1\nb: *nowhere', 2, /anchor/i],
    ['a: 1\nb: .nan', 2, /JSON value/],
    ['a: 1\nb: -.inf', 2, /JSON value/],
    ['a: 1\nb: !secret x', 2, /Unresolved tag/],
    ['a:\n  ? [x]\n  : 1', 1, /key that is not text/],
    ['a:\n  1: x', 1, /key that is not text/],
    ['a: "\\z"', 1, /escape/],
  ]
  for (const [text, line, message] of cases) {
    const [problem] = refused(text)
    assert.equal(problem?.line, line, text)
    assert.match(problem?.problem ?? '', message, text)
  }
})

test('aliases repeat what they name, and a small file cannot become a large one', () => {
  assert.deepEqual(read('a: &x [1]\nb: *x').value, { a: [1], b: [1] })
  const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x]']
  for (let i = 1; i < 9; i++) bomb.push(`a${i}: &a${i} [${Array.from({ length: 9 }, () => `*a${i - 1}`).join(', ')}]`)
  assert.match(refused(bomb.join('\n'))[0]?.problem ?? '', /too large/)
  assert.match(refused('a: &a [*a]')[0]?.problem ?? '', /too (large|deep)|nested|anchor/)
})

test('a file may be as long as the export of many people is: what is written out repeats nothing', () => {
  const { value } = read(`a: [${'1,'.repeat(250_000)}]`)
  assert.equal((value as { readonly a: readonly number[] }).a.length, 250_000)
})

test('deep nesting is refused, not recursed into', () => {
  assert.match(refused(`${'['.repeat(60)}${']'.repeat(60)}`)[0]?.problem ?? '', /nested too deeply/)
})

test('a key __proto__ is only a key', () => {
  const { value } = read('__proto__: { polluted: true }\na: 1')
  assert.deepEqual(Object.keys(value as object), ['__proto__', 'a'])
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
})

test('an empty text is null', () => {
  assert.equal(read('').value, null)
  assert.equal(read('# nothing yet\n').value, null)
})

test('whatever JSON is written as YAML or JSON comes back as it was', () => {
  const json = fc.jsonValue({ maxDepth: 4 })
  fc.assert(
    fc.property(json, (value) => {
      const plain = JSON.parse(JSON.stringify(value)) as unknown
      assert.deepEqual(read(JSON.stringify(plain, null, 2)).value, plain)
      assert.deepEqual(read(stringify(plain, { aliasDuplicateObjects: false })).value, plain)
    }),
    { numRuns: 200 },
  )
})

test('any text at all is read or refused, never thrown over', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.string({ unit: fc.constantFrom(...'{}[]:,-&*!|>\'"#%@`? \n\tab01'.split('')), maxLength: 60 }),
      ),
      (text) => {
        const source = readSource(text)
        if (source.kind === 'ok') assert.ok(source.value.lineOf('a[0].b') >= 1)
        else assert.ok(source.error.every(({ line }) => line >= 1))
      },
    ),
    { numRuns: 500 },
  )
})
