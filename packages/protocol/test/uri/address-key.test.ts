/** By what a limit per address counts: an address of IPv4, half of one of IPv6, in one spelling. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressKey } from '../../src/uri/address-key.ts'

const keys: readonly (readonly [ip: string, key: string])[] = [
  ['192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2/64'],
  ['2001:DB8:0001:02:3:4:5:6', '2001:db8:1:2/64'],
  ['2001:db8::1', '2001:db8:0:0/64'],
  ['2001:db8::', '2001:db8:0:0/64'],
  ['2001:db8:1::2:3:4:5', '2001:db8:1:0/64'],
  ['2001:db8:1:2:3:4:5::', '2001:db8:1:2/64'],
  ['::1', '0:0:0:0/64'],
  ['::', '0:0:0:0/64'],
  ['::1:2:3:4:5', '0:0:0:1/64'],
  ['::1:2:3:4:5:6:7', '0:1:2:3/64'],
  ['2001::2:3:4:5:6:7', '2001:0:2:3/64'],
  ['fe80::1%eth0', 'fe80:0:0:0/64'],
  ['2001:db8:0:0000:1::', '2001:db8:0:0/64'],
]
for (const [ip, key] of keys) test(`${ip} is counted as ${key}`, () => assert.equal(addressKey(ip), key))
