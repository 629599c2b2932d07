/** The vault: what goes in comes out, and nothing else does. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { deriveKey, openVault } from '../../src/secrets/vault.ts'

const one = { text: 'one'.repeat(12), from: 'test' }
const two = { text: 'two'.repeat(12), from: 'test' }

describe('the vault', () => {
  test('whatever is sealed opens again in its context, and only there', () => {
    const vault = openVault(one)
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), fc.string(), (plain, context, other) => {
        for (const sealed of [vault.seal(plain, context), vault.sealShortLived(plain, context)]) {
          assert.deepEqual(Buffer.from(vault.open(sealed, context) ?? []), Buffer.from(plain))
          if (other !== context) assert.equal(vault.open(sealed, other), null)
        }
      }),
    )
  })

  test('any change to any byte is noticed', () => {
    const vault = openVault(one)
    const plain = Buffer.from('a private key')
    for (const sealed of [vault.seal(plain, 'key'), vault.sealShortLived(plain, 'key')]) {
      for (let i = 0; i < sealed.length; i++) {
        const bent = Uint8Array.from(sealed)
        bent[i] = (bent[i] ?? 0) ^ 1
        assert.equal(vault.open(bent, 'key'), null, `byte ${i}`)
      }
    }
  })

  test('any cut is noticed, down to nothing', () => {
    const vault = openVault(one)
    const plain = Buffer.from('a private key')
    for (const sealed of [vault.seal(plain, 'key'), vault.sealShortLived(plain, 'key')]) {
      for (let length = 0; length < sealed.length; length++) {
        assert.equal(vault.open(sealed.subarray(0, length), 'key'), null, `length ${length}`)
      }
    }
  })

  test('another master key opens nothing, and both say which key is meant', () => {
    const sealed = openVault(one).seal(Buffer.from('x'), 'key')
    const other = openVault(two)
    assert.equal(other.open(sealed, 'key'), null)
    assert.equal(other.keyIdOf(sealed), openVault(one).keyId)
    assert.notEqual(other.keyId, openVault(one).keyId)
    assert.equal(other.keyIdOf(Buffer.from('something else entirely, from before')), null)
  })

  test('a replaced master key still opens what it sealed, and seals no more', () => {
    const sealed = openVault(one).seal(Buffer.from('x'), 'key')
    const vault = openVault(two, [one])
    assert.equal(String(vault.open(sealed, 'key')), 'x')
    const fresh = vault.seal(Buffer.from('y'), 'key')
    assert.equal(vault.keyIdOf(fresh), openVault(two).keyId)
    assert.deepEqual([vault.isCurrent(sealed), vault.isCurrent(fresh)], [false, true])
    assert.deepEqual([vault.opens(sealed), vault.opens(fresh), openVault(two).opens(sealed)], [true, true, false])
  })

  test('the same text sealed twice looks different', () => {
    const vault = openVault(one)
    assert.notDeepEqual(vault.seal(Buffer.from('x'), 'key'), vault.seal(Buffer.from('x'), 'key'))
  })

  test('every purpose has a key of its own', () => {
    assert.notDeepEqual(deriveKey(one, 'audit'), deriveKey(one, 'vault'))
    assert.deepEqual(deriveKey(one, 'audit'), deriveKey(one, 'audit'))
  })
})
