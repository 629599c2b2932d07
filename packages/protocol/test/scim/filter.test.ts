/** The filter language of SCIM: what is read, what is refused, and what each filter finds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  candidateQuestions,
  comparisons,
  type Filter,
  filterBounds,
  parseFilter,
  parseValuePath,
  predicateOf,
  userSchema,
} from '@grantor/protocol/scim'
import * as fc from 'fast-check'

const ada = {
  id: 'u1',
  userName: 'Ada@Example.com',
  externalId: 'E-1',
  displayName: 'Ada Lovelace',
  active: true,
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [
    { value: 'ada@example.com', type: 'work', primary: true },
    { value: 'ada@home.example', type: 'home' },
  ],
  meta: { created: '2026-11-16T10:00:00.000Z', lastModified: '2026-11-16T11:00:00.000Z' },
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Engines', manager: { value: 'u2' } },
}

function finds(text: string): boolean | string {
  const filter = parseFilter(text)
  if (filter.kind === 'error') return filter.error.scimType ?? ''
  const predicate = predicateOf(filter.value, userSchema)
  return predicate.kind === 'ok' ? predicate.value(ada) : (predicate.error.scimType ?? '')
}

const cases: readonly (readonly [string, boolean | string])[] = [
  ['userName eq "ada@example.com"', true],
  ['USERNAME EQ "ADA@example.com"', true],
  ['userName eq "someone"', false],
  ['userName ne "someone"', true],
  ['externalId eq "e-1"', false],
  ['externalId eq "E-1"', true],
  ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "ada"', true],
  ['name.familyName co "LOVE"', true],
  ['name.familyName ew "lace"', true],
  ['title pr', false],
  ['title eq null', true],
  ['displayName pr and active eq true', true],
  ['active eq "True"', true],
  ['active eq false or externalId pr', true],
  ['not (active eq true)', false],
  ['emails eq "ada@home.example"', true],
  ['emails.type eq "home"', true],
  ['emails[type eq "work" and value eq "ada@example.com"]', true],
  ['emails[type eq "home" and value eq "ada@example.com"]', false],
  ['emails[type eq "work"].value eq "ada@example.com"', true],
  ['emails[type eq "home"].value eq "ada@example.com"', false],
  ['meta.lastModified gt "2026-11-16T10:30:00Z"', true],
  ['meta.created gt "2026-11-16T12:00:00+02:00"', false],
  ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "engines"', true],
  ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value eq "u2"', true],
  ['userName eq "a" or userName eq "ada@example.com" and active eq false', false],
  ['(userName eq "a" or userName eq "ada@example.com") and active eq true', true],
  ['displayName eq "Ada \\u004covelace"', true],
  // What is no filter, or asks for what there is not.
  ['', 'invalidFilter'],
  ['userName', 'invalidFilter'],
  ['userName eq', 'invalidFilter'],
  ['userName eq ada', 'invalidFilter'],
  ['userName like "a"', 'invalidFilter'],
  ['userName eq "a', 'invalidFilter'],
  ['userName eq "\\ud800"', 'invalidFilter'],
  ['(userName eq "a"', 'invalidFilter'],
  ['userName eq "a") or (active eq true', 'invalidFilter'],
  ['userName eq "a" userName eq "b"', 'invalidFilter'],
  ['not userName eq "a"', 'invalidFilter'],
  ['emails[type eq "work"', 'invalidFilter'],
  ['emails[nothing eq "work"]', 'invalidFilter'],
  ['nothing eq "a"', 'invalidFilter'],
  ['password eq "a"', 'invalidFilter'],
  ['password pr', 'invalidFilter'],
  ['active gt true', 'invalidFilter'],
  ['meta.created gt "yesterday"', 'invalidFilter'],
  ['emails[type eq "work"].value.more eq "a"', 'invalidFilter'],
]

for (const [text, answer] of cases)
  test(`RFC 7644 §3.4.2.2: the filter ${text === '' ? '(empty)' : text} answers ${answer}`, () => {
    assert.equal(finds(text), answer)
  })

test('RFC 7644 §7.7: a filter that is too long, too deep or of too many terms is refused, and quickly', () => {
  const term = 'userName eq "a"'
  const refusals = [
    ['('.repeat(1000) + term + ')'.repeat(1000), 'invalidFilter'],
    ['not ('.repeat(9) + term + ')'.repeat(9), 'invalidFilter'],
    [Array.from({ length: 51 }, () => 'id eq "a"').join(' or '), 'tooMany'],
    [`userName eq "${'a'.repeat(filterBounds.length)}"`, 'invalidFilter'],
    ['['.repeat(2000), 'invalidFilter'],
  ] as const
  for (const [text, scimType] of refusals) assert.equal(finds(text), scimType, text.slice(0, 40))
  assert.equal(finds('('.repeat(8) + term + ')'.repeat(8)), false)
})

test('a path of a change names an attribute, some of its values, and a part of those', () => {
  const path = parseValuePath('urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager')
  assert.deepEqual(path.kind === 'ok' && path.value.path.attribute, 'manager')
  const dotted = parseValuePath('urn:ietf:params:scim:schemas:extension:enterprise:2.0:User.department')
  assert.deepEqual(dotted.kind === 'ok' && dotted.value.path.attribute, 'department')
  const value = parseValuePath('emails[type eq "work"].value')
  assert.deepEqual(value.kind === 'ok' && [value.value.path.sub, value.value.where?.kind], ['value', 'compare'])
  for (const bad of ['', 'emails[', 'emails[]', 'a b', '[type eq "x"]', 'emails[type eq "work"].value more'])
    assert.equal(parseValuePath(bad).kind, 'error', bad)
})

const name = fc.constantFrom('userName', 'externalId', 'emails.value', 'active', 'name.givenName', 'title')
const leaf: fc.Arbitrary<Filter> = fc
  .tuple(
    name,
    fc.constantFrom(...comparisons),
    fc.oneof(fc.string({ unit: 'grapheme', maxLength: 8 }), fc.boolean(), fc.integer()),
  )
  .map(([path, op, value]) => {
    const [attribute = '', sub = null] = path.split('.')
    return { kind: 'compare', path: { schema: null, attribute, sub }, op, value }
  })
const tree = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    tie('filter').map((term): Filter => ({ kind: 'not', term })),
    fc
      .tuple(fc.constantFrom('and' as const, 'or' as const), fc.array(tie('filter'), { minLength: 2, maxLength: 3 }))
      .map(([kind, terms]): Filter => ({ kind, terms })),
  ),
})).filter

/** Every group in brackets, as a careful writer would. */
function written(filter: Filter): string {
  switch (filter.kind) {
    case 'compare': {
      const { attribute, sub } = filter.path
      return `${attribute}${sub === null ? '' : `.${sub}`} ${filter.op} ${JSON.stringify(filter.value)}`
    }
    case 'not':
      return `not (${written(filter.term)})`
    case 'and':
    case 'or':
      return filter.terms
        .map((term) => (term.kind === 'compare' ? written(term) : `(${written(term)})`))
        .join(` ${filter.kind} `)
    case 'present':
    case 'values':
      return ''
  }
}

test('property: what is written of a filter is read as that filter', () => {
  fc.assert(
    fc.property(tree, (filter) => {
      const text = written(filter)
      const read = parseFilter(text)
      if (read.kind === 'error') return text.length > filterBounds.length || /nested|terms/.test(read.error.detail)
      assert.deepEqual(read.value, filter)
      return true
    }),
  )
})

test('property: no text makes the reader throw, and whoever fulfils a filter is among the candidates for it', () => {
  const indexes = { username: ['eq', 'sw'], externalid: ['eq'], 'emails.value': ['eq'] } as const
  const words = fc.constantFrom(
    'userName',
    'eq',
    'and',
    'or',
    'not',
    '(',
    ')',
    '[',
    ']',
    '"a"',
    'emails',
    '.value',
    'pr',
    '\\',
    '"',
    'true',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.array(words, { maxLength: 20 }).map((it) => it.join(' ')),
      ),
      (text) => {
        parseFilter(text)
        parseValuePath(text)
      },
    ),
  )
  fc.assert(
    fc.property(tree, (filter) => {
      const predicate = predicateOf(filter, userSchema)
      const questions = candidateQuestions(filter, indexes)
      if (predicate.kind === 'error' || questions === null || !predicate.value(ada)) return
      const values: Readonly<Record<string, readonly string[]>> = {
        username: [ada.userName],
        externalid: [ada.externalId],
        'emails.value': ada.emails.map((it) => it.value),
      }
      assert.ok(
        questions.some(({ attribute, value }) =>
          (values[attribute] ?? []).some((held) => held.toLowerCase().startsWith(value.toLowerCase())),
        ),
      )
    }),
  )
})
