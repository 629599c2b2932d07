/** `openid-client`, unmodified, asks for a stronger sign-in: as a preference (`acr_values`) and as a condition (`claims`). */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as client from 'openid-client'
import { alice, bob, type Deployment, deployments, redirectUri, secret } from '../deployments.ts'
import { ScriptedPerson } from '../person.ts'

const [oneFactor, twoFactors] = ['urn:grantor:acr:1fa', 'urn:grantor:acr:2fa']
const preferred = { acr_values: twoFactors }
const required = { claims: JSON.stringify({ id_token: { acr: { essential: true, values: [twoFactors] } } }) }

describe('openid-client and the second factor', () => {
  let deployment: Deployment
  let config: client.Configuration
  before(async () => {
    const [{ open } = assert.fail()] = deployments
    deployment = await open()
    const auth = client.ClientSecretBasic(secret('web'))
    config = await client.discovery(deployment.issuer, 'web', undefined, auth, {
      [client.customFetch]: deployment.fetch,
    })
  })
  after(() => deployment[Symbol.asyncDispose]())

  /** What the client is told of the sign-in; a refusal is thrown by `openid-client`. */
  async function signedInAs(person: ScriptedPerson, parameters: Readonly<Record<string, string>>) {
    const [verifier, state, nonce] = [client.randomPKCECodeVerifier(), client.randomState(), client.randomNonce()]
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid',
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...parameters,
    })
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
    const tokens = await client.authorizationCodeGrant(config, await person.follow(address), checks)
    const claims = tokens.claims()
    return [claims?.['acr'], claims?.['amr']]
  }

  test('OIDC Core §3.1.2.1: whoever has no second factor goes on with one, and the client is told so', async () => {
    const person = new ScriptedPerson(deployment.fetch, alice)
    assert.deepEqual(await signedInAs(person, preferred), [oneFactor, ['pwd']])
    assert.deepEqual(await signedInAs(person, { ...preferred, prompt: 'none' }), [oneFactor, ['pwd']])
  })

  test('OIDC Core §5.5.1.1: where a second factor is a condition, whoever has none is not passed off as having one', async () => {
    const person = new ScriptedPerson(deployment.fetch, alice)
    await assert.rejects(signedInAs(person, required), { error: 'unmet_authentication_requirements' })
    await assert.rejects(signedInAs(person, { ...required, prompt: 'none' }), { error: 'login_required' })
    assert.deepEqual(await signedInAs(person, {}), [oneFactor, ['pwd']], 'it was the condition alone')
  })

  test('OIDC Core §3.1.2.1, §5.5.1.1: a session is stepped up, and a new sign-in takes both factors', async () => {
    const person = new ScriptedPerson(deployment.fetch, bob)
    // Signed in before there was an app: one factor, and truly told.
    assert.deepEqual(await signedInAs(person, {}), [oneFactor, ['pwd']])
    const enrolling = new ScriptedPerson(deployment.fetch, bob)
    const [code] = await enrolling.setUpApp(deployment.issuer)
    assert.ok(code)
    // Just proven is proven, in the browser that set the app up and in no other.
    const both = [twoFactors, ['pwd', 'otp', 'mfa']]
    assert.deepEqual(await signedInAs(enrolling, { ...required, prompt: 'none' }), both)
    person.app = enrolling.app
    await assert.rejects(signedInAs(person, { ...required, prompt: 'none' }), { error: 'login_required' })
    assert.deepEqual(await signedInAs(person, preferred), [twoFactors, ['pwd', 'otp', 'mfa']])
    assert.deepEqual(await signedInAs(person, { ...required, prompt: 'none' }), [twoFactors, ['pwd', 'otp', 'mfa']])

    const elsewhere = new ScriptedPerson(deployment.fetch, bob)
    elsewhere.recoveryCode = code
    assert.deepEqual(await signedInAs(elsewhere, required), [twoFactors, ['pwd', 'otp', 'mfa']])
  })
})
