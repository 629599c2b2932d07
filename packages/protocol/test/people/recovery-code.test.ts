import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { normalRecoveryCode, recoveryCode, recoveryCodeCount } from '../../src/people/recovery-code.ts'

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

test('a code has sixteen letters in groups of four, and what is typed is read up to 64 characters', () => {
  const bytes = Uint8Array.from({ length: 16 }, (_, n) => n)
  assert.equal(recoveryCode(bytes), '0123-4567-89AB-CDEF')
  assert.equal(recoveryCode(Uint8Array.from({ length: 20 }, (_, n) => n + 16)), 'GHJK-MNPQ-RSTV-WXYZ')
  assert.throws(() => recoveryCode(bytes.subarray(1)), /too little randomness/)
  const spaced = (length: number) => `0123456789ABCDEF${' '.repeat(length - 16)}`
  assert.equal(normalRecoveryCode(spaced(64)), '0123456789ABCDEF')
  assert.equal(normalRecoveryCode(spaced(65)), null)
  assert.equal(normalRecoveryCode('oOiIlL6789abcdef'), '0011116789ABCDEF')
  assert.equal(normalRecoveryCode('U123456789ABCDEF'), null)
  assert.equal(recoveryCodeCount, 10)
})
