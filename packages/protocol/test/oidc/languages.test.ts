/** The languages of pages and mails, as docs/languages.md and discovery have them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLanguageTag, languageTable, uiLocales } from '../../src/oidc/languages.ts'

test('OIDC Discovery §3: eleven languages by their tags, each by its own name; Arabic is written from the right', () => {
  assert.deepEqual(uiLocales, ['en', 'de', 'fr', 'es', 'it', 'pt-BR', 'nl', 'pl', 'ja', 'zh-Hans', 'ar'])
  assert.deepEqual(
    languageTable.filter(({ direction }) => direction === 'rtl').map(({ tag }) => tag),
    ['ar'],
  )
  assert.ok(languageTable.every(({ direction }) => direction === 'ltr' || direction === 'rtl'))
  for (const { tag, name } of languageTable) {
    const own = new Intl.DisplayNames([tag], { type: 'language' }).of(tag)?.toLowerCase()
    assert.equal(name.toLowerCase(), own, tag)
  }
})

test('a tag is one of them to the letter', () => {
  for (const tag of uiLocales) assert.equal(isLanguageTag(tag), true)
  for (const tag of ['', 'EN', 'pt', 'pt-br', 'zh', 'sv']) assert.equal(isLanguageTag(tag), false, tag)
})
