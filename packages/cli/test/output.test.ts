/** What is printed: aligned, and unable to move anyone's cursor. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { jsonText, printable, widthOf } from '../src/output/printable.ts'
import type { Environment } from '../src/program/environment.ts'
import { createOutput } from '../src/output/output.ts'
import { styleFor } from '../src/output/style.ts'
import { tableText } from '../src/output/table.ts'

const sink = (isTTY: boolean) => ({ isTTY, write: () => true })
const plain = styleFor(sink(false), {})

test('columns are aligned, also when letters are wide or empty', () => {
  assert.equal(
    tableText(
      {
        columns: ['ID', 'NAME', 'N'],
        rows: [
          ['a', '注文', 1],
          ['long-id', null, 22],
        ],
        width: null,
      },
      plain,
    ),
    ['ID       NAME  N', 'a        注文  1', 'long-id  –     22', ''].join('\n'),
  )
})

test('control sequences and bidirectional overrides are shown, not obeyed', () => {
  assert.equal(printable('a\u001b[2Jb\u009b1mc\u202ed\ne'), 'a\\u001b[2Jb\\u009b1mc\\u202ed\\u000ae')
  assert.equal(tableText({ columns: ['X'], rows: [['\u001b[31mred']], width: null }, plain), 'X\n\\u001b[31mred\n')
})

test('a table fits its terminal: the widest column gives way, by whole letters, and every line is within', () => {
  const rows = [
    ['0192f0c4-0000-7c3d-8e4f-5a6b7c8d9e0f', '注文'.repeat(20), 'x'],
    ['short', 'also short', 'y'],
  ]
  const columns = ['ID', 'NAME', 'N']
  for (const width of [16, 20, 40, 60, 80]) {
    const lines = tableText({ columns, rows, width }, plain).trimEnd().split('\n')
    assert.ok(
      lines.every((line) => widthOf(line) <= width),
      `${width}: ${lines.join('|')}`,
    )
    assert.match(lines[1] ?? '', /….*x$/)
  }
  assert.ok(!tableText({ columns, rows, width: 200 }, plain).includes('…'))
})

test('JSON for scripts holds no control characters and means the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
      const document = { value, text }
      for (const indent of [undefined, 2]) {
        const written = jsonText(document, indent)
        // oxlint-disable-next-line no-control-regex -- control characters are what this looks for
        assert.doesNotMatch(written, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/)
        assert.deepEqual(JSON.parse(written), JSON.parse(JSON.stringify(document)))
      }
      assert.doesNotMatch(jsonText(document), /\n/)
    }),
  )
})

test('colour is for terminals, and NO_COLOR is honoured', () => {
  assert.equal(styleFor(sink(false), {}).bold('x'), 'x')
  assert.notEqual(styleFor(sink(true), {}).bold('x'), 'x')
  assert.equal(styleFor(sink(true), { NO_COLOR: '1' }).bold('x'), 'x')
  assert.equal(styleFor(sink(true), { TERM: 'dumb' }).bold('x'), 'x')
  assert.notEqual(styleFor(sink(true), { NO_COLOR: '' }).bold('x'), 'x')
})

test('a wide letter takes two columns, a combining mark none', () => {
  assert.deepEqual(['ab', '注', 'e\u0301', '🎉', ''].map(widthOf), [2, 2, 1, 2, 0])
})

test('what takes long says how far it is on a terminal, and leaves no trace; elsewhere it says nothing', async () => {
  const said = async (isTTY: boolean, form: { readonly json: boolean; readonly quiet: boolean }): Promise<string> => {
    let text = ''
    const write = (more: string, written?: (error?: Error | null) => void): boolean => {
      text += more
      written?.()
      return true
    }
    const environment = { env: {}, stdout: sink(false), stderr: { isTTY, write } } as unknown as Environment
    const result = await createOutput(environment, form).progress('verifying', async (report) => {
      report(2500, 10_000)
      return 'done'
    })
    assert.equal(result, 'done')
    return text
  }
  const form = { json: false, quiet: false }
  assert.equal(await said(true, form), '\r\u001B[Kverifying: 25 % (2,500 of 10,000)\r\u001B[K')
  assert.equal(await said(false, form), '')
  assert.equal(await said(true, { ...form, json: true }), '')
  assert.equal(await said(true, { ...form, quiet: true }), '')
})
