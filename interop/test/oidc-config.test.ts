/** The module of the OpenID Foundation's Config certification plan, for the root's issuer and for a tenant's. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { importJWK } from 'jose'
import { openDeployment, tenant } from '../suite/deployment.ts'
import { configure, type Metadata } from '../suite/relying-party.ts'

const deployment = await openDeployment({ people: 2, tenant: true })
after(() => deployment[Symbol.asyncDispose]())

const list = (server: Metadata, name: string): readonly string[] => {
  const value = server[name]
  assert.ok(Array.isArray(value) && value.length > 0, `${name} is a list that holds something`)
  assert.ok(
    value.every((it) => typeof it === 'string' && it !== ''),
    `${name} holds texts`,
  )
  assert.equal(new Set(value).size, value.length, `${name} says nothing twice`)
  return value as string[]
}

/** RFC 7517: what a public key of each kind is made of; anything else in it would be too much. */
const members: Readonly<Record<string, readonly string[]>> = {
  RSA: ['alg', 'e', 'kid', 'kty', 'n', 'use'],
  EC: ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
}

for (const path of ['', `/t/${tenant}`]) {
  const at = path === '' ? 'the root' : 'a tenant'

  test(`oidcc-discovery-endpoint-verification (oidcc-config-certification-test-plan): the metadata of ${at}`, async () => {
    const issuer = `${deployment.origin}${path}`
    const response = await deployment.fetch(`${issuer}/.well-known/openid-configuration`)
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type') ?? '', /^application\/json\b/)
    const server = (await response.json()) as Metadata
    assert.equal(server.issuer, issuer)

    assert.ok(list(server, 'response_types_supported').includes('code'))
    assert.deepEqual(list(server, 'subject_types_supported'), ['public', 'pairwise'])
    assert.ok(list(server, 'id_token_signing_alg_values_supported').includes('RS256'))
    assert.ok(!list(server, 'id_token_signing_alg_values_supported').includes('none'))
    assert.ok(list(server, 'scopes_supported').includes('openid'))
    assert.ok(list(server, 'claims_supported').includes('sub'))
    assert.ok(list(server, 'grant_types_supported').includes('authorization_code'))
    assert.deepEqual(list(server, 'response_modes_supported').slice(0, 2), ['query', 'form_post'])
    assert.deepEqual(list(server, 'code_challenge_methods_supported'), ['S256'])
    for (const method of ['client_secret_basic', 'client_secret_post']) {
      assert.ok(list(server, 'token_endpoint_auth_methods_supported').includes(method))
    }
    for (const required of ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri']) {
      assert.ok(typeof server[required] === 'string', required)
    }
    for (const [name, value] of Object.entries(server)) {
      if (name.endsWith('_endpoint') || name.endsWith('_uri')) assert.ok(String(value).startsWith(`${issuer}/`), name)
      assert.notEqual(value, null)
    }
    // Written out, because their defaults differ: false for the first, true for the second (OIDC Discovery §3).
    assert.equal(server['request_parameter_supported'], true)
    assert.equal(server['request_uri_parameter_supported'], true)
    assert.equal(server['require_request_uri_registration'], true)
    assert.ok(!list(server, 'request_object_signing_alg_values_supported').includes('none'))
    assert.equal(server['claims_parameter_supported'], true)
  })

  test(`oidcc-discovery-endpoint-verification (oidcc-config-certification-test-plan): the keys of ${at}`, async () => {
    const { keys } = (await configure({ deployment, path })).context.keys
    assert.ok(keys.some((key) => key.alg === 'RS256'))
    assert.equal(new Set(keys.map((key) => key.kid)).size, keys.length)
    for (const key of keys) {
      assert.deepEqual(Object.keys(key).toSorted(), members[key.kty ?? ''])
      assert.equal(key.use, 'sig')
      for (const part of [key.n, key.e, key.x, key.y]) if (part !== undefined) assert.match(part, /^[\w-]+$/)
      await importJWK(key)
    }
  })
}
