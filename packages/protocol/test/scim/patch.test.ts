/** PATCH of SCIM resources: each change as Entra, Okta and the RFC write it, and what is refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  applyChanges,
  enterpriseUrn,
  patchSchema,
  personIn,
  readPatch,
  userIn,
  userSchema,
} from '@grantor/protocol/scim'
import type { Json, JsonObject } from '@grantor/protocol/types'
import * as fc from 'fast-check'

const before: JsonObject = {
  userName: 'ada',
  active: true,
  displayName: 'Ada',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [
    { value: 'ada@work.example', type: 'work', primary: true },
    { value: 'ada@home.example', type: 'home' },
  ],
}

function patched(operations: Json, resource: JsonObject = before): JsonObject | string {
  const changes = readPatch({ schemas: [patchSchema], Operations: operations }, userSchema)
  if (changes.kind === 'error') return changes.error.scimType ?? ''
  const after = applyChanges(resource, changes.value, userSchema)
  return after.kind === 'ok' ? after.value : (after.error.scimType ?? '')
}

const work = { value: 'new@work.example', type: 'work', primary: true }
const home = { value: 'ada@home.example', type: 'home' }

/** What is sent, and what becomes of the attributes that it is about. */
const cases: readonly (readonly [string, Json, JsonObject | string])[] = [
  ['Entra disables', [{ op: 'Replace', path: 'active', value: 'False' }], { active: false }],
  ['Okta disables', [{ op: 'replace', value: { active: false } }], { active: false }],
  [
    'Entra replaces a mail address',
    [{ op: 'Replace', path: 'emails[type eq "work"].value', value: work.value }],
    { emails: [work, home] },
  ],
  [
    'Entra adds over a mail address',
    [{ op: 'Add', path: 'emails[type eq "work"].value', value: work.value }],
    { emails: [work, home] },
  ],
  [
    'Entra adds a telephone number',
    [{ op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1' }],
    { phoneNumbers: [{ type: 'mobile', value: '+1' }] },
  ],
  [
    'Entra sets a manager by a bare id',
    [{ op: 'Add', path: `${enterpriseUrn}:manager`, value: 'u2' }],
    { [enterpriseUrn]: { manager: { value: 'u2' } } },
  ],
  [
    'Entra sets a manager by a list',
    [{ op: 'Replace', path: `${enterpriseUrn}:manager`, value: [{ $ref: null, value: 'u2' }] }],
    { [enterpriseUrn]: { manager: { value: 'u2' } } },
  ],
  [
    'Entra sends dotted names without a path',
    [{ op: 'Add', value: { 'name.givenName': 'A.', [`${enterpriseUrn}:department`]: 'X' } }],
    { name: { givenName: 'A.', familyName: 'Lovelace' }, [enterpriseUrn]: { department: 'X' } },
  ],
  [
    'a dot behind the extension',
    [{ op: 'replace', path: `${enterpriseUrn}.department`, value: 'X' }],
    { [enterpriseUrn]: { department: 'X' } },
  ],
  [
    'a whole extension',
    [{ op: 'add', path: enterpriseUrn, value: { division: 'D' } }],
    { [enterpriseUrn]: { division: 'D' } },
  ],
  [
    'parts that are not named stay',
    [{ op: 'replace', path: 'name', value: { familyName: 'King' } }],
    { name: { givenName: 'Ada', familyName: 'King' } },
  ],
  [
    'a new primary value is the only one',
    [{ op: 'add', path: 'emails', value: [{ value: 'c@c.example', primary: true }] }],
    { emails: [{ value: 'ada@work.example', type: 'work' }, home, { value: 'c@c.example', primary: true }] },
  ],
  [
    'a value that is there is not added twice',
    [{ op: 'add', path: 'emails', value: home }],
    { emails: before['emails'] as Json },
  ],
  [
    'a value is removed by a filter',
    [{ op: 'remove', path: 'emails[type eq "home"]' }],
    { emails: [{ value: 'ada@work.example', type: 'work', primary: true }] },
  ],
  [
    'a value is removed by being named',
    [{ op: 'Remove', path: 'emails', value: [{ value: home.value }] }],
    { emails: [{ value: 'ada@work.example', type: 'work', primary: true }] },
  ],
  ['an attribute is removed', [{ op: 'remove', path: 'displayName' }], { displayName: undefined as never }],
  ['null is no value', [{ op: 'replace', path: 'displayName', value: null }], { displayName: undefined as never }],
  [
    'names are compared without regard to case',
    [{ OP: 'REPLACE', PATH: 'DISPLAYNAME', VALUE: 'B' }],
    { displayName: 'B' },
  ],
  [
    'an id beside the attributes is passed over',
    [{ op: 'replace', value: { id: 'x', displayName: 'B' } }],
    { displayName: 'B' },
  ],
  [
    'a part of every value',
    [{ op: 'replace', path: 'emails.display', value: 'd' }],
    {
      emails: [
        { value: 'ada@work.example', type: 'work', primary: true, display: 'd' },
        { ...home, display: 'd' },
      ],
    },
  ],
  // Refused.
  ['nothing matches', [{ op: 'replace', path: 'emails[type eq "other"].value', value: 'x' }], 'noTarget'],
  ['remove without a path', [{ op: 'remove' }], 'noTarget'],
  ['an unknown attribute', [{ op: 'add', path: 'favourite', value: 'x' }], 'invalidPath'],
  ['an unknown part', [{ op: 'add', path: 'name.first', value: 'x' }], 'invalidPath'],
  ['a filter on one value', [{ op: 'add', path: 'displayName[value eq "x"]', value: 'x' }], 'invalidPath'],
  ['the id', [{ op: 'replace', path: 'id', value: 'x' }], 'mutability'],
  ['meta', [{ op: 'replace', path: 'meta.created', value: 'x' }], 'mutability'],
  ['schemas', [{ op: 'add', path: 'schemas', value: ['urn:x'] }], 'mutability'],
  ['what is required is removed', [{ op: 'remove', path: 'userName' }], 'invalidValue'],
  [
    'two primary values',
    [{ op: 'replace', path: 'emails', value: [{ ...work }, { ...home, primary: true }] }],
    'invalidValue',
  ],
  ['a text for true or false', [{ op: 'replace', path: 'active', value: 'perhaps' }], 'invalidValue'],
  ['an object for a text', [{ op: 'replace', path: 'displayName', value: { a: 1 } }], 'invalidValue'],
  ['a text too long', [{ op: 'replace', path: 'displayName', value: 'x'.repeat(1025) }], 'invalidValue'],
  [
    'too many values',
    [{ op: 'replace', path: 'emails', value: Array.from({ length: 51 }, (_, n) => ({ value: `${n}` })) }],
    'invalidValue',
  ],
  ['no value', [{ op: 'add', path: 'displayName' }], 'invalidValue'],
  ['an unknown operation', [{ op: 'move', path: 'displayName', value: 'x' }], 'invalidSyntax'],
  ['no operations', [], 'invalidSyntax'],
  ['too many operations', Array.from({ length: 101 }, () => ({ op: 'add', path: 'title', value: 'x' })), 'tooMany'],
]

for (const [title, operations, expected] of cases)
  test(`RFC 7644 §3.5.2: ${title}`, () => {
    const after = patched(operations)
    if (typeof expected === 'string' || typeof after === 'string') return assert.equal(after, expected)
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(after[name], value, name)
  })

test('RFC 7644 §3.5.2: of several changes all are made or none, in their order', () => {
  assert.equal(
    patched([
      { op: 'replace', path: 'displayName', value: 'B' },
      { op: 'replace', path: 'id', value: 'x' },
    ]),
    'mutability',
  )
  const after = patched([
    { op: 'remove', path: 'emails' },
    { op: 'add', path: 'emails', value: [home] },
  ])
  assert.deepEqual((after as JsonObject)['emails'], [home])
})

const plain = { noNullPrototype: true } as const
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 })
const address = fc.record(
  { value: text, type: fc.constantFrom('work', 'home') },
  { requiredKeys: ['value'], noNullPrototype: true },
)
const user = fc.record(
  {
    userName: text,
    externalId: text,
    displayName: text,
    title: text,
    active: fc.boolean(),
    name: fc.record({ givenName: text, formatted: text }, plain),
    emails: fc.uniqueArray(address, { minLength: 1, maxLength: 4, selector: (it) => it.value }),
    [enterpriseUrn]: fc.record({ department: text }, plain),
  },
  { requiredKeys: ['userName', 'active'], noNullPrototype: true },
)

test('property: what is kept of a user shows the same user, and an address is kept once', () => {
  fc.assert(
    fc.property(user, (given) => {
      const read = personIn(given, {})
      assert.ok(read.kind === 'ok')
      const shown = userIn(read.value, read.value.provisioned)
      const { emails: addresses, ...rest } = shown
      const { emails, ...expected } = given
      assert.deepEqual(rest, expected)
      const values = (list: Json | undefined) =>
        ((list ?? []) as JsonObject[]).map((it) => JSON.stringify(it['value'])).toSorted((a, b) => (a < b ? -1 : 1))
      assert.deepEqual(values(addresses), values(emails as Json | undefined))
      const kept = (read.value.provisioned.attributes['emails'] ?? []) as JsonObject[]
      const inClaim = read.value.claims['email'] === undefined ? 0 : 1
      assert.equal(kept.filter((it) => it['value'] === undefined).length, inClaim)
    }),
  )
})

test('a verified address stays verified while it is the same, and a new one is not', () => {
  const claims = { email: 'a@a.example', email_verified: true, gender: 'x' }
  const same = personIn({ userName: 'a', emails: [{ value: 'a@a.example' }] }, claims)
  assert.deepEqual(same.kind === 'ok' && same.value.claims, { gender: 'x', email: 'a@a.example', email_verified: true })
  const other = personIn({ userName: 'a', emails: [{ value: 'b@a.example' }] }, claims)
  assert.deepEqual(other.kind === 'ok' && other.value.claims, { gender: 'x', email: 'b@a.example' })
})
