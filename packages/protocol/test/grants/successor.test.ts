import assert from 'node:assert/strict'
import { test } from 'node:test'
import { successorOf } from '../../src/grants/successor.ts'
import type { Secret } from '../../src/types.ts'

const salt = new Uint8Array(16).fill(7)
const token = 'gr_one' as Secret

test('a token has one successor, the same at every retry', () => {
  const successor = successorOf({ token, salt })
  assert.equal(successorOf({ token, salt: new Uint8Array(16).fill(7) }), successor)
  assert.match(successor, /^gr_[\w-]{43}$/)
})

test('another token or another salt has another successor', () => {
  const made = [
    successorOf({ token, salt }),
    successorOf({ token: 'gr_two' as Secret, salt }),
    successorOf({ token, salt: new Uint8Array(16).fill(8) }),
    successorOf({ token: successorOf({ token, salt }), salt }),
  ]
  assert.equal(new Set(made).size, made.length)
})
