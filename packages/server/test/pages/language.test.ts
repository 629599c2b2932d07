import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { acceptedLanguages, chooseLanguage, languages } from '../../src/pages/language/index.ts'
import { scopeWords } from '../../src/pages/language/scope-words.ts'

const { en, de } = languages

test('RFC 9110 §12.5.4: wishes are ordered by weight, and those of weight zero are none', () => {
  assert.deepEqual(acceptedLanguages('en;q=0.5, de-AT, fr;q=0, it;q=0.8'), ['de-AT', 'it', 'en'])
})

test('an Accept-Language header of any content gives tags or nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (header) => {
      for (const tag of acceptedLanguages(header)) assert.match(tag, /^[a-z0-9-]+$/i)
    }),
  )
})

test('RFC 4647 §3.4: the first wish that is spoken wins, by its primary subtag', () => {
  assert.equal(chooseLanguage(['fr', 'de-CH', 'en']).tag, 'de')
  assert.equal(chooseLanguage(['constructor', '__proto__', 'DE']).tag, 'de')
  assert.equal(chooseLanguage([]).tag, 'en')
})

test('counts, spans and moments are said as the language says them', () => {
  assert.equal(en.messages.consent.already(1, en.formats), 'One thing it may do already')
  assert.equal(de.messages.consent.already(3, de.formats), '3 Dinge darf die App schon')
  assert.equal(en.formats.duration(600), '10 minutes')
  assert.equal(de.formats.duration(30 * 86_400), '30 Tage')
  assert.equal(en.formats.duration(90), '90 seconds')
  const now = Date.UTC(2026, 10, 15, 10, 30)
  assert.equal(en.formats.ago(now - 7_200_000, now), '2 hours ago')
  assert.equal(de.formats.ago(now - 86_400_000, now), 'gestern')
  assert.equal(en.formats.ago(now + 5_000, now), 'now')
  assert.equal(en.formats.dateTime(now), 'Nov 15, 2026, 10:30 UTC')
})

test('a scope speaks in the words of its catalogue, then in ours, then by its name', () => {
  assert.equal(scopeWords(de, 'x:read', { description: { en: 'See x', de: 'X sehen' } }), 'X sehen')
  assert.equal(scopeWords(de, 'x:read', { description: { en: 'See x' } }), 'See x')
  assert.equal(scopeWords(en, 'email', null), 'See your email address')
  assert.equal(scopeWords(en, 'email', { description: 'Your mail' }), 'Your mail')
  assert.equal(scopeWords(en, 'toString', null), 'toString')
})
