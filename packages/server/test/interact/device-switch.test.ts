/** The switch for the device flow as a whole: with it off there is no trace of it. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { deviceGrant } from '@grantor/protocol/grants'
import { clientSecret, deploy } from './deployment.ts'

describe('device.flow: off', async () => {
  const deployment = await deploy({ GRANTOR_DEVICE_FLOW: 'off' })
  after(() => deployment[Symbol.asyncDispose]())
  const json = async (path: string) => JSON.parse((await deployment.send(path)).body) as Record<string, unknown>

  test('RFC 8628 §4: metadata names neither the endpoint nor the grant', async () => {
    for (const name of ['openid-configuration', 'oauth-authorization-server']) {
      const metadata = await json(`/.well-known/${name}`)
      assert.equal(metadata['device_authorization_endpoint'], undefined)
      assert.ok(!(metadata['grant_types_supported'] as string[]).includes(deviceGrant))
    }
  })

  test('its endpoint and its page are 404, and its grant is unsupported', async () => {
    const form = { client_id: 'grantor-cli', scope: 'openid' }
    assert.equal((await deployment.send('/device_authorization', { method: 'POST', form })).status, 404)
    for (const path of ['/device', '/device?user_code=BCDF-GHJK'])
      assert.equal((await deployment.send(path)).status, 404, path)
    assert.equal((await deployment.send('/device', { method: 'POST', form: { user_code: 'BCDF-GHJK' } })).status, 404)
    const polled = await deployment.send('/token', {
      method: 'POST',
      form: { grant_type: deviceGrant, device_code: 'x' },
      headers: { authorization: `Basic ${Buffer.from(`web:${clientSecret}`).toString('base64')}` },
    })
    assert.deepEqual(
      [polled.status, (JSON.parse(polled.body) as { error: string }).error],
      [400, 'unsupported_grant_type'],
    )
  })

  test('nobody registers for it', async () => {
    const registered = await deployment.send('/register', {
      method: 'POST',
      content: JSON.stringify({ client_name: 'TV', grant_types: [deviceGrant], token_endpoint_auth_method: 'none' }),
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(registered.status, 400)
  })
})

describe('device.flow: on', async () => {
  const deployment = await deploy()
  after(() => deployment[Symbol.asyncDispose]())

  test('it is there unless it was switched off', async () => {
    assert.equal((await deployment.send('/device')).status, 200)
    const metadata = JSON.parse((await deployment.send('/.well-known/openid-configuration')).body) as object
    assert.ok('device_authorization_endpoint' in metadata)
  })
})
