/** A client without a secret: which requests are taken as one that shows the token of another issuer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { federatedJwt } from '../../src/client-auth/federated-jwt.ts'
import { assertionType } from '../../src/client-auth/private-key-jwt.ts'
import { jwtBearerGrant } from '../../src/grants/grant-types.ts'
import { formOf } from '../../src/oauth/form.ts'
import type { JsonObject } from '../../src/types.ts'

const part = (value: JsonObject) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = (claims: JsonObject, typ = 'JWT') => `${part({ alg: 'ES256', typ })}.${part(claims)}.c2ln`
const workload = jwt({ iss: 'https://ci.example', sub: 'repo' })

const recognised = (fields: Readonly<Record<string, string>>, authorization: string | null = null) => {
  const found = federatedJwt.recognise(
    { form: formOf(Object.entries(fields)), authorization } as never,
    (it) => it as never,
  )
  if (found === null || found.kind === 'error') return null
  const { method, clientId, secret, workload: shown } = found.value
  return { method, clientId, secret, asGrant: shown?.asGrant, named: shown?.named }
}
const grant = { grant_type: jwtBearerGrant, assertion: workload }
const assertion = { client_assertion_type: assertionType, client_assertion: workload }

test('RFC 7523 §2.1: the assertion of the grant stands for the client where nothing else does', () => {
  const shown = { method: 'federated_jwt', clientId: 'repo', secret: null, asGrant: true, named: null }
  assert.deepEqual(recognised(grant), shown)
  assert.deepEqual(recognised({ ...grant, client_id: 'web' }), { ...shown, clientId: 'web', named: 'web' })
  for (const [name, value] of [
    ['client_secret', 's'],
    ['client_assertion', 'x'],
    ['client_assertion_type', 'x'],
    ['grant_type', 'client_credentials'],
    ['assertion', ''],
    ['assertion', 'x'],
  ] as const)
    assert.equal(recognised({ ...grant, [name]: value }), null, name)
  assert.equal(recognised(grant, 'Basic x'), null)
  // An ID-JAG is about a person: the client still has to prove itself.
  assert.equal(recognised({ ...grant, assertion: jwt({ sub: 'alice' }, 'oauth-id-jag+jwt') }), null)
})

test('a subject that can be no client_id is counted for nobody', () => {
  const shown = recognised({ ...grant, assertion: jwt({ iss: 'https://ci.example', sub: 'wéb' }) })
  assert.deepEqual([shown?.clientId, shown?.named], ['', null])
})

test('RFC 7523 §2.2: a client assertion of another issuer', () => {
  const shown = { method: 'federated_jwt', clientId: 'repo', secret: null, asGrant: false, named: null }
  assert.deepEqual(recognised(assertion), shown)
  assert.deepEqual(recognised({ ...assertion, ...grant }), shown)
  assert.equal(recognised({ ...assertion, client_assertion_type: 'x' }), null)
  assert.equal(recognised({ ...assertion, client_assertion: 'x' }), null)
  // What a client says of itself is its own assertion (private_key_jwt).
  assert.equal(recognised({ ...assertion, client_assertion: jwt({ iss: 'web', sub: 'web' }) }), null)
})

test('a token of the greatest length is looked at, a longer one is not', () => {
  const sized = (length: number) => {
    const bare = workload.length
    const claims = { iss: 'https://ci.example', sub: 'repo', x: '' }
    const rest = (length - jwt(claims).length) % 4
    const long = jwt({ ...claims, x: 'x'.repeat(Math.floor(((length - jwt(claims).length - rest) * 3) / 4)) })
    assert.ok(bare > 0 && long.length <= length)
    return `${long}${'A'.repeat(length - long.length)}`
  }
  assert.equal(sized(16_384).length, 16_384)
  assert.notEqual(recognised({ ...grant, assertion: sized(16_384) }), null)
  assert.equal(recognised({ ...grant, assertion: sized(16_385) }), null)
})

test('only the client that a rule made of the token is proven', () => {
  const proves = (id: string | null, workloadOf: string | null) =>
    federatedJwt.proves({ client: id === null ? null : { id }, workloadOf } as never)
  assert.equal(proves('web', 'web'), true)
  assert.equal(proves('web', 'other'), false)
  assert.equal(proves('web', null), false)
  assert.equal(proves(null, null), false)
})
