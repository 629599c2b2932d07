/** RFC 7009 for API keys: their own client revokes them, nobody else does, and one that was refused stands in the log. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { api, asking, declare, openDeployment, operator, root } from '../support/deployment.ts'

const wanted = { name: 'Export', clientId: 'svc', resource: api, scope: null, addresses: [], expiresAt: null }

async function open() {
  const deployment = await openDeployment()
  await declare(deployment)
  const made = await deployment.authority.admin.apiKeys.create(operator, root, wanted)
  assert.ok(made.kind === 'ok')
  const { key, apiKey } = made.value
  const { authority, store } = deployment
  const active = async () => {
    const answer = await authority.introspect(asking(`token=${key}`, { as: 'api' }))
    return answer.kind === 'ok' && answer.value['active']
  }
  const last = async () => (await store.events.before(root, Number.MAX_SAFE_INTEGER, 1))[0]
  return { deployment, authority, key, apiKey, active, last }
}

test('its own client revokes a key, once and for good; the log names both', async () => {
  const { deployment, authority, key, apiKey, active, last } = await open()
  assert.equal(await active(), true)
  assert.equal((await authority.revoke(asking(`token=${key}`, { as: 'svc' }))).kind, 'ok')
  const event = await last()
  assert.deepEqual(
    [event?.name, event?.actor, event?.clientId, event?.jti, event?.data],
    [
      'api_key.revoked',
      { kind: 'client', id: 'svc' },
      'svc',
      apiKey.id,
      { name: 'Export', resource: api, until: deployment.clock + 300_000 },
    ],
  )
  assert.equal(await active(), false)
  const refused = await last()
  assert.deepEqual([refused?.name, refused?.actor.id, refused?.jti], ['token.rejected', 'api', apiKey.id])
  assert.equal((await authority.revoke(asking(`token=${key}`, { as: 'svc' }))).kind, 'ok', 'again is no error')
})

test('another client revokes nothing, and what is no key of ours is not found', async () => {
  const { authority, key, active } = await open()
  const answer = await authority.revoke(asking(`token=${key}`, { as: 'other' }))
  assert.equal(answer.kind, 'error')
  assert.equal(await active(), true)
  const mistyped = key.replace(/.$/, (end) => (end === 'a' ? 'b' : 'a'))
  assert.equal((await authority.revoke(asking(`token=${mistyped}`, { as: 'svc' }))).kind, 'ok')
  assert.equal(await active(), true)
  const looked = await authority.introspect(asking(`token=${mistyped}`, { as: 'api' }))
  assert.deepEqual(looked.kind === 'ok' && looked.value, { active: false })
})
