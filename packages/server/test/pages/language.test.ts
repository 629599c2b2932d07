import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { uiLocales } from '@grantor/protocol/oidc'
import { acceptedLanguages, chooseLanguage, languages } from '../../src/pages/language/index.ts'
import { lookupAmong } from '../../src/pages/language/lookup.ts'
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

test('an Accept-Language header of any size costs little, and what was cut off is not read', () => {
  const many = Array.from({ length: 10_000 }, (_, n) => `x${n % 10}-y;q=0.${n % 10}`).join(',')
  for (const header of [
    many,
    'de-'.repeat(34_000),
    ','.repeat(100_000),
    `de${' '.repeat(100_000)}`,
    `${' '.repeat(1023)}de-AT`,
  ])
    assert.ok(acceptedLanguages(header).length < 400)
  assert.deepEqual(acceptedLanguages(`en${',de'.repeat(340)},pt-BR`).at(-1), 'de')
})

const wish = fc.oneof(
  fc.string(),
  fc.constantFrom(
    ...uiLocales,
    'zh',
    'zh-CN',
    'zh-Hant-TW',
    'pt-PT',
    'ar-EG',
    'x-pig-latin',
    'i-klingon',
    '*',
    'en-XA',
  ),
  fc.stringMatching(/^[a-zA-Z]{1,9}(-[a-zA-Z0-9]{1,9}){0,4}$/),
)

test('RFC 4647 §3.4: any wishes end in a language that is offered, and one that is offered wins by its own tag', () => {
  fc.assert(
    fc.property(fc.array(wish), fc.constantFrom(...uiLocales), (wishes, tag) => {
      const chosen = chooseLanguage(wishes)
      assert.equal(languages[chosen.tag], chosen)
      assert.equal(chooseLanguage([tag, ...wishes]).tag, tag)
      assert.equal(chooseLanguage([tag.toUpperCase(), ...wishes]).tag, tag)
    }),
  )
  assert.equal(chooseLanguage(['a-'.repeat(50_000), 'x'.repeat(100_000), 'de']).tag, 'de')
})

test('RFC 4647 §3.4: the first wish that can be had wins, whole, shortened or as another region writes it', () => {
  const cases = [
    [['se', 'de-CH', 'en'], 'de'],
    [['constructor', '__proto__', 'DE'], 'de'],
    [[], 'en'],
    [['de-x-a'], 'de'],
    [['en-XA'], 'en'],
  ] as const
  for (const [wishes, tag] of cases) assert.equal(chooseLanguage(wishes).tag, tag, wishes.join())
})

test('another script is found only where nothing that was wished for can be had', () => {
  const lookup = lookupAmong(['en', 'pt-BR', 'zh-Hans', 'ar'])
  const cases = [
    [['zh'], 'zh-Hans'],
    [['zh-CN'], 'zh-Hans'],
    [['ZH-hans-cn'], 'zh-Hans'],
    [['zh-SG'], 'zh-Hans'],
    [['cmn'], 'zh-Hans'],
    [['zh-TW'], 'zh-Hans'],
    [['zh-Hant-HK', 'en;q=0.1', 'en'], 'en'],
    [['zh-TW', 'zh', 'en'], 'zh-Hans'],
    [['pt'], 'pt-BR'],
    [['pt-PT', 'en'], 'pt-BR'],
    [['ar-EG'], 'ar'],
    [['se', 'tlh'], null],
  ] as const
  for (const [wishes, tag] of cases) assert.equal(lookup(wishes), tag, wishes.join())
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
  assert.equal(scopeWords(de, 'x:read', { description: { 'de-AT': 'X anschauen', en: 'See x' } }), 'X anschauen')
  assert.equal(scopeWords(de, 'x:read', { description: { fi: 'Näe x', 'en-GB': 'See x' } }), 'See x')
  assert.equal(scopeWords(de, 'x:read', { description: { fi: 'Näe x' } }), 'Näe x')
})
