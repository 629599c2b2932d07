import assert from 'node:assert/strict'
import { crc32 } from 'node:zlib'
import { test } from 'node:test'
import fc from 'fast-check'
import { apiKeyOf, apiKeyPattern, isApiKey } from '../../src/api-keys/format.ts'

const random = fc.uint8Array({ minLength: 32, maxLength: 32 })
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const bytesIn = (key: string): Uint8Array => {
  const number = key
    .slice(3)
    .split('')
    .reduce((sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)), 0n)
  return Buffer.from(number.toString(16).padStart(72, '0'), 'hex')
}

test('Whatever its bytes are, a key has one length and form, holds them and the CRC-32 of zip, and is one', () => {
  fc.assert(
    fc.property(random, (bytes) => {
      const key = apiKeyOf(bytes)
      assert.match(key, apiKeyPattern)
      assert.equal(key.length, 52)
      const held = Buffer.from(bytesIn(key))
      assert.deepEqual(Uint8Array.from(held.subarray(0, 32)), bytes)
      assert.equal(held.readUInt32BE(32), crc32(bytes))
      assert.ok(isApiKey(key))
    }),
  )
})

test('The smallest and the largest key are in the published form', () => {
  for (const byte of [0, 255]) assert.ok(isApiKey(apiKeyOf(new Uint8Array(32).fill(byte))))
  assert.equal(apiKeyOf(new Uint8Array(32)), 'gk_00000000000000000000000000000000000000000000SQjCX')
})

test('One character mistyped, two exchanged, one lost or one more: the checksum refuses it', () => {
  const place = fc.integer({ min: 3, max: 51 })
  fc.assert(
    fc.property(random, place, fc.constantFrom(...digits.split('')), (bytes, at, digit) => {
      const key = apiKeyOf(bytes)
      const typed = `${key.slice(0, at)}${digit}${key.slice(at + 1)}`
      assert.equal(isApiKey(typed), typed === key)
      const exchanged = `${key.slice(0, at)}${key[at + 1] ?? ''}${key[at]}${key.slice(at + 2)}`
      assert.equal(isApiKey(exchanged), exchanged === key)
      assert.ok(!isApiKey(key.slice(0, at) + key.slice(at + 1)))
      assert.ok(!isApiKey(`${key.slice(0, at)}${digit}${key.slice(at)}`))
    }),
  )
})

test('What is no key is none, however long or strange, and costs no more than a look', () => {
  const key = apiKeyOf(new Uint8Array(32).fill(7))
  const strange = [
    '',
    'gk_',
    key.toUpperCase(),
    ` ${key}`,
    `${key}\n`,
    `${key} `,
    key.replace('gk_', 'ga_'),
    key.replace('gk_', 'gk-'),
    `gk_${'z'.repeat(49)}`,
    `gk_4${'z'.repeat(48)}`,
    `gk_${'9'.repeat(1_000_000)}`,
    // A digit of another script, and a letter that looks like one of ours.
    key.replace(/.$/, '٣'),
    key.replace(/.$/, 'а'),
  ]
  for (const text of strange) assert.ok(!isApiKey(text), text.slice(0, 80))
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => assert.ok(!isApiKey(`gk_${text}`))))
})

test('A key is made of 32 bytes', () => {
  assert.throws(() => apiKeyOf(new Uint8Array(31)), RangeError)
})
