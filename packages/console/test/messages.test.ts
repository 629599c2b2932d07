/** Every text of the console is there in every language, and takes the same values in each. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { germanDescriptions } from '../src/pages/settings/german-descriptions.ts'
import { chosenLanguage, languages, textOf, type WordTable } from '../src/messages/words.ts'

const folder = join(import.meta.dirname, '../src/messages')
const files = readdirSync(folder).filter((name) => name.endsWith('.ts') && name !== 'words.ts')

for (const file of files) {
  test(`the words of ${file} are complete`, async () => {
    const tables = Object.values((await import(join(folder, file))) as Record<string, WordTable>)
    assert.ok(tables.length > 0)
    for (const table of tables) {
      for (const [name, words] of Object.entries(table)) {
        assert.equal(words.length, languages.length, name)
        for (const text of words) assert.ok(text.trim() !== '' && text === text.trim(), name)
        const [first, ...others] = words.map((text) => [...text.matchAll(/\{\w+\}/g)].flat().toSorted())
        for (const other of others) assert.deepEqual(other, first, name)
      }
    }
  })
}

test('every setting is described in German, by the names and values that its description has', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/configuration.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `([\w.]+)` \|(?:[^|]*\|){4} (.+) \|$/gm)]
  assert.ok(rows.length > 100)
  assert.deepEqual(
    Object.keys(germanDescriptions),
    rows.map(([, id]) => id),
  )
  const codes = (text = ''): readonly string[] => [...text.matchAll(/`[^`]+`/g)].flat().toSorted()
  for (const [, id = '', english] of rows) assert.deepEqual(codes(germanDescriptions[id]), codes(english), id)
})

test('what is put into a text is never read as a text', () => {
  assert.equal(textOf(['{a} and {b}', '{b} und {a}'], 'de', { a: '{b}', b: '<b>' }), '<b> und {b}')
  assert.equal(textOf(['{unknown}', '–'], 'en'), '{unknown}')
})

test('numbers are written as the language writes them', () => {
  assert.equal(textOf(['{n} ms', '{n} ms'], 'de', { n: 1.5 }), '1,5 ms')
  assert.equal(textOf(['{n} events', '{n} Ereignisse'], 'en', { n: 1_234_567 }), '1,234,567 events')
})

test('the language is the first of the browser that there is', () => {
  assert.equal(chosenLanguage(['fr-FR', 'de-AT', 'en']), 'de')
  assert.equal(chosenLanguage(['fr']), 'en')
})
