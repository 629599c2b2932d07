/** What is told of a registration: to the client, to the log, and what it gives up when it changes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { changedFields, clientInformation, lostScope, registeredEvent } from '../../src/clients/registration.ts'
import { root } from '../support/deployment.ts'

const metadata = (more: JsonObject = {}) =>
  ({
    redirect_uris: ['https://client.example/cb'],
    grant_types: ['authorization_code'],
    token_endpoint_auth_method: 'client_secret_basic',
    scope: 'openid profile',
    ...more,
  }) as never

test('a field that came, went or is another was changed; the same one was not, and their names are in order', () => {
  assert.deepEqual(changedFields(metadata(), metadata()), [])
  assert.deepEqual(changedFields(metadata(), metadata({ client_name: 'New' })), ['client_name'])
  assert.deepEqual(changedFields(metadata({ client_name: 'Old' }), metadata()), ['client_name'])
  const other = { scope: 'openid', redirect_uris: ['https://client.example/cb', 'https://client.example/cc'] }
  assert.deepEqual(changedFields(metadata(), metadata(other)), ['redirect_uris', 'scope'])
  assert.deepEqual(changedFields(metadata(), metadata({ scope: 'openid', client_name: 'New' })), [
    'client_name',
    'scope',
  ])
})

test('what a client no longer asks for it gives up, and nothing else', () => {
  const lost = (before: string, after: string) => lostScope(metadata({ scope: before }), metadata({ scope: after }))
  assert.deepEqual(lost('openid profile', 'profile email'), ['openid'])
  assert.deepEqual(lost('openid profile', ''), ['openid', 'profile'])
  assert.deepEqual([lost('', 'openid'), lost('openid', 'openid')], [[], []])
})

test('RFC 7591 §3.2.1: a client is told its id, since when, its secret while it is new, and what manages it', () => {
  const createdAt = 1_800_000_000_999 as Instant
  const issuers = { issuerOf: () => 'https://as.example' }
  const told = (secret: string | null, more: JsonObject = {}) =>
    clientInformation(
      { tenant: root, id: 'c', metadata: metadata(more), createdAt },
      { secret, access: 'gm_access' } as never,
      issuers,
    )
  const { client_id, client_id_issued_at, client_secret, client_secret_expires_at, ...rest } = told('gs_secret')
  assert.deepEqual(
    [client_id, client_id_issued_at, client_secret, client_secret_expires_at],
    ['c', 1_800_000_000, 'gs_secret', 0],
  )
  assert.equal(rest['registration_access_token'], 'gm_access')
  assert.equal(rest['registration_client_uri'], 'https://as.example/register/c')
  assert.deepEqual(rest['redirect_uris'], ['https://client.example/cb'])
  const later = told(null)
  assert.deepEqual(['client_secret' in later, later['client_secret_expires_at']], [false, 0])
  assert.equal('client_secret_expires_at' in told(null, { token_endpoint_auth_method: 'none' }), false)
})

test('the log tells of a new client what it is, who it says it is, and where its answers go', () => {
  const event = (more: JsonObject) =>
    registeredEvent(
      { id: 'c', origin: 'dynamic', metadata: metadata(more) } as never,
      { tenant: root, ip: '192.0.2.1', traceId: null },
      { clock: { now: () => 5 }, ids: { id: () => 'id' } } as never,
    )
  const { name, actor, clientId, scope, ip, data } = event({ client_name: 'App' })
  assert.deepEqual(
    [name, actor, clientId, scope, ip],
    ['client.registered', { kind: 'client', id: 'c' }, 'c', 'openid profile', '192.0.2.1'],
  )
  assert.deepEqual(data, {
    origin: 'dynamic',
    client_name: 'App',
    redirect_uris: ['https://client.example/cb'],
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['authorization_code'],
  })
  assert.equal(event({}).data?.['client_name'], null)
})
