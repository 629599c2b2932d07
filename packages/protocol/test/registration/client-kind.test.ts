/** What kind of client somebody registered, as the console calls it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientKind } from '../../src/registration/client-kind.ts'

const code = { grant_types: ['authorization_code'], scope: 'openid', token_endpoint_auth_method: 'client_secret_basic' }
const device = 'urn:ietf:params:oauth:grant-type:device_code'

test('a kind follows from what the client may do, and how it shows who it is', () => {
  for (const [kind, metadata] of [
    ['web', code],
    ['spa', { ...code, token_endpoint_auth_method: 'none' }],
    ['native', { ...code, application_type: 'native', token_endpoint_auth_method: 'none' }],
    ['device', { ...code, grant_types: ['authorization_code', device] }],
    ['machine', { ...code, grant_types: ['client_credentials'] }],
    ['mcp', { ...code, grant_types: ['client_credentials'], scope: 'openid revocations:read' }],
    ['machine', { ...code, grant_types: ['client_credentials'], scope: 'xrevocations:read' }],
  ] as const)
    assert.equal(clientKind(metadata as never), kind, JSON.stringify(metadata))
})
