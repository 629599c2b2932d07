/** `openid-client` and `oauth4webapi`, unmodified, as devices: asking, polling, and hearing every answer there is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { alice, deployments } from '../deployments.ts'
import { ScriptedPerson } from '../person.ts'

const pace = { GRANTOR_DEVICE_INTERVAL: '1s' }

for (const { on, open } of deployments) {
  test(`RFC 8628: openid-client and oauth4webapi on ${on} sign in by a code, and hear of waiting and of a denial`, async () => {
    await using deployment = await open(pace)
    const config = await client.discovery(deployment.issuer, 'tv', undefined, client.None(), {
      [client.customFetch]: deployment.fetch,
    })
    const asked = await client.initiateDeviceAuthorization(config, { scope: 'openid offline_access invoices:read' })
    const person = new ScriptedPerson(deployment.fetch, alice)
    const polling = client.pollDeviceAuthorizationGrant(config, asked)
    assert.equal(await person.answerDevice(asked, 'allow'), 'approved')
    const tokens = await polling
    assert.ok(tokens.refresh_token)
    assert.ok(tokens.claims()?.sub)
    assert.ok((await client.refreshTokenGrant(config, tokens.refresh_token)).access_token)

    const as = config.serverMetadata() as oauth.AuthorizationServer
    const [by, tv] = [{ [oauth.customFetch]: deployment.fetch }, { client_id: 'tv' }]
    const scope = new URLSearchParams({ scope: 'openid' })
    const response = await oauth.deviceAuthorizationRequest(as, tv, oauth.None(), scope, by)
    const waiting = await oauth.processDeviceAuthorizationResponse(as, tv, response)
    const poll = async () => {
      const answer = await oauth.deviceCodeGrantRequest(as, tv, oauth.None(), waiting.device_code, by)
      return oauth.processDeviceCodeResponse(as, tv, answer)
    }
    await assert.rejects(poll, { error: 'authorization_pending' })
    assert.equal(await person.answerDevice(waiting, 'deny'), 'denied')
    await assert.rejects(poll, { error: 'access_denied' })
  })
}
