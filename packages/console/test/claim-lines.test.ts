import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimLines, claimMappings } from '../src/app/forms/claim-lines.ts'

test('declared claims are written as lines and read back', () => {
  const mappings = [
    { claim: 'department', from: 'attributes.department' },
    { claim: 'teams', from: 'groups', scope: 'profile', in: ['userinfo'] },
    { claim: 'https://example.com/plan', value: 'gold for all' },
    { claim: 'limit', value: { a: [1, true] }, in: ['id_token', 'userinfo'] },
  ]
  const lines = [
    'department = attributes.department',
    'teams = groups for profile in userinfo',
    'https://example.com/plan = "gold for all"',
    'limit = {"a":[1,true]} in id_token,userinfo',
  ]
  assert.deepEqual(claimLines(mappings), lines)
  assert.deepEqual(claimMappings([...lines, '', ' ']), mappings)
  assert.deepEqual(claimLines(undefined), [])
  assert.deepEqual(claimMappings(['what is this']), [{ claim: 'what is this' }])
})
