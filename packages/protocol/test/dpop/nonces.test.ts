/** Nonces without state: the same on every node, good for a while, and for one purpose. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openNonces } from '../../src/dpop/nonces.ts'
import type { Instant } from '../../src/types.ts'

const key = new Uint8Array(32).fill(7)
const now = 1_800_000_000_000 as Instant
const later = (seconds: number) => (now + seconds * 1000) as Instant

test('RFC 9449 §8.2: a nonce is known on every node and across one change, and then no more', () => {
  const one = openNonces(key)
  const other = openNonces(key)
  const nonce = one.current(now)
  assert.match(nonce, /^[\w-]{32}$/)
  assert.equal(other.current(now), nonce)
  // A new one every five minutes, to the second.
  assert.equal(one.current(later(299)), nonce)
  assert.notEqual(one.current(later(300)), nonce)
  assert.notEqual(one.current(later(-1)), nonce)
  assert.equal(other.accepts(nonce, later(599)), true)
  assert.equal(other.accepts(nonce, later(600)), false)
  // A node whose clock is behind is shown what the others have given already.
  assert.equal(other.accepts(nonce, later(-300)), true)
  assert.equal(other.accepts(nonce, later(-301)), false)
  assert.equal(openNonces(key, '').current(now), nonce)
})

test('a nonce of another key or purpose, or made up, is none', () => {
  const ours = openNonces(key, 'acme')
  assert.equal(ours.accepts(openNonces(key, 'globex').current(now), now), false)
  assert.equal(ours.accepts(openNonces(new Uint8Array(32), 'acme').current(now), now), false)
  assert.equal(ours.accepts('', now), false)
})
