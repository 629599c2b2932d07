/** Groups of SCIM: who is in them, who comes and who leaves, and how they are filtered. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  candidateQuestions,
  groupIn,
  groupPatch,
  groupSchema,
  memberIds,
  membersNamed,
  mentions,
  parseFilter,
  patchSchema,
  readPatch,
  readResource,
} from '@grantor/protocol/scim'
import type { Json } from '@grantor/protocol/types'

const filterOf = (text: string) => {
  const read = parseFilter(text)
  assert.ok(read.kind === 'ok', JSON.stringify(read))
  return read.value
}

test('RFC 7643 §4.2: a group has a name, an id of whoever provisions, and people, each once', () => {
  assert.deepEqual(
    groupIn({
      displayName: 'A',
      externalId: 'e',
      members: [{ value: '1' }, { value: '2', type: 'User' }, { value: '1' }],
    }),
    {
      kind: 'ok',
      value: { name: 'A', externalId: 'e', members: ['1', '2'] },
    },
  )
  assert.deepEqual(groupIn({ displayName: 7, externalId: 7 }), {
    kind: 'ok',
    value: { name: '', externalId: null, members: [] },
  })
  const detail = (members: Json) => {
    const read = memberIds(members)
    return read.kind === 'ok' ? read.value : `${read.error.scimType}: ${read.error.detail}`
  }
  assert.equal(detail([{ value: '1', type: 'GROUP' }]), 'invalidValue: A group has no groups in it.')
  assert.equal(detail([{ value: '1' }, { type: 'User' }]), 'invalidValue: A member is named by its value.')
  assert.equal(groupIn({ displayName: 'A', members: [{ value: 7 }] }).kind, 'error')
})

test('RFC 7644 §3.4.2.2: members of groups are compared by their value, and by eq or ne alone', () => {
  const named = (text: string) => {
    const read = membersNamed(filterOf(text))
    return read.kind === 'ok' ? [...read.value] : `${read.error.scimType}: ${read.error.detail}`
  }
  const rows: readonly (readonly [string, readonly string[] | null])[] = [
    ['displayName eq "x"', []],
    ['members eq "1"', ['1']],
    ['MEMBERS.VALUE eq "1"', ['1']],
    ['members ne "1" and displayName co "x"', ['1']],
    ['members[value eq "1"]', ['1']],
    ['members[value eq "1" or VALUE eq "2"]', ['1', '2']],
    ['not (members eq "1") or (members eq "2")', ['1', '2']],
    ...[
      'members pr',
      'members co "1"',
      'members eq true',
      'members.type eq "User"',
      'members[value ne "1"]',
      'members[type eq "User"]',
      'members[value pr]',
      'members[not (value eq "1")]',
      'members[value eq "1" and type eq "User"]',
      'displayName eq "x" or members pr',
      'not (members sw "1")',
    ].map((text) => [text, null] as const),
  ]
  const refusal = 'invalidFilter: Members are compared by their value, with eq or ne.'
  for (const [text, expected] of rows) assert.deepEqual(named(text), expected ?? refusal, text)
})

test('a filter is known by what it asks about, however deep', () => {
  for (const text of ['members eq "1"', 'not (MEMBERS pr)', 'id eq "x" or (id eq "y" and members[value eq "1"])'])
    assert.equal(mentions(filterOf(text), 'members'), true, text)
  for (const text of ['displayName eq "members"', 'not (id pr)', 'id eq "x" or id eq "y"'])
    assert.equal(mentions(filterOf(text), 'members'), false, text)
})

test('an index answers what it can, and who fulfils a filter is among the answers', () => {
  const indexes = {
    username: ['eq', 'sw'],
    externalid: ['eq'],
    'emails.value': ['eq'],
    'groups.value': ['eq'],
    'members.value': ['eq'],
  } as const
  const questions = (text: string) =>
    candidateQuestions(filterOf(text), indexes)?.map(({ attribute, op, value }) => `${attribute} ${op} ${value}`) ??
    null
  const rows: readonly (readonly [string, readonly string[] | null])[] = [
    ['USERNAME eq "a"', ['username eq a']],
    ['userName sw "a"', ['username sw a']],
    ['externalId sw "a"', null],
    ['userName co "a"', null],
    ['userName eq true', null],
    ['userName pr', null],
    ['title eq "a"', null],
    ['not (userName eq "a")', null],
    ['emails eq "a"', ['emails.value eq a']],
    ['emails.VALUE eq "a"', ['emails.value eq a']],
    ['emails.type eq "a"', null],
    ['emails[value eq "a"]', ['emails.value eq a']],
    ['emails[type eq "work" and value eq "a"]', ['emails.value eq a']],
    ['emails[value eq "a" or value eq "b"]', ['emails.value eq a', 'emails.value eq b']],
    ['emails[value eq "a" or type eq "work"]', null],
    ['emails[not (value eq "a")]', null],
    ['groups eq "g"', ['groups.value eq g']],
    ['members eq "m"', ['members.value eq m']],
    ['userName eq "a" or externalId eq "b"', ['username eq a', 'externalid eq b']],
    ['userName eq "a" or title eq "b"', null],
    ['title eq "b" and userName eq "a"', ['username eq a']],
    ['title eq "b" and active eq true', null],
    ['(userName eq "a" or userName eq "b") and externalId eq "c"', ['externalid eq c']],
  ]
  for (const [text, expected] of rows) assert.deepEqual(questions(text), expected, text)
})

const patched = (...operations: readonly Json[]) => {
  const changes = readPatch({ schemas: [patchSchema], Operations: operations }, groupSchema)
  if (changes.kind === 'error') return `${changes.error.scimType}`
  const patch = groupPatch(changes.value)
  if (patch.kind === 'error') return `${patch.error.scimType}: ${patch.error.detail}`
  const { members, others } = patch.value
  return { others: others.length, members }
}
const add = (...ids: readonly string[]) => ({ op: 'add', path: 'members', value: ids.map((value) => ({ value })) })
const remove = (...ids: readonly string[]) => ({
  op: 'remove',
  path: 'members',
  value: ids.map((value) => ({ value })),
})
const replace = (...ids: readonly string[]) => ({
  op: 'replace',
  path: 'members',
  value: ids.map((value) => ({ value })),
})
const change = (
  added: readonly string[],
  removed: readonly string[],
  instead: readonly string[] | null = null,
  others = 0,
) => ({
  others,
  members: { instead, removed, added },
})

test('RFC 7644 §3.5.2: who comes and who leaves is told apart, and the last word counts', () => {
  const rename = { op: 'replace', path: 'displayName', value: 'B' }
  const rows: readonly (readonly [readonly Json[], object | string])[] = [
    [[rename], { others: 1, members: null }],
    [[add('1', '2')], change(['1', '2'], [])],
    [[rename, add('1')], change(['1'], [], null, 1)],
    [[remove('1')], change([], ['1'])],
    [[add('1'), remove('1')], change([], ['1'])],
    [[remove('1'), add('1')], change(['1'], [])],
    [[replace('1', '2')], change([], [], ['1', '2'])],
    [[add('9'), remove('8'), replace('1')], change([], [], ['1'])],
    [[replace('1'), add('2')], change([], [], ['1', '2'])],
    [[replace('1', '2'), remove('1')], change([], [], ['2'])],
    [[{ op: 'remove', path: 'members' }], change([], [], [])],
    [[{ op: 'remove', path: 'members', value: null }], change([], [], [])],
    [[{ op: 'remove', path: 'members[value eq "1"]' }], change([], ['1'])],
    [[{ op: 'remove', path: 'members[VALUE eq "1" or value eq "2"]' }], change([], ['1', '2'])],
    [[{ op: 'add', path: 'members', value: '7' }], change(['7'], [])],
  ]
  for (const [operations, expected] of rows)
    assert.deepEqual(patched(...operations), expected, JSON.stringify(operations))
})

test('RFC 7644 §3.5.2: a change of members that means nothing is refused', () => {
  const chosen = 'invalidPath: Members are chosen by value eq, and only to be removed; add them by value.'
  const rows: readonly (readonly [Json, string])[] = [
    ...[
      'members[value ne "1"]',
      'members[type eq "User"]',
      'members[value pr]',
      'members[value eq "1" or type eq "x"]',
      'members[value eq true]',
      'members[value eq "1" and value eq "2"]',
      'members[value.x eq "1"]',
    ].map((path) => [{ op: 'remove', path }, chosen] as const),
    [{ op: 'add', path: 'members[value eq "1"]', value: 'x' }, chosen],
    [{ op: 'replace', path: 'members.value', value: 'x' }, 'mutability: A member is added and removed, not changed.'],
    [
      { op: 'add', path: 'members', value: [{ value: '1', type: 'Group' }] },
      'invalidValue: A group has no groups in it.',
    ],
    [{ op: 'add', path: 'members', value: [7] }, 'invalidValue: members is an object.'],
    [{ op: 'add', path: 'nothing', value: 'x' }, 'invalidPath'],
  ]
  for (const [operation, problem] of rows)
    assert.equal(patched(add('1'), operation), problem, JSON.stringify(operation))
})

test('ten thousand members are brought by one request, and no more', () => {
  const members = (count: number) => Array.from({ length: count }, (_, n) => ({ value: `${n}` }))
  const group = (count: number) =>
    readResource({ schemas: [groupSchema.core.id], displayName: 'A', members: members(count) }, groupSchema)
  assert.equal(group(10_000).kind, 'ok')
  const refused = group(10_001)
  assert.equal(refused.kind === 'error' && refused.error.detail, 'members has at most 10000 values in one request.')
})
