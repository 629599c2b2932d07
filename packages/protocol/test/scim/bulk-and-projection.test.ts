/** Many operations in one request, and which attributes an answer holds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bulkRequestSchema,
  bulkResponseSchema,
  enterpriseUrn,
  groupUrn,
  isWanted,
  project,
  projectionOf,
  readBulk,
  referencesIn,
  resolved,
  userSchema,
  userUrn,
} from '@grantor/protocol/scim'
import type { Json, JsonObject } from '@grantor/protocol/types'

const bulk = (operations: Json, more: JsonObject = {}) =>
  readBulk({ schemas: [bulkRequestSchema], Operations: operations, ...more })
const told = (read: ReturnType<typeof readBulk>) =>
  read.kind === 'ok' ? read.value : `${read.error.status} ${read.error.scimType}: ${read.error.detail}`
const post = { method: 'POST', path: '/Users', bulkId: 'a', data: { userName: 'ada' } }
const nothing = { bulkId: null, version: null, data: null }

test('RFC 7644 §3.7: operations are read in their order, with their methods in any case', () => {
  const rows = [
    post,
    { method: 'put', path: '/Users/1', version: 'W/"1"', data: {} },
    { method: 'Patch', path: '/Users/2', bulkId: '', data: [] },
    { method: 'DELETE', path: `/Users/${'x'.repeat(505)}` },
  ]
  assert.deepEqual(told(bulk(rows)), {
    failOnErrors: null,
    operations: [
      { ...nothing, ...post },
      { ...nothing, method: 'PUT', path: '/Users/1', version: 'W/"1"', data: {} },
      { ...nothing, method: 'PATCH', path: '/Users/2', data: [] },
      { ...nothing, method: 'DELETE', path: `/Users/${'x'.repeat(505)}` },
    ],
  })
  assert.deepEqual(told(bulk([], { failOnErrors: 3 })), { failOnErrors: 3, operations: [] })
  assert.deepEqual(told(bulk([], { failOnErrors: 0 })), { failOnErrors: null, operations: [] })
  const [request, response] = ['BulkRequest', 'BulkResponse'].map((it) => `urn:ietf:params:scim:api:messages:2.0:${it}`)
  assert.deepEqual([bulkRequestSchema, bulkResponseSchema], [request, response])
})

test('RFC 7644 §3.7: what is wrong with many operations is said', () => {
  const many = (count: number) => Array.from({ length: count }, () => ({ method: 'DELETE', path: '/Users/1' }))
  assert.equal(bulk(many(100)).kind, 'ok')
  const rows: readonly (readonly [ReturnType<typeof readBulk>, string])[] = [
    ...[null, [], {}, { schemas: bulkRequestSchema }, { schemas: ['x'], Operations: [] }].map(
      (body) => [readBulk(body as Json), `400 invalidSyntax: schemas names ${bulkRequestSchema}.`] as const,
    ),
    [bulk({}), '400 invalidSyntax: Operations is a list.'],
    [bulk(many(101)), '413 tooMany: A request has at most 100 operations.'],
    ...[-1, 1.5, 'x', null].map(
      (failOnErrors) => [bulk([], { failOnErrors }), '400 invalidValue: failOnErrors is a whole number.'] as const,
    ),
    [bulk([post, post]), '400 invalidValue: A bulkId is given once.'],
    [bulk([post, 'x']), '400 invalidSyntax: An operation is an object.'],
    ...['GET', '', 7].map(
      (method) => [bulk([{ ...post, method }]), '400 invalidSyntax: method is POST, PUT, PATCH or DELETE.'] as const,
    ),
    ...['', 7, `/${'x'.repeat(512)}`].map(
      (path) => [bulk([{ ...post, path }]), '400 invalidSyntax: path is the address of a resource.'] as const,
    ),
    ...['', null, 7].map((bulkId) => [bulk([{ ...post, bulkId }]), '400 invalidSyntax: POST needs a bulkId.'] as const),
  ]
  for (const [read, problem] of rows) assert.equal(told(read), problem)
})

test('RFC 7644 §3.7.2: what was made is found by its bulkId, in paths and however deep in data', () => {
  const data = { members: [{ value: 'bulkId:a' }, { value: 'x bulkId:b' }], manager: 'bulkId:c', n: 7, no: null }
  const it = { ...nothing, method: 'PUT', path: '/Groups/bulkId:g', data } as const
  assert.deepEqual([...referencesIn(it)].toSorted(), ['a', 'c', 'g'])
  const made = new Map([
    ['a', '1'],
    ['g', '2'],
  ])
  assert.deepEqual(resolved(it, made), {
    ...it,
    path: '/Groups/2',
    data: { members: [{ value: '1' }, { value: 'x bulkId:b' }], manager: 'bulkId:c', n: 7, no: null },
  })
})

const ada: JsonObject = {
  schemas: [userUrn],
  id: 'u1',
  userName: 'ada',
  password: 'never',
  displayName: 'Ada',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [{ value: 'a@b.example', type: 'work' }, { value: 'c@d.example' }],
  meta: { created: 'x', version: 'y' },
  [enterpriseUrn]: { department: 'Engines', division: 'D' },
}
const shown = (attributes: string | null, excluded: string | null = null) => {
  const { schemas, id, ...rest } = project(ada, userSchema, projectionOf(attributes, excluded))
  assert.deepEqual([schemas, id], [[userUrn], 'u1'], 'always told')
  return rest
}
const { password: _password, schemas: _schemas, id: _id, ...all } = ada

test('RFC 7644 §3.9: an answer holds all, or what is asked for, or all but what is not wanted', () => {
  const { [enterpriseUrn]: enterprise, ...core } = all
  const rows: readonly (readonly [string | null, string | null, JsonObject])[] = [
    [null, null, all],
    ['', null, all],
    ['not a name', null, all],
    ['userName', null, { userName: 'ada' }],
    ['USERNAME, displayname', null, { userName: 'ada', displayName: 'Ada' }],
    ['password', null, {}],
    ['name.givenName', null, { name: { givenName: 'Ada' } }],
    ['name.GIVENNAME,name.familyName', null, { name: { givenName: 'Ada', familyName: 'Lovelace' } }],
    ['name,name.givenName', null, { name: { givenName: 'Ada', familyName: 'Lovelace' } }],
    ['emails.type', null, { emails: [{ type: 'work' }] }],
    ['displayName.x', null, { displayName: 'Ada' }],
    [`${userUrn}:userName`, null, { userName: 'ada' }],
    [`${enterpriseUrn}:department`, null, { [enterpriseUrn]: { department: 'Engines' } }],
    ['department', null, {}],
    [enterpriseUrn.toUpperCase(), null, { [enterpriseUrn]: enterprise as Json }],
    [userUrn, null, core],
    [groupUrn, null, {}],
    ['userName', 'userName', { userName: 'ada' }],
    [
      null,
      'name.givenName,emails,displayName',
      { ...without(all, 'emails', 'displayName'), name: { familyName: 'Lovelace' } },
    ],
    [null, 'id,schemas', all],
    [null, `${enterpriseUrn}:division`, { ...all, [enterpriseUrn]: { department: 'Engines' } }],
    [null, enterpriseUrn, core],
    [null, 'name.givenName,name.familyName', without(all, 'name')],
  ]
  for (const [attributes, excluded, expected] of rows)
    assert.deepEqual(shown(attributes, excluded), expected, `${attributes} ${excluded}`)
})

const without = (it: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(it).filter(([name]) => !names.includes(name)))

test('a hundred names are looked at, and no more', () => {
  const names = (count: number) => [...Array.from({ length: count - 1 }, (_, n) => `x${n}`), 'userName'].join(',')
  assert.deepEqual(shown(names(100)), { userName: 'ada' })
  assert.deepEqual(shown(names(101)), {})
})

test('what is dear to find is looked for where it could be shown', () => {
  const wanted = (attributes: string | null, excluded: string | null = null) =>
    isWanted(projectionOf(attributes, excluded), 'groups')
  for (const [attributes, excluded] of [
    [null, null],
    ['GROUPS', null],
    ['groups.value', null],
    [userUrn, null],
    [null, 'groups.value'],
    [null, 'name'],
  ] as const)
    assert.equal(wanted(attributes, excluded), true, `${attributes} ${excluded}`)
  assert.equal(wanted('userName'), false)
  assert.equal(wanted(null, 'Groups'), false)
})
