/** How a sign-in was proven, in the names of RFC 8176. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byPasskey, byPassword, hasSecondFactor, noFactors, withCode } from '../../src/authorize/strength.ts'

test('RFC 8176 §2: each way to sign in says what was shown, and a key in software that it is one', () => {
  assert.deepEqual(byPassword, { acr: 'urn:grantor:acr:1fa', amr: ['pwd'] })
  assert.deepEqual(withCode(byPassword.amr), { acr: 'urn:grantor:acr:2fa', amr: ['pwd', 'otp', 'mfa'] })
  assert.deepEqual(byPasskey({ synced: true }), { acr: 'phr', amr: ['pop', 'user', 'mfa', 'swk'] })
  assert.deepEqual(byPasskey({ synced: false }), { acr: 'phr', amr: ['pop', 'user', 'mfa'] })
})

test('a second factor is an app or a passkey; recovery codes alone are none', () => {
  assert.equal(hasSecondFactor(noFactors), false)
  assert.equal(hasSecondFactor({ ...noFactors, otp: true }), true)
  assert.equal(hasSecondFactor({ ...noFactors, passkey: true }), true)
  assert.equal(hasSecondFactor({ ...noFactors, recoveryCodes: 10 }), false)
})
