/** Mail addresses: what is taken for one, and what could reach into a header or a second mailbox is not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { emailKey, isMailAddress } from '@grantor/protocol/people'

const good = [
  'a@b.example',
  'Alice.Doe+tag@sub.example.com',
  "o'brien@example.com",
  'käthe@bücher.example',
  'हिन्दी@उदाहरण.example',
  'ka\u0308the@example.com',
  `${'l'.repeat(64)}@example.com`,
]

const bad = [
  '\u0308a@example.com',
  '',
  'alice',
  '@example.com',
  'alice@',
  'alice@localhost',
  'alice@@example.com',
  'alice@example.com, eve@evil.example',
  'alice@example.com\r\nBcc: eve@evil.example',
  'alice@example.com\n',
  ' alice@example.com',
  'alice @example.com',
  '<alice@example.com>',
  'Alice <alice@example.com>',
  '"a b"@example.com',
  'alice@[127.0.0.1]',
  'alice.@example.com',
  '.alice@example.com',
  'al..ice@example.com',
  'alice@-example.com',
  'alice@example..com',
  'alice@exa\u202emple.com',
  'alice\u200b@example.com',
  'alice\0@example.com',
  `${'l'.repeat(65)}@example.com`,
  `a@${'d'.repeat(64)}.example`,
  `a@${'d.'.repeat(126)}com`,
]

test('RFC 5321 §4.1.2: plain addresses are taken, whatever could reach further is not', () => {
  for (const text of good) assert.equal(isMailAddress(text), true, text)
  for (const text of bad) assert.equal(isMailAddress(text), false, JSON.stringify(text))
})

test('RFC 5322 §2.2: no address that is taken holds what ends a header, a list or a bracket', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const address = `${text}@example.com`
      if (isMailAddress(address)) assert.doesNotMatch(address, /[\s<>,;:"()[\]\\\p{C}]/u)
    }),
  )
})

test('addresses compare by one normal form', () => {
  assert.equal(emailKey('Alice@EXAMPLE.com'), emailKey('alice@example.COM'))
  assert.equal(emailKey('ka\u0308the@example.com'), emailKey('k\u00e4the@example.com'))
})

test('RFC 5321 §4.5.3.1: an address of 254 octets is taken, one more is not, however many characters they are', () => {
  const sized = (octets: number): string => {
    const rest = octets - 'a@.example'.length
    return `a@${Array.from({ length: rest }, (_, n) => (n % 61 === 60 && n < rest - 1 ? '.' : 'd')).join('')}.example`
  }
  assert.deepEqual([sized(254).length, sized(255).length], [254, 255])
  assert.equal(isMailAddress(sized(254)), true)
  assert.equal(isMailAddress(sized(255)), false)
  // 130 letters of two octets each.
  const wide = `a@${'ü'.repeat(60)}.${'ü'.repeat(60)}.${'ü'.repeat(10)}.example`
  assert.ok(wide.length < 254)
  assert.equal(isMailAddress(wide), false)
  assert.equal(isMailAddress(`${'ü'.repeat(32)}@b.example`), true)
  assert.equal(isMailAddress(`${'ü'.repeat(33)}@b.example`), false)
  assert.equal(isMailAddress(`a@${'d'.repeat(63)}.example`), true)
})
