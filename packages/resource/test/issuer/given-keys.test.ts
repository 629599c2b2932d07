/** Keys that are known beforehand: one that is dropped is gone, and no other with it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { err } from '@grantor/protocol/result'
import { GivenKeys } from '../../src/issuer/given-keys.ts'
import { signingKey } from '../tokens.ts'

const [one, two] = [signingKey('one'), signingKey('two')]

test('a key is found by its name and its algorithm, until it is dropped', async () => {
  const keys = new GivenKeys({ keys: [one.jwk, two.jwk] })
  assert.deepEqual([keys.has('one'), keys.has('two'), keys.has('three')], [true, true, false])
  assert.equal(keys.find('one', 'ES256')?.kid, 'one')
  assert.equal(keys.find('one', 'RS256'), undefined)
  const before = keys.find('one', 'ES256')
  keys.drop('one')
  assert.deepEqual([keys.has('one'), keys.has('two')], [false, true])
  assert.equal(keys.find('one', 'ES256'), undefined)
  assert.equal(before?.present, false, 'who holds it hears of it')
  assert.deepEqual(await keys.seek('one', 'ES256'), err('absent'))
  assert.equal((await keys.seek('two', 'ES256')).kind, 'ok')
})

test('a set that is given anew replaces the one before', () => {
  const keys = new GivenKeys({ keys: [one.jwk] })
  keys.replace({ keys: [two.jwk] })
  assert.deepEqual([keys.has('one'), keys.has('two')], [false, true])
})
