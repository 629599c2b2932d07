import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { addressBlock, isWithinBlocks } from '../../src/uri/address-block.ts'

const within = (address: string, ...blocks: readonly string[]) =>
  isWithinBlocks(
    address,
    blocks.map((text) => addressBlock(text) ?? assert.fail(text)),
  )

test('RFC 4632 §3.1: an address lies in a block or does not, at its first and last', () => {
  assert.ok(within('192.0.2.0', '192.0.2.0/24') && within('192.0.2.255', '192.0.2.0/24'))
  assert.ok(!within('192.0.1.255', '192.0.2.0/24') && !within('192.0.3.0', '192.0.2.0/24'))
  assert.ok(within('203.0.113.9', '0.0.0.0/0') && within('::1', '::/0'))
  assert.ok(within('2001:DB8:0::5', '198.51.100.7', '2001:db8::/32') && !within('2001:db9::', '2001:db8::/32'))
})

test('RFC 4291 §2.5.5.2: an IPv4 address that arrived on an IPv6 socket is one, in each spelling', () => {
  assert.ok(within('::ffff:192.0.2.9', '192.0.2.0/24') && within('::FFFF:c000:209', '192.0.2.0/24'))
  assert.ok(!within('::ffff:192.0.2.9', '::/0'))
})

test('The families are apart: no number of one is an address of the other', () => {
  assert.ok(!within('::c000:209', '192.0.2.9') && !within('0.0.0.1', '::1', '::/0'))
})

test('What is no address lies nowhere', () => {
  for (const text of ['', 'localhost', '192.0.2', '192.0.2.09', '1.2.3.4, 5.6.7.8', 'fe80::1%eth0', '127.1', '٣.0.0.1'])
    assert.ok(!within(text, '0.0.0.0/0', '::/0'), text)
})

test('A block of as many bits as an address has is that address', () => {
  assert.ok(within('10.0.0.0', '10.0.0.0/32') && !within('10.0.0.1', '10.0.0.0/32'))
  assert.ok(within('::', '::/128') && !within('::1', '::/128'))
})

test('What is no block is none', () => {
  for (const text of [
    '',
    '/',
    '10.0.0.0/',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.1/8',
    '10.0.0.0/8/8',
    '::1/127',
    'x/8',
  ])
    assert.equal(addressBlock(text), null, text)
})

test('Of any IPv4 block and address it says what Node says', () => {
  const address = fc.ipV4()
  fc.assert(
    fc.property(address, address, fc.integer({ min: 0, max: 32 }), (base, asked, prefix) => {
      const list = new BlockList()
      list.addSubnet(base, prefix)
      const number = base.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
      const first = prefix === 0 ? 0 : Math.floor(number / 2 ** (32 - prefix)) * 2 ** (32 - prefix)
      const text = [24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256).join('.')
      assert.equal(within(asked, `${text}/${prefix}`), list.check(asked))
    }),
  )
})
