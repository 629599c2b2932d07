/** Hashes and macs of the log are the ones that earlier versions wrote, so that their logs still verify. */
import { equal, notEqual } from 'node:assert/strict'
import { test } from 'node:test'
import type { TenantId } from '@grantor/protocol/types'
import { bodyChainHash, chainHash, genesis, linkForm, macOf } from '../src/index.ts'
import { auditKey } from './support/audit-key.ts'

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const head = { tenant: 'açme' as TenantId, seq: 2 ** 40 + 7, hash: bodyChainHash(genesis, '{"id":"1"}') }

test('the hash of an event', () => {
  equal(hex(head.hash), '19d5e153b801d516fa978978b1a2b8b08cb2cff70f3fbba591b0854dd4f5bbe7')
})

test('the mac over a head, for each purpose another', () => {
  const [seal, checkpoint] = [macOf(auditKey, head, 'seal'), macOf(auditKey, head, 'checkpoint')]
  equal(hex(seal), '70278eaf99566b07e7cda25d84b7b9047ad4b8bf301f93fda594299c746c0c72')
  equal(hex(checkpoint), '734cf95523130a3329c2346c0d7c3b21ceeb315079470ab3567589e4db2efa24')
  notEqual(
    hex(
      macOf(
        auditKey.map(() => 2),
        head,
        'seal',
      ),
    ),
    hex(seal),
  )
})

test('the hash of an event with its place, from which no part of the place can be changed', () => {
  const link = { body: '{"id":"1"}', pos: 2 ** 40 + 7, feed: 1 }
  const linked = chainHash(genesis, link)
  equal(hex(linked), '6cafd8ab041fa98346023ad2cc2b0b2d2c87d6107a4ce0c32e4a39a70c998955')
  equal(linkForm(genesis, link, linked), 'placed')
  equal(linkForm(genesis, link, bodyChainHash(genesis, link.body)), 'body-only')
  for (const other of [{ pos: 7 }, { pos: -1 }, { pos: 0.5 }, { feed: 0 }, { feed: 2 }, { body: '{}' }]) {
    equal(linkForm(genesis, { ...link, ...other }, linked), null)
  }
})
