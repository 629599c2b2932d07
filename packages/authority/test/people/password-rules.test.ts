/** New passwords: length, and not one's own name however it is written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isWeak, passwordFormProblem, usualPasswords } from '../../src/people/password.ts'

test('NIST SP 800-63B §5.1.1.2: eight characters to 512, and nothing else is asked but that it is not the name', () => {
  assert.equal(passwordFormProblem('1234567', 'x', usualPasswords), 'too_short')
  assert.equal(passwordFormProblem('12345678', 'x', usualPasswords), null)
  assert.equal(passwordFormProblem('p'.repeat(512), 'x', usualPasswords), null)
  assert.equal(passwordFormProblem('p'.repeat(513), 'x', usualPasswords), 'too_long')
  for (const [password, username] of [
    ['alice-doe', 'alice-doe'],
    ['ALICE-doe', 'alice-doe'],
    ['alice-doe', 'Alice-Doe'],
  ] as const)
    assert.equal(passwordFormProblem(password, username, usualPasswords), 'is_name', `${password} of ${username}`)
  assert.equal(passwordFormProblem('alice-doe!', 'alice-doe', usualPasswords), null)
})

test('a hash of less work than is asked for now is weak, and so is what is no such hash', () => {
  const hash = (memory: number, passes: number) => `$argon2id$v=19$m=${memory},t=${passes},p=1$c2FsdA$aGFzaA`
  assert.equal(isWeak(hash(19_456, 2)), false)
  assert.equal(isWeak(hash(65_536, 3)), false)
  assert.equal(isWeak(hash(19_455, 2)), true)
  assert.equal(isWeak(hash(19_456, 1)), true)
  for (const other of ['', '$2b$10$abc', hash(19_456, 2).replace('argon2id', 'argon2i')])
    assert.equal(isWeak(other), true)
})
