import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { normalRecoveryCode, recoveryCode } from '../../src/people/recovery-code.ts'

const bytes = fc.uint8Array({ minLength: 16, maxLength: 40 })

test('a recovery code is read back however it is spelled', () => {
  fc.assert(
    fc.property(bytes, (random) => {
      const code = recoveryCode(random)
      assert.match(code, /^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/)
      const normal = normalRecoveryCode(code)
      assert.equal(normal, code.replaceAll('-', ''))
      const spelled = code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
      assert.equal(normalRecoveryCode(` ${spelled} `), normal)
    }),
  )
})

test('every byte counts: 80 bits of randomness are 80 bits of code', () => {
  const zero = recoveryCode(new Uint8Array(16))
  for (let i = 0; i < 16; i++) {
    const codes = new Set(Array.from({ length: 256 }, (_, n) => recoveryCode(new Uint8Array(16).fill(n, i, i + 1))))
    assert.equal(codes.size, 32)
    assert.ok(codes.has(zero))
  }
  assert.throws(() => recoveryCode(new Uint8Array(15)))
})

test('what is no code is none', () => {
  for (const text of ['', '123456', 'A'.repeat(15), 'A'.repeat(17), 'U'.repeat(16), 'A'.repeat(16) + ' '.repeat(60)]) {
    assert.equal(normalRecoveryCode(text), null)
  }
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void normalRecoveryCode(text)))
})
