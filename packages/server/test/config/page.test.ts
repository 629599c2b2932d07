/** The map is a test: docs/configuration.md says what the code says. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { configurationPage } from '../../src/config/page.ts'
import { settingKeys, settingsList, variableOf } from '../../src/config/settings.ts'

test('docs/configuration.md is what `npm run docs` writes', () => {
  const page = readFileSync(new URL('../../../../docs/configuration.md', import.meta.url), 'utf8')
  assert.equal(page, configurationPage())
})

test('every setting has one name, one variable and a sentence that ends', () => {
  const variables = settingKeys.map((key) => variableOf(settingsList[key].name))
  assert.equal(new Set(variables).size, variables.length)
  for (const key of settingKeys) assert.match(settingsList[key].description, /^[A-Z`][^|]*\.$/, key)
})
