import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uiLocales } from '@grantor/protocol/oidc'
import { mailCatalogues } from '../../src/mail/messages/catalogues.ts'
import { catalogues } from '../../src/pages/language/catalogues.ts'
import { type Formats, formatsOf, type PluralForms } from '../../src/pages/language/formats.ts'
import { isolated } from '../../src/pages/language/isolated.ts'

/** Every message by its path, in the order of the language that defines them. */
function flat(messages: object, path = ''): readonly (readonly [string, unknown])[] {
  return Object.entries(messages).flatMap(([name, inner]) =>
    typeof inner === 'object' && inner !== null ? flat(inner, `${path}${name}/`) : [[`${path}${name}`, inner] as const],
  )
}

type Write = (...values: readonly unknown[]) => string

/** Every sentence that a message can be, with the forms of its plural. */
function sentencesOf(message: unknown): readonly string[] {
  if (typeof message === 'string') return [message]
  const said: string[] = []
  const formats = {
    ...formatsOf('en'),
    plural: (_count: number, forms: PluralForms) => {
      said.push(...Object.values(forms))
      return ''
    },
    // Stands for a second text where a message takes one.
    toString: () => '<b>',
  }
  const write = message as Write
  const names = { service: '<service>', username: '<username>', client: '<client>' }
  // Mails take their names by name; pages take texts, and counts with the formats.
  said.push(write('<a>', formats), write(names, formats))
  return said
}

const placeholders = (message: unknown): readonly string[] =>
  [...new Set(sentencesOf(message).flatMap((text) => text.match(/<\w+>/g) ?? []))].toSorted()

const all = uiLocales.flatMap((tag) => [
  { tag, messages: catalogues[tag], english: catalogues.en },
  { tag, messages: mailCatalogues[tag], english: mailCatalogues.en },
])

test('every language has every message, says something in it, and puts in what English does', () => {
  for (const { tag, messages, english } of all) {
    const own = new Map(flat(messages))
    const wanted = flat(english)
    assert.deepEqual([...own.keys()].toSorted(), wanted.map(([path]) => path).toSorted(), tag)
    for (const [path, message] of wanted) {
      const spoken = own.get(path)
      assert.equal(typeof spoken, typeof message, `${tag} ${path}`)
      assert.deepEqual(placeholders(spoken), placeholders(message), `${tag} ${path}`)
      if (typeof spoken === 'string') assert.match(spoken, /^\S(?:.*\S)?$/, `${tag} ${path}`)
    }
  }
})

test('a plural has the forms that the counts of its language need, and no other', () => {
  for (const { tag, messages } of all) {
    const rules = new Intl.PluralRules(tag)
    const needed = new Set(['other', ...Array.from({ length: 1000 }, (_, count) => rules.select(count))])
    let seen = 0
    const plural = (_count: number, forms: PluralForms): string => {
      seen++
      assert.deepEqual(new Set(Object.keys(forms)), needed, tag)
      return ''
    }
    const formats = { ...formatsOf(tag), plural } satisfies Formats
    for (const [, message] of flat(messages)) if (typeof message === 'function') (message as Write)(2, formats)
    assert.ok(seen >= (messages === catalogues[tag] ? 6 : 0), tag)
  }
})

test('no language has been left in English', () => {
  // Words of the trade, codes and what stands around a name are the same in many languages.
  const sentences = (messages: object) =>
    new Map(flat(messages).filter(([, text]) => typeof text === 'string' && /\w+ \w+ \w+ \w+/.test(text)))
  for (const { tag, messages, english } of all) {
    if (tag === 'en') continue
    const own = sentences(messages)
    for (const [path, text] of sentences(english)) assert.notEqual(own.get(path), text, `${tag} ${path}`)
  }
})

test('Arabic counts in six ways, Polish in three', () => {
  const left = (tag: 'ar' | 'pl', count: number): string => catalogues[tag].methods.codesLeft(count, formatsOf(tag))
  assert.deepEqual(
    [0, 1, 2, 3, 11, 100].map((count) => left('ar', count)),
    ['لم يتبقَّ أي رمز.', 'تبقّى رمز واحد.', 'تبقّى رمزان.', 'تبقّت 3 رموز.', 'تبقّى 11 رمزًا.', 'تبقّى 100 رمز.'],
  )
  assert.deepEqual(
    [1, 2, 5, 22].map((count) => left('pl', count)),
    ['Pozostał 1 kod.', 'Pozostały 2 kody.', 'Pozostało 5 kodów.', 'Pozostały 22 kody.'],
  )
})

test('UAX 9 §2.4: what is put into a sentence that runs from right to left stands isolated', () => {
  const { consent, activity } = isolated(catalogues.ar)
  assert.equal(consent.title('Shop (EU)!'), 'يطلب \u2068Shop (EU)!\u2069 إذن الوصول')
  assert.doesNotMatch(activity.kinds['consent.granted'](null), /[\u2066-\u2069]/)
})
