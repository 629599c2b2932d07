/** The map is a test: docs/configuration.md says what the code says. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { configurationPage } from '../../src/config/page.ts'
import { settingsBySection } from '../../src/config/sections.ts'
import { settingKeys, settingsList, variableOf } from '../../src/config/settings.ts'

test('docs/configuration.md is what `npm run docs` writes', () => {
  const page = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8')
  assert.equal(page, configurationPage())
})

test('every setting is in one section, in the order of the list', () => {
  assert.deepEqual(
    settingsBySection.flatMap(({ keys }) => keys),
    settingKeys,
  )
  for (const { id, keys, title } of settingsBySection)
    assert.ok(keys.length > 0 && title.en !== '' && title.de !== '', id)
})

test('every setting has one name, one variable and a sentence that ends', () => {
  const variables = settingKeys.map((key) => variableOf(settingsList[key].name))
  assert.equal(new Set(variables).size, variables.length)
  for (const key of settingKeys) assert.match(settingsList[key].description, /^[A-Z`][^|]*\.$/, key)
})
