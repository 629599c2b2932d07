/** How long texts of strangers may be: to change a number is to change what is promised. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mostPreferences, textLimits } from '../../src/oauth/text-limits.ts'

test('how long a text of a stranger may be', () => {
  assert.deepEqual(textLimits, {
    state: 4096,
    nonce: 1024,
    loginHint: 1024,
    acrValues: 1024,
    uiLocales: 1024,
    claims: 8192,
    bindingMessage: 100,
    backchannelUserCode: 64,
    clientNotificationToken: 1024,
    jwt: 16_384,
    dpopProof: 8192,
    jti: 256,
    kid: 256,
    uri: 2048,
    name: 200,
    description: 1000,
    claim: 1000,
  })
  assert.equal(mostPreferences, 20)
})
