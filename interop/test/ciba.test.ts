/** `openid-client`, unmodified, asking somebody by the back channel (CIBA): polling or told, whatever becomes of the server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import * as client from 'openid-client'
import { alice, deployments, secret } from '../deployments.ts'
import { ScriptedPerson } from '../person.ts'
import { temporaryFolder } from '../server.ts'
import { openReceiver } from '../suite/receiver.ts'

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

  test(`CIBA §10.2: a client on ${on} is told of the answer and fetches, though the server is killed before and after it`, async () => {
    await using receiver = await openReceiver()
    using folder = temporaryFolder()
    await using deployment = await open(
      {
        GRANTOR_OUTBOUND_ALLOW: 'localhost',
        GRANTOR_OUTBOUND_CA: folder.write('outside.pem', receiver.ca),
        GRANTOR_LOG: 'debug',
      },
      {
        clients: [
          {
            client_id: 'pinged',
            client_secret: secret('pinged'),
            grant_types: ['urn:openid:params:grant-type:ciba'],
            backchannel_token_delivery_mode: 'ping',
            backchannel_client_notification_endpoint: `${receiver.origin}/ping`,
            scope: 'openid invoices:read',
          },
        ],
      },
    )
    const { issuer, fetch } = deployment
    const by = { [client.customFetch]: fetch }
    const config = await client.discovery(issuer, 'pinged', undefined, client.ClientSecretBasic(secret('pinged')), by)
    assert.deepEqual(config.serverMetadata().backchannel_token_delivery_modes_supported, ['poll', 'ping'])
    const token = 'zz9canary-of-the-client'
    const asked = { scope: 'openid invoices:read', login_hint: 'alice', client_notification_token: token }
    const waiting = await client.initiateBackchannelAuthentication(config, asked)
    await deployment.restart()
    receiver.answer = 503
    assert.equal(await new ScriptedPerson(fetch, alice).answerRequest(issuer, 'allow'), 'approved')
    const written = deployment.server.output()
    await deployment.restart()
    receiver.answer = 204
    const tried = receiver.received.length
    while (receiver.received.length === tried) await delay(50)
    for (const told of receiver.received) {
      assert.deepEqual([told.method, told.path, told.type], ['POST', '/ping', 'application/json'])
      assert.equal(told.authorization, `Bearer ${token}`)
      assert.deepEqual(JSON.parse(told.body), { auth_req_id: waiting.auth_req_id })
    }
    const tokens = await client.pollBackchannelAuthenticationGrant(config, { ...waiting, interval: 0 })
    assert.ok(tokens.claims()?.sub)
    for (const output of [written, deployment.server.output()])
      assert.ok(!output.includes('zz9canary') && !output.includes(waiting.auth_req_id), output)
  })
}
