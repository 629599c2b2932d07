/** Addresses of proxies: as settings write them, and who is one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWithin, plainAddress, proxyAddressProblem, trustedBlock, trustedList } from '../../src/http/addresses.ts'

const blocks: readonly (readonly [word: string, block: readonly [string, number, string] | null])[] = [
  ['loopback', ['127.0.0.0', 8, 'ipv4']],
  ['192.0.2.7', ['192.0.2.7', 32, 'ipv4']],
  ['192.0.2.0/24', ['192.0.2.0', 24, 'ipv4']],
  ['192.0.2.7/32', ['192.0.2.7', 32, 'ipv4']],
  ['192.0.2.7/33', null],
  ['0.0.0.0/0', ['0.0.0.0', 0, 'ipv4']],
  ['2001:db8::7', ['2001:db8::7', 128, 'ipv6']],
  ['2001:db8::/128', ['2001:db8::', 128, 'ipv6']],
  ['2001:db8::/129', null],
  ['192.0.2.0/24/1', null],
  ['192.0.2.0/x', null],
  ['192.0.2.0/', null],
  ['192.0.2.0/-1', null],
  ['proxy.example', null],
  ['', null],
]
for (const [word, block] of blocks)
  test(`an address or a block: ${word || 'nothing'}`, () => {
    const read = trustedBlock(word)
    assert.deepEqual(read === null ? null : [read.address, read.prefix, read.family], block)
  })

test('a proxy has a name, and is not everybody', () => {
  assert.equal(proxyAddressProblem('192.0.2.0/1'), null)
  assert.equal(proxyAddressProblem('loopback'), null)
  assert.equal(proxyAddressProblem('x'), 'x is not an address, a CIDR block or loopback')
  assert.equal(proxyAddressProblem('::/0'), '::/0 is everyone; name the proxy itself')
})

test('who is a proxy, however often it is asked, and what is no address never is', () => {
  const trusted = trustedList(['loopback', '192.0.2.0/24', '2001:db8::/32', 'nothing'])
  for (const _ of ['first', 'again']) {
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '192.0.2.255', '2001:db8:1::1'])
      assert.equal(isWithin(trusted, address), true, address)
    for (const address of ['128.0.0.1', '::2', '192.0.3.0', '2001:db9::1', 'nothing', ''])
      assert.equal(isWithin(trusted, address), false, address)
  }
  // Without the word, ::1 is nobody; another list is asked anew.
  assert.equal(isWithin(trustedList(['127.0.0.0/8']), '::1'), false)
  // More than are remembered.
  for (let n = 0; n < 1_100; n += 1) assert.equal(isWithin(trusted, `10.0.${n >> 8}.${n & 255}`), false)
  assert.equal(isWithin(trusted, '127.0.0.1'), true)
})

test('an IPv4 address on an IPv6 socket is what it is', () => {
  assert.equal(plainAddress('::ffff:192.0.2.7'), '192.0.2.7')
  assert.equal(plainAddress('2001:db8::7'), '2001:db8::7')
})
