/** What a device may ask for: judged as an authorization request is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptDeviceRequest, deviceInteraction, deviceResponse } from '../../src/device/request.ts'
import type { UserCode } from '../../src/device/user-code.ts'
import { formOf } from '../../src/oauth/form.ts'
import { deviceGrant } from '../../src/grants/grant-types.ts'
import type { ClientMetadata } from '../../src/registration/client-fields.ts'
import { ok } from '../../src/result.ts'
import { catalogue, client, issuer } from '../samples.ts'

const tv = (metadata: Partial<ClientMetadata> = {}) =>
  client({ grant_types: [deviceGrant], scope: 'openid offline_access a:read b:read', ...metadata }, { id: 'tv' })
const ask = (pairs: readonly (readonly [string, string])[], of = tv()) =>
  acceptDeviceRequest(formOf(pairs), { client: of, catalogue: catalogue(), issuer })

const accepted = [
  ['its scopes name their resource', [['scope', 'openid a:read']], ['a:read', 'openid'], ['https://a.example']],
  ['OIDC scopes alone are for the issuer', [['scope', 'openid']], ['openid'], []],
  ['without scope all of the resource named', [['resource', 'https://b.example']], ['b:read'], ['https://b.example']],
] as const
for (const [title, pairs, names, places] of accepted)
  test(`RFC 8628 §3.1: ${title}`, () => assert.deepEqual(ask(pairs), ok({ scope: names, resources: places })))

const refused = [
  ['a client that is not registered for it', [['scope', 'openid']], 'grant_type_not_allowed', { grant_types: [] }],
  ['a scope nobody knows', [['scope', 'c:read']], 'scope_unknown'],
  ['a scope the client does not have', [['scope', 'a:read']], 'scope_exceeds_client', { scope: 'openid' }],
  ['no scope and none to fall back to', [], 'scope_missing', { scope: 'openid' }],
  ['a malformed scope', [['scope', 'a:read  b:read']], 'scope_malformed'],
  ['scopes of two resources without saying so', [['scope', 'a:read b:read']], 'resource_ambiguous'],
  ['a resource that is no address', [['resource', 'nowhere']], 'resource_malformed'],
  ['an unknown resource', [['resource', 'https://c.example']], 'resource_unknown'],
] as const
for (const [title, pairs, reason, metadata = {}] of refused)
  test(`RFC 8628 §3.1: ${title} → ${reason}`, () => {
    const answer = ask(pairs, tv(metadata))
    assert.equal(answer.kind === 'error' ? answer.error.reason : 'accepted', reason)
  })

test('RFC 8628 §5.4: an earlier consent never answers for a device', () => {
  const { prompt, maxAge, acrValues, redirectUri } = deviceInteraction(
    tv({ default_max_age: 60, default_acr_values: ['x'] }),
    { scope: ['openid'], resources: [] },
  )
  assert.deepEqual([prompt, maxAge, acrValues, redirectUri], [['consent'], 60, ['x'], ''])
})

test('RFC 8628 §3.2: the answer names both codes, the page, and how to wait', () => {
  const codes = { deviceCode: 'gd_x', userCode: 'WDJBMJHT' as UserCode, expiresIn: 600, interval: 5 }
  assert.deepEqual(deviceResponse('https://as.example/t/acme', codes), {
    device_code: 'gd_x',
    user_code: 'WDJB-MJHT',
    verification_uri: 'https://as.example/t/acme/device',
    verification_uri_complete: 'https://as.example/t/acme/device?user_code=WDJB-MJHT',
    expires_in: 600,
    interval: 5,
  })
})
