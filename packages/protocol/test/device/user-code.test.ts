/** User codes: fair, and forgiving to whoever types them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseUserCode, showUserCode, userCodeFrom } from '../../src/device/user-code.ts'

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 })

test('RFC 8628 §6.1: a code is eight letters of twenty, and reads back from how it is shown', () => {
  fc.assert(
    fc.property(bytes, (random) => {
      const code = userCodeFrom(random)
      if (code === null) return
      assert.match(showUserCode(code), /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
      assert.equal(parseUserCode(showUserCode(code)), code)
    }),
  )
})

test('RFC 8628 §6.1: every letter is as likely as every other', () => {
  const counts = new Map<string, number>()
  for (let byte = 0; byte < 256; byte++) {
    const letter = userCodeFrom(new Uint8Array(8).fill(byte))?.[0]
    if (letter !== undefined) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  }
  assert.deepEqual([counts.size, new Set(counts.values())], [20, new Set([12])])
})

test('bytes that would be unfair are passed over, and too few of the others make no code', () => {
  assert.equal(userCodeFrom(Uint8Array.from([255, 0, 254, 1, 2, 3, 4, 5, 6, 7])), 'BCDFGHJK')
  assert.equal(userCodeFrom(new Uint8Array(32).fill(240)), null)
})

const sameCode = ['WDJB-MJHT', 'wdjbmjht', ' wdjb mjht ', 'W-D-J-B-M-J-H-T', 'WDJB–MJHT', 'wdjb.mjht', 'WDJB\u00a0MJHT']
for (const typed of sameCode)
  test(`RFC 8628 §6.1: ${JSON.stringify(typed)} is the code WDJB-MJHT`, () => {
    assert.equal(parseUserCode(typed), 'WDJBMJHT')
  })

const noCode = ['', 'WDJB', 'WDJB-MJHTX', 'WDJB-MJHA', 'WDJB-MJH1', 'WDJB/MJHT', 'WDJB-MJHT'.repeat(9), 'ẆDJB-MJHT']
for (const typed of noCode)
  test(`RFC 8628 §6.1: ${JSON.stringify(typed)} is no code`, () => assert.equal(parseUserCode(typed), null))
