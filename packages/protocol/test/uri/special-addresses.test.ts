/** Addresses that are not of the public network: the first and the last of each block, and their public neighbours. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress } from '../../src/uri/special-addresses.ts'

/** [first, last] of every block, then what lies beside it and is public; null where the neighbour is special, too. */
const blocks: readonly (readonly [first: string, last: string, before: string | null, after: string | null])[] = [
  ['0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0'],
  ['192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0'],
  ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['192.175.48.0', '192.175.48.255', '192.175.47.255', '192.175.49.0'],
  ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0', '239.255.255.255', '223.255.255.255', null],
  ['240.0.0.0', '255.255.255.255', null, null],
  ['::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null, '2000::'],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff::', '2001:200::'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7:ffff::', '2001:db9::'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff::', '2003::'],
  ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff', '2620:4f:7fff::', '2620:4f:8001::'],
  ['3ffe::', '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffd:ffff::', null],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', null, '3fff:1000::'],
  ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff::', null],
]

for (const [first, last, before, after] of blocks) {
  test(`from ${first} to ${last} no address is public, and those beside it are`, () => {
    for (const address of [first, last]) assert.equal(isPublicAddress(address), false, address)
    for (const address of [before, after]) if (address !== null) assert.equal(isPublicAddress(address), true, address)
  })
}

test('what is no plain address is not public', () => {
  for (const text of [
    '',
    '8.8.8',
    '8.8.8.8.8',
    '08.8.8.8',
    '256.8.8.8',
    '8.8.8.-8',
    '0x8.8.8.8',
    '2000:::',
    '2000::1%eth0',
    'dns',
    '::ffff:8.8.8.8',
  ])
    assert.equal(isPublicAddress(text), false, text)
  for (const text of ['8.8.8.8', '2606:4700:4700::1111', '2606:4700:4700:0:0:0:0:1111', '2A00:1450::'])
    assert.equal(isPublicAddress(text), true, text)
})
