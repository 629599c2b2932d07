/** Values of SCIM attributes: how they are read, changed, kept as claims and found, one thing wrong at a time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  applyChanges,
  enterpriseUrn,
  groupUrn,
  mostProvisioned,
  parseFilter,
  parseValuePath,
  patchSchema,
  personIn,
  predicateOf,
  readPatch,
  readResource,
  schemasOf,
  userIn,
  userSchema,
  userUrn,
} from '@grantor/protocol/scim'
import type { Json, JsonObject } from '@grantor/protocol/types'
import { parseAttributePath, schemaNamed } from '../../src/scim/path.ts'
import { isSameValue } from '../../src/scim/value.ts'

const read = (more: JsonObject) => {
  const result = readResource({ schemas: [userUrn], userName: 'ada', ...more }, userSchema)
  if (result.kind === 'error') return `${result.error.status} ${result.error.scimType}: ${result.error.detail}`
  const { userName: _name, ...rest } = result.value
  return rest
}
const emails = (count: number) => Array.from({ length: count }, (_, n) => ({ value: `${n}@x.example` }))

test('RFC 7643 §2.3: values are read as what they are, and what is no value is none', () => {
  const rows: readonly (readonly [JsonObject, JsonObject])[] = [
    [{}, {}],
    [{ displayName: null, nickName: '', emails: [] }, {}],
    [{ favourite: 'x', id: 'x', meta: {}, groups: [{ value: 'g' }] }, {}],
    [{ DISPLAYNAME: 'A' }, { displayName: 'A' }],
    [{ displayName: ['A'] }, { displayName: 'A' }],
    [{ displayName: 'x'.repeat(1024) }, { displayName: 'x'.repeat(1024) }],
    [{ title: 'a\r\n\tb' }, { title: 'a\r\n\tb' }],
    [{ active: 'True' }, { active: true }],
    [{ active: 'FALSE' }, { active: false }],
    [{ profileUrl: 'https://a.example' }, { profileUrl: 'https://a.example' }],
    [{ emails: 'a@b.example' }, { emails: [{ value: 'a@b.example' }] }],
    [{ emails: [null, { Value: 'a', odd: 1 }] }, { emails: [{ value: 'a' }] }],
    [{ emails: emails(50) }, { emails: emails(50) }],
    [{ name: { givenName: '' } }, {}],
    [{ 'name.givenName': 'A', 'name.familyName': 'L' }, { name: { givenName: 'A', familyName: 'L' } }],
    [{ 'emails.value': 'A', 'name.odd': 'x', 'displayName.x': 'y' }, {}],
    [
      { [enterpriseUrn]: { department: 'D', odd: 1, manager: 'u2' } },
      { [enterpriseUrn]: { department: 'D', manager: { value: 'u2' } } },
    ],
    [
      { [`${enterpriseUrn}:department`]: 'D', [enterpriseUrn.toLowerCase()]: { division: 'V' } },
      { [enterpriseUrn]: { department: 'D', division: 'V' } },
    ],
    [{ [enterpriseUrn]: 'x', [groupUrn]: { displayName: 'x' } }, {}],
  ]
  for (const [more, expected] of rows) assert.deepEqual(read(more), expected, JSON.stringify(more).slice(0, 100))
})

test('RFC 7644 §3.12: a value that is wrong is named with what is wrong', () => {
  const rows: readonly (readonly [JsonObject, string])[] = [
    [{ displayName: 7 }, 'displayName is a text.'],
    [{ displayName: ['A', 'B'] }, 'displayName is a text.'],
    [{ displayName: 'x'.repeat(1025) }, 'displayName has at most 1024 characters.'],
    [{ displayName: 'a\u0007' }, 'displayName holds characters that cannot be seen.'],
    [{ displayName: 'a\u202e' }, 'displayName holds characters that cannot be seen.'],
    [{ active: 'perhaps' }, 'active is true or false.'],
    [{ active: 1 }, 'active is true or false.'],
    [{ name: 'Ada' }, 'name is an object.'],
    [{ name: { givenName: 7 } }, 'name.givenName is a text.'],
    [{ 'name.givenName': 7 }, 'name.givenName is a text.'],
    [{ emails: [7] }, 'emails is an object.'],
    [{ emails: [{ value: 'a' }, { value: 7 }] }, 'emails.value is a text.'],
    [{ emails: emails(51) }, 'emails has at most 50 values in one request.'],
    [
      {
        emails: [
          { value: 'a', primary: true },
          { value: 'b', primary: 'true' },
        ],
      },
      'emails has more than one primary value.',
    ],
    [{ userName: '' }, 'userName is required.'],
    [{ userName: null }, 'userName is required.'],
  ]
  for (const [more, problem] of rows)
    assert.equal(read(more), `400 invalidValue: ${problem}`, JSON.stringify(more).slice(0, 80))
  const body = (it: Json) => {
    const result = readResource(it, userSchema)
    return result.kind === 'error' && `${result.error.scimType}: ${result.error.detail}`
  }
  assert.equal(body([]), 'invalidSyntax: A resource is an object.')
  for (const schemas of [undefined as never, userUrn, [groupUrn], []] as Json[])
    assert.equal(body({ schemas, userName: 'a' }), `invalidSyntax: schemas names ${userUrn}.`)
})

const before: JsonObject = {
  userName: 'ada',
  displayName: 'Ada',
  title: 'T',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [
    { value: 'w@x.example', type: 'work', primary: true },
    { value: 'h@x.example', type: 'home' },
  ],
  [enterpriseUrn]: { department: 'D', division: 'V' },
}
const [work, home] = before['emails'] as readonly JsonObject[]
const patched = (operations: Json, resource = before, schemas: Json = [patchSchema]) => {
  const changes = readPatch({ schemas, Operations: operations }, userSchema)
  const after = changes.kind === 'ok' ? applyChanges(resource, changes.value, userSchema) : changes
  return after.kind === 'ok' ? after.value : `${after.error.scimType}: ${after.error.detail}`
}
const { title: _title, ...untitled } = before
const { emails: _emails, ...unmailed } = before
const { [enterpriseUrn]: _enterprise, ...plain } = before

test('RFC 7644 §3.5.2: a change changes what it names, and nothing else', () => {
  const rows: readonly (readonly [Json, JsonObject])[] = [
    [{ op: 'remove', path: 'title' }, untitled],
    [{ op: 'remove', path: 'title', value: 'other' }, untitled],
    [{ op: 'replace', path: 'title', value: '' }, untitled],
    [
      { op: 'add', path: 'title', value: ['B'] },
      { ...before, title: 'B' },
    ],
    [
      { op: 'remove', path: 'name.givenName' },
      { ...before, name: { familyName: 'Lovelace' } },
    ],
    [
      { op: 'add', path: 'name.GIVENNAME', value: 'B' },
      { ...before, name: { givenName: 'B', familyName: 'Lovelace' } },
    ],
    [
      { op: 'add', path: 'name', value: { middleName: 'K' } },
      { ...before, name: { givenName: 'Ada', familyName: 'Lovelace', middleName: 'K' } },
    ],
    [{ op: 'remove', path: 'emails' }, unmailed],
    [
      { op: 'replace', path: 'emails', value: [{ value: 'n' }] },
      { ...before, emails: [{ value: 'n' }] },
    ],
    [
      { op: 'add', path: 'emails', value: [{ value: 'n' }, { ...home }] },
      { ...before, emails: [work, home, { value: 'n' }] as Json },
    ],
    [
      { op: 'remove', path: 'emails[type eq "home"].type' },
      { ...before, emails: [work, { value: 'h@x.example' }] as Json },
    ],
    [{ op: 'remove', path: 'emails[type eq "other"].type' }, before],
    [{ op: 'remove', path: 'emails[type eq "other"]' }, before],
    [
      { op: 'remove', path: 'emails.type' },
      { ...before, emails: [{ value: 'w@x.example', primary: true }, { value: 'h@x.example' }] },
    ],
    [
      { op: 'replace', path: 'emails[type eq "home"]', value: { value: 'n' } },
      { ...before, emails: [work, { value: 'n', type: 'home' }] as Json },
    ],
    [
      { op: 'replace', path: 'emails[type eq "home"].primary', value: true },
      {
        ...before,
        emails: [
          { value: 'w@x.example', type: 'work' },
          { ...home, primary: true },
        ],
      },
    ],
    [
      { op: 'add', path: 'emails[type eq "other" and display eq "d"].value', value: 'n' },
      { ...before, emails: [work, home, { type: 'other', display: 'd', value: 'n' }] as Json },
    ],
    [
      { op: 'add', path: 'emails[type sw "oth"].value', value: 'n' },
      { ...before, emails: [work, home, { value: 'n' }] as Json },
    ],
    [{ op: 'remove', path: enterpriseUrn }, plain],
    [
      { op: 'replace', path: enterpriseUrn, value: { department: 'E' } },
      { ...before, [enterpriseUrn]: { department: 'E', division: 'V' } },
    ],
    [
      { op: 'remove', path: `${enterpriseUrn}:division` },
      { ...before, [enterpriseUrn]: { department: 'D' } },
    ],
    [
      { op: 'replace', path: `${userUrn}:title`, value: 'B' },
      { ...before, title: 'B' },
    ],
    [
      { op: 'replace', path: '', value: { title: 'B', groups: [] } },
      { ...before, title: 'B' },
    ],
    [{ op: 'replace', path: null, value: { id: 'x' } }, before],
  ]
  for (const [operation, expected] of rows) assert.deepEqual(patched([operation]), expected, JSON.stringify(operation))
  assert.deepEqual(patched([{ op: 'remove', path: 'emails.type' }], unmailed), unmailed)
  assert.deepEqual(patched(Array.from({ length: 100 }, () => ({ op: 'add', path: 'title', value: 'B' }))), {
    ...before,
    title: 'B',
  })
})

test('RFC 7644 §3.5.2: a change that cannot be made is refused, and why', () => {
  const rows: readonly (readonly [Json, string])[] = [
    ['x', 'invalidSyntax: An operation is an object.'],
    [{ op: 7, path: 'title', value: 'B' }, 'invalidSyntax: op is add, replace or remove.'],
    [{ op: 'add', path: 'title' }, 'invalidValue: add needs a value.'],
    [{ op: 'replace', path: 'title' }, 'invalidValue: replace needs a value.'],
    [{ op: 'remove', path: '' }, 'noTarget: remove needs a path.'],
    [{ op: 'add', value: 'x' }, 'invalidValue: Without a path, the value holds the attributes.'],
    [{ op: 'add', path: 7, value: 'x' }, 'invalidPath: A path is a text.'],
    [{ op: 'add', path: groupUrn, value: {} }, 'invalidPath: There is no such extension of this resource.'],
    [{ op: 'add', path: 'emails[', value: 'x' }, 'invalidPath: The path lacks the name of an attribute.'],
    [{ op: 'add', path: 'nothing', value: 'x' }, 'invalidPath: There is no such attribute.'],
    [{ op: 'add', path: `${groupUrn}:title`, value: 'x' }, 'invalidPath: There is no such attribute.'],
    [{ op: 'add', path: 'groups', value: [] }, 'mutability: groups is not changed by requests.'],
    [{ op: 'add', path: 'name[givenName eq "x"]', value: 'x' }, 'invalidPath: name has no values to choose from.'],
    [{ op: 'add', path: 'title[value eq "x"]', value: 'x' }, 'invalidPath: title has no values to choose from.'],
    [{ op: 'add', path: 'name.odd', value: 'x' }, 'invalidPath: name has no part of that name.'],
    [{ op: 'add', path: 'name.givenName', value: 7 }, 'invalidValue: name.givenName is a text.'],
    [{ op: 'add', path: 'title', value: 7 }, 'invalidValue: title is a text.'],
    [{ op: 'add', path: 'emails', value: 7 }, 'invalidValue: emails is an object.'],
    [{ op: 'remove', path: 'emails', value: [7] }, 'invalidValue: emails is an object.'],
    [
      { op: 'replace', path: 'emails[odd eq "x"].value', value: 'x' },
      'invalidPath: There is no attribute odd to filter by.',
    ],
    [
      { op: 'replace', path: 'emails[type eq "other"].value', value: 'x' },
      'noTarget: There is no such value of emails.',
    ],
    [{ op: 'replace', path: 'phoneNumbers.type', value: 'x' }, 'noTarget: There is no such value of phoneNumbers.'],
    [{ op: 'replace', path: 'emails[type eq "home"].value', value: 7 }, 'invalidValue: emails.value is a text.'],
    [{ op: 'add', path: 'emails[type eq "other"].value', value: 7 }, 'invalidValue: emails.value is a text.'],
    [{ op: 'remove', path: 'userName' }, 'invalidValue: userName is required.'],
  ]
  for (const [operation, problem] of rows) assert.equal(patched([operation]), problem, JSON.stringify(operation))
  assert.equal(patched({}), 'invalidSyntax: Operations is a list of at least one change.')
  const many = Array.from({ length: 101 }, () => ({ op: 'add', path: 'title', value: 'B' }))
  assert.equal(patched(many), 'tooMany: A request has at most 100 operations.')
  for (const schemas of [null, patchSchema, ['x']] as Json[])
    assert.equal(patched([], before, schemas), `invalidSyntax: schemas names ${patchSchema}.`)
  const none = readPatch('x', userSchema)
  assert.equal(none.kind === 'error' && none.error.scimType, 'invalidSyntax')
  assert.equal(patchSchema, 'urn:ietf:params:scim:api:messages:2.0:PatchOp')
})

test('RFC 7643 §4.1, OIDC Core §5.1: attributes that are claims are kept as claims, and shown as attributes', () => {
  const resource = {
    userName: 'ada',
    active: false,
    externalId: 'e',
    password: 'secret',
    displayName: 'Ada',
    nickName: 'A',
    profileUrl: 'https://a.example',
    locale: 'en',
    timezone: 'Europe/London',
    title: 'T',
    name: { givenName: 'Ada', familyName: 'L', middleName: 'K', honorificPrefix: 'Dr' },
    emails: [{ value: 'h@x.example' }, { value: 'w@x.example', type: 'work' }],
    phoneNumbers: [{ value: '1', type: 'fax' }, { value: '2', primary: true }, { type: 'work' }],
  }
  const made = personIn(resource, {
    gender: 'x',
    name: 'old',
    given_name: 'old',
    email: 'old',
    phone_number_verified: true,
  })
  assert.ok(made.kind === 'ok')
  const { value } = made
  assert.deepEqual(value, {
    username: 'ada',
    disabled: true,
    password: 'secret',
    claims: {
      gender: 'x',
      name: 'Ada',
      nickname: 'A',
      profile: 'https://a.example',
      locale: 'en',
      zoneinfo: 'Europe/London',
      given_name: 'Ada',
      family_name: 'L',
      middle_name: 'K',
      email: 'w@x.example',
      phone_number: '2',
    },
    provisioned: {
      externalId: 'e',
      attributes: {
        title: 'T',
        name: { honorificPrefix: 'Dr' },
        emails: [{ value: 'h@x.example' }, { type: 'work' }],
        phoneNumbers: [{ value: '1', type: 'fax' }, { primary: true }],
      },
    },
  })
  const { password: _password, ...shown } = resource
  assert.deepEqual(userIn(value, value.provisioned), {
    ...shown,
    emails: [{ value: 'w@x.example', type: 'work', primary: true }, { value: 'h@x.example' }],
    phoneNumbers: [
      { value: '2', primary: true },
      { value: '1', type: 'fax' },
    ],
  })
})

test('the address that counts is the primary one, else one for work, else the first', () => {
  const counts = (...list: readonly JsonObject[]) => {
    const made = personIn({ userName: 'a', emails: list }, {})
    return made.kind === 'ok' && made.value.claims['email']
  }
  assert.equal(counts({ value: 'a' }, { value: 'b', type: 'work' }, { value: 'c', primary: true }), 'c')
  assert.equal(counts({ value: 'a', primary: false }, { value: 'b', type: 'work' }), 'b')
  assert.equal(counts({ value: 'a', type: 'home' }, { value: 'b' }), 'a')
  assert.equal(counts({ type: 'work' }), undefined)
})

test('a person whom nobody provisioned is shown by their claims', () => {
  const nobody = { externalId: null, attributes: {} }
  assert.deepEqual(userIn({ username: 'ada', disabled: false, claims: { email: 'a@b.example', name: 7 } }, nobody), {
    userName: 'ada',
    active: true,
    emails: [{ value: 'a@b.example', type: 'work', primary: true }],
  })
  const attributes = { emails: [{ type: 'home' }, { value: 'x' }] }
  assert.deepEqual(userIn({ username: 'a', disabled: false, claims: {} }, { externalId: null, attributes })['emails'], [
    { value: 'x' },
  ])
  assert.deepEqual(schemasOf({}), [userUrn])
  assert.deepEqual(schemasOf({ [enterpriseUrn]: {} }), [userUrn, enterpriseUrn])
})

test('what was verified stays so while it is the same, address and number alike', () => {
  const held = { email: 'a', email_verified: true, phone_number: '1', phone_number_verified: false }
  const claims = (resource: JsonObject, from: JsonObject = held) => {
    const made = personIn({ userName: 'a', ...resource }, from)
    return made.kind === 'ok' && made.value.claims
  }
  assert.deepEqual(claims({ emails: [{ value: 'a' }], phoneNumbers: [{ value: '1' }] }), held)
  assert.deepEqual(claims({ emails: [{ value: 'b' }], phoneNumbers: [{ value: '2' }] }), {
    email: 'b',
    phone_number: '2',
  })
  assert.deepEqual(claims({}), {})
})

test('all attributes of a person take 16 KiB, and no more', () => {
  const made = (bytes: number) => personIn({ userName: 'a', ims: 'x'.repeat(bytes - '{"ims":""}'.length) }, {})
  assert.equal(made(mostProvisioned).kind, 'ok')
  const refused = made(mostProvisioned + 1)
  assert.equal(refused.kind === 'error' && refused.error.detail, 'All attributes of a person take at most 16384 bytes.')
})

test('RFC 7644 §3.10: attributes are named plainly, in part, or with their schema', () => {
  const rows: readonly (readonly [string, readonly [string | null, string, string | null] | null])[] = [
    ['userName', [null, 'userName', null]],
    ['name.givenName', [null, 'name', 'givenName']],
    ['manager.$ref', [null, 'manager', '$ref']],
    [`${userUrn}:userName`, [userUrn, 'userName', null]],
    [`${groupUrn}:displayName`, [groupUrn, 'displayName', null]],
    [`${enterpriseUrn.toUpperCase()}:manager.value`, [enterpriseUrn, 'manager', 'value']],
    [`${enterpriseUrn}.department`, [enterpriseUrn, 'department', null]],
    ['urn:x:y:z', ['urn:x:y', 'z', null]],
    ['URN:x:z.a', ['URN:x', 'z', 'a']],
    [`${userUrn}2:userName`, [`${userUrn}2`, 'userName', null]],
    ['x:y', null],
    ['', null],
    ['1a', null],
    ['a.b.c', null],
    ['a b', null],
  ]
  for (const [text, expected] of rows) {
    const path = parseAttributePath(text)
    assert.deepEqual(path && [path.schema, path.attribute, path.sub], expected, text)
  }
  for (const urn of [userUrn, groupUrn, enterpriseUrn]) assert.equal(schemaNamed(urn.toUpperCase()), urn)
  assert.equal(schemaNamed(`${userUrn}:userName`), null)
})

test('two values of a list are the same where all their parts are', () => {
  assert.equal(isSameValue({ value: 'a' }, { value: 'a' }), true)
  assert.equal(isSameValue({ value: 'a' }, { value: 'a', type: 'work' }), false)
  assert.equal(isSameValue({ value: 'a', type: 'work' }, { value: 'a' }), false)
  assert.equal(isSameValue('a', 'a'), true)
  assert.equal(isSameValue('a', {}), false)
  assert.equal(isSameValue({}, 'a'), false)
})

const person: JsonObject = {
  id: 'u1',
  userName: 'Ada',
  active: false,
  name: { givenName: 'Ada' },
  emails: [{ value: 'a', type: 'work' }, { value: 'b' }],
  addresses: [{}],
  meta: { created: '2026-01-02T00:00:00Z' },
}
const found = (text: string) => {
  const filter = parseFilter(text)
  const predicate = filter.kind === 'ok' ? predicateOf(filter.value, userSchema) : filter
  return predicate.kind === 'ok' ? predicate.value(person) : `${predicate.error.scimType}: ${predicate.error.detail}`
}

test('RFC 7644 §3.4.2.2: every operator compares as it is defined', () => {
  const rows: readonly (readonly [string, boolean])[] = [
    ...(['gt', 'ge', 'lt', 'le', 'eq', 'ne'] as const).flatMap((op) =>
      (
        [
          ['2026-01-01T00:00:00Z', 1],
          ['2026-01-02T00:00:00Z', 0],
          ['2026-01-03T00:00:00Z', -1],
        ] as const
      ).map(
        ([time, order]) =>
          [
            `meta.created ${op} "${time}"`,
            { gt: order > 0, ge: order >= 0, lt: order < 0, le: order <= 0, eq: order === 0, ne: order !== 0 }[op],
          ] as const,
      ),
    ),
    ['userName sw "ad"', true],
    ['userName sw "da"', false],
    ['userName ew "da"', true],
    ['userName ew "ad"', false],
    ['userName co "d"', true],
    ['userName co "x"', false],
    ['emails ne "a"', false],
    ['emails ne "x"', true],
    ['emails.type ne "home"', true],
    ['active eq false', true],
    ['active eq "FALSE"', true],
    ['active ne true', true],
    ['active ne false', false],
    ['title eq null', true],
    ['title ne null', false],
    ['userName ne null', true],
    ['userName eq null', false],
    ['addresses pr', false],
    ['name pr', true],
    ['emails pr', true],
    ['NOT (userName eq "x") AND userName eq "ada"', true],
    ['userName EQ "ada" OR userName eq "x"', true],
    ['userName eq "x"   ', false],
    ['emails[TYPE eq "work"].VALUE eq "a"', true],
    ['active eq TRUE', false],
    ['userName eq "(" or userName eq "ada"', true],
    ['userName eq "and" and userName eq "ada"', false],
  ]
  for (const [text, expected] of rows) assert.equal(found(text), expected, text)
})

test('RFC 7644 §3.4.2.2: what a filter cannot ask is said', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['nothing eq "a"', 'There is no attribute nothing to filter by.'],
    ['name.odd eq "a"', 'There is no attribute name.odd to filter by.'],
    ['userName.value eq "a"', 'There is no attribute userName.value to filter by.'],
    ['nothing[value eq "a"]', 'There is no attribute nothing to filter by.'],
    ['emails.value[value eq "a"]', 'There is no attribute emails.value to filter by.'],
    ['emails[value.x eq "a"]', 'There is no attribute value.x to filter by.'],
    ['name eq "a"', 'name is compared by one of its parts.'],
    ['userName gt null', 'null is compared by eq and ne only.'],
    ['userName eq 7', 'userName cannot be compared like this.'],
    ['active eq "perhaps"', 'active cannot be compared like this.'],
    ['active co "t"', 'active cannot be compared like this.'],
    ['meta.created eq "2026"', 'created cannot be compared like this.'],
    ['meta.created eq true', 'created cannot be compared like this.'],
    ['userName eq "a" or nothing eq "b"', 'There is no attribute nothing to filter by.'],
    ['not (nothing pr)', 'There is no attribute nothing to filter by.'],
    ['userName eq "a" "b"', 'The filter goes on after its end.'],
    ['"userName" eq "a"', 'The filter lacks the name of an attribute.'],
    ['userName "eq" "a"', 'The filter lacks an operator that is known here.'],
    ['userName eq (', 'The filter lacks a value: a text in double quotes, a number, true, false or null.'],
    ['(userName eq "a"', 'The filter lacks a ).'],
    ['not userName', 'The filter lacks a (.'],
    ['emails[value eq "a")', 'The filter lacks a ].'],
    ['userName eq "a', 'The filter holds a text without an end.'],
    ['emails[value eq "a"].value.x eq "a"', 'The filter names a part of a part.'],
  ]
  for (const [text, problem] of rows) assert.equal(found(text), `invalidFilter: ${problem}`, text)
})

test('RFC 7644 §7.7: the longest, the deepest and the widest filter are read, and no more', () => {
  const long = (length: number) => 'userName eq "x"'.padEnd(length)
  assert.equal(found(long(2048)), false)
  assert.equal(found(long(2049)), 'invalidFilter: A filter has at most 2048 characters.')
  const wide = (terms: number) => Array.from({ length: terms }, () => 'id eq "x"').join(' or ')
  assert.equal(found(wide(50)), false)
  assert.equal(found(wide(51)), 'tooMany: A filter has at most 50 terms.')
  const deep = (levels: number) => '('.repeat(levels) + 'id eq "x"' + ')'.repeat(levels)
  assert.equal(found(deep(8)), false)
  assert.equal(found(deep(9)), 'invalidFilter: A filter is nested at most 8 levels deep.')
  // One beside the other is no deeper.
  assert.equal(found(Array.from({ length: 9 }, () => '(id eq "x")').join(' or ')), false)
  const path = parseValuePath('a b')
  assert.deepEqual(path.kind === 'error' && [path.error.scimType, path.error.detail], [
    'invalidPath',
    'The path goes on after its end.',
  ])
})
