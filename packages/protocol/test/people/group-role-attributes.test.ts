/** What is taken as a role, a group and an attribute, up to the bounds that the documentation publishes. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { attributeLimits, attributesProblem, isAttributeName } from '../../src/people/attributes.ts'
import { groupKey, groupLimits, groupNameProblem } from '../../src/people/group.ts'
import { isRoleName, roleLimits, roleListProblem } from '../../src/people/role.ts'

const page = (name: string): string =>
  readFileSync(new URL(`../../../../docs/${name}.md`, import.meta.url), 'utf8').replaceAll(/\s+/g, ' ')

test('the bounds of roles, groups and attributes are those that are published', () => {
  const groupsAndRoles = page('groups-and-roles')
  const [, roles, scopes] = /at most (\d+) roles of at most (\d+) scopes each/.exec(groupsAndRoles) ?? []
  assert.deepEqual([roleLimits.ofTenant, roleLimits.scopesOfRole], [Number(roles), Number(scopes)])
  const [, members] = /(\d+) are put in or taken out by one call/.exec(groupsAndRoles) ?? []
  assert.equal(groupLimits.membersOfCall, Number(members))
  const [, inToken] = /groups of somebody who is in more than (\d+)/.exec(page('claims')) ?? []
  assert.equal(groupLimits.inToken, Number(inToken))
  const attributes = /at most (\d+) of them, (\d+) values in a list and (\d+) bytes of JSON/.exec(
    page('declared-objects'),
  )
  assert.deepEqual(
    [attributeLimits.number, attributeLimits.listLength, attributeLimits.size],
    attributes?.slice(1).map(Number),
  )
})

test('a name of a role is one word of up to 64 letters, digits and a few signs, and begins with a letter or digit', () => {
  for (const name of ['a', '7', 'Order.reader_2:eu-west', 'r'.repeat(roleLimits.nameLength)])
    assert.equal(isRoleName(name), true, name)
  for (const name of ['', '-a', '.a', 'a b', 'ä', 'r'.repeat(roleLimits.nameLength + 1), 7, null, undefined, ['a']])
    assert.equal(isRoleName(name), false, String(name))
  assert.equal(roleLimits.nameLength, 64)
})

test('a list of roles names each once, and no more than a tenant may have', () => {
  const many = (count: number) => Array.from({ length: count }, (_, n) => `role-${n}`)
  const most = roleLimits.ofTenant
  for (const list of [[], ['a'], ['a', 'b'], many(most)]) assert.equal(roleListProblem(list), null)
  assert.equal(roleListProblem(many(most + 1)), `must not name more than ${most} roles`)
  assert.equal(roleListProblem(['a', 'b', 'a']), 'must not name a role twice')
  for (const value of [undefined, null, 'a', {}, 7, ['a', ''], ['', 'a'], ['a', 7], [['a']]])
    assert.equal(roleListProblem(value), 'must be a list of names of roles', JSON.stringify(value))
})

test('names of groups are told apart as people tell them apart, not by case or by how a letter is encoded', () => {
  assert.equal(groupKey('Engineering'), groupKey('ENGINEERING'))
  assert.equal(groupKey('Ｅngineering'), groupKey('engineering'))
  assert.equal(groupKey('Zoe\u0308'), groupKey('Zoë'))
  // Small letters that only arise by folding are composed, too.
  assert.equal(groupKey('\u0130'), 'i\u0307')
  assert.equal(groupKey('K\u0307'), groupKey('\u212a\u0307'))
  assert.notEqual(groupKey('a'), groupKey('b'))
})

test('a name of a group is a text that people can read, without blanks around it, of up to 128 characters', () => {
  for (const name of ['a', 'Team A', 'g'.repeat(128)]) assert.equal(groupNameProblem(name), null)
  for (const name of [' a', 'a ', ' ']) assert.equal(typeof groupNameProblem(name), 'string', JSON.stringify(name))
  assert.equal(groupNameProblem('a '), 'must not begin or end with a space')
  for (const name of ['', 'g'.repeat(129), 'a\nb', 7, null, undefined, ['a']])
    assert.equal(typeof groupNameProblem(name), 'string', JSON.stringify(name))
  assert.deepEqual([groupLimits.nameLength, groupLimits.externalIdLength], [128, 256])
})

test('a name of an attribute begins with a letter and has up to 64 letters, digits, hyphens and underscores', () => {
  for (const name of ['a', 'Cost-centre_7', 'n'.repeat(attributeLimits.nameLength)])
    assert.equal(isAttributeName(name), true, name)
  for (const name of ['', '7a', '_a', 'a.b', 'a b', 'n'.repeat(attributeLimits.nameLength + 1)])
    assert.equal(isAttributeName(name), false, name)
  assert.equal(attributeLimits.nameLength, 64)
})

test('attributes are an object of plain values or short lists of them, each bound for itself', () => {
  const texts = 'must have texts, numbers, truth values or short lists of them as values'
  const list = (length: number) => ({ a: Array.from({ length }, () => 1) })
  const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, n]))
  const { number, size, listLength } = attributeLimits
  // `{"a":"…"}` has eight characters around the text, and ä two bytes.
  const sized = (bytes: number) => ({ a: 'ä' + 'x'.repeat(bytes - 10) })
  const cases: readonly (readonly [unknown, string | null])[] = [
    [{}, null],
    [{ a: '', b: 0, c: false, d: [], e: ['x', 1, true] }, null],
    ...[null, undefined, 'a', 7, []].map((value) => [value, 'must be an object'] as const),
    [{ '7': 1 }, 'must have names of at most 64 letters, digits, hyphens and underscores, beginning with a letter'],
    [
      { a: 1, 'b c': 1 },
      'must have names of at most 64 letters, digits, hyphens and underscores, beginning with a letter',
    ],
    ...[{}, null, Infinity, Number.NaN, [{}], ['x', null], [['x']], [1, Infinity]].map((a) => [{ a }, texts] as const),
    [list(listLength), null],
    [list(listLength + 1), texts],
    [members(number), null],
    [members(number + 1), `must not have more than ${number} members`],
    [sized(size), null],
    [sized(size + 1), `must not be longer than ${size} bytes`],
  ]
  for (const [value, problem] of cases)
    assert.equal(attributesProblem(value), problem, JSON.stringify(value)?.slice(0, 80))
})
