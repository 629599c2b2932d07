import { equal, throws } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { hmacOf, hmacRoom } from '../src/contract/hmac.ts'

const withRoom = (message: Uint8Array): Buffer => Buffer.concat([Buffer.alloc(hmacRoom), message])

test('the mac is the one that everybody else computes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.uint8Array({ maxLength: 300 }), (key, message) => {
      const theirs = createHmac('sha256', key).update(message).digest('hex')
      equal(Buffer.from(hmacOf(key, withRoom(message)), 'latin1').toString('hex'), theirs)
    }),
  )
})

test('a key of more than a block is not taken', () => {
  throws(() => hmacOf(new Uint8Array(65), withRoom(new Uint8Array())))
})
