/** `openid-client`, unmodified, asking somebody by the back channel (CIBA) and polling, until they allow or deny it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as client from 'openid-client'
import { alice, deployments, secret } from '../deployments.ts'
import { ScriptedPerson } from '../person.ts'

for (const { on, open } of deployments) {
  test(`CIBA: openid-client on ${on} asks, waits, has tokens bound to its key, and hears of a denial`, async () => {
    await using deployment = await open({ GRANTOR_BACKCHANNEL_INTERVAL: '1s' })
    const { issuer, fetch } = deployment
    const by = { [client.customFetch]: fetch }
    const config = await client.discovery(issuer, 'till', undefined, client.ClientSecretBasic(secret('till')), by)
    const asked = { scope: 'openid offline_access invoices:read', login_hint: 'alice', binding_message: 'W4SCT' }
    const waiting = await client.initiateBackchannelAuthentication(config, asked)
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'))
    const polling = client.pollBackchannelAuthenticationGrant(config, waiting, undefined, { DPoP })
    const person = new ScriptedPerson(fetch, alice)
    assert.equal(await person.answerRequest(issuer, 'allow'), 'approved')
    const tokens = await polling
    assert.equal(tokens.token_type, 'dpop')
    assert.ok(tokens.claims()?.sub)
    assert.ok((await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP })).access_token)

    const denied = await client.initiateBackchannelAuthentication(config, asked)
    assert.equal(await person.answerRequest(issuer, 'deny'), 'denied')
    await assert.rejects(client.pollBackchannelAuthenticationGrant(config, denied), { error: 'access_denied' })
  })
}
