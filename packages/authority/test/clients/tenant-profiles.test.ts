/** A tenant with a profile: what its clients are refused, filled in with and told, and what its metadata say. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { EndpointRequest } from '@grantor/authority'
import { assertionType } from '@grantor/protocol/client-auth'
import { formOf } from '@grantor/protocol/oauth'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import {
  databases,
  declare,
  type Deployment,
  machine,
  openDeployment,
  operator,
  root,
  secret,
} from '../support/deployment.ts'
import { KeyHolder } from '../support/dpop-client.ts'
import { authorizeQuery, PersonAtBrowser, redirectUri } from '../support/person.ts'
import { registering } from '../support/registration.ts'
import { jws, signingKey } from '../support/signing-client.ts'

const bank = 'bank' as TenantId
const issuer = 'https://as.example/t/bank'
const key = signingKey('k1')

const service: JsonObject = {
  client_id: 'svc',
  grant_types: ['client_credentials'],
  redirect_uris: [],
  jwks: { keys: [key.jwk] },
  scope: 'openid',
}
const shop: JsonObject = { client_id: 'web', redirect_uris: [redirectUri], jwks: { keys: [key.jwk] }, scope: 'openid' }
const withSecret = machine('old', 'openid')
const tenant = (more: JsonObject) => ({ tenants: [{ id: 'bank', ...more }] })

async function problemOf(it: Deployment, wanted: JsonObject): Promise<string> {
  const planned = await it.authority.admin.declared.plan(wanted)
  if (planned.kind === 'ok' || planned.error.reason !== 'invalid') return JSON.stringify(planned)
  return planned.error.problems.map(({ field, problem }) => `${field} ${problem}`).join('; ')
}

interface Asked {
  readonly as?: string
  readonly proof?: string | null
  readonly tenant?: TenantId
}

/** A request of a client that proves itself by its key. */
function proven(it: Deployment, form: Record<string, string>, { as = 'svc', proof = null, tenant: at = bank }: Asked) {
  const now = Math.floor(it.clock / 1000)
  const aud = at === root ? 'https://as.example' : issuer
  const claims = { iss: as, sub: as, aud, iat: now, exp: now + 60, jti: randomUUID() }
  const all = {
    ...form,
    client_id: as,
    client_assertion: jws({ claims: JSON.stringify(claims), by: key }),
    client_assertion_type: assertionType,
  }
  return {
    tenant: at,
    form: formOf(Object.entries(all)),
    authorization: null,
    clientCertificate: null,
    proof,
    ip: '192.0.2.7',
    traceId: null,
  } satisfies EndpointRequest
}

const basic = (as: string) => `Basic ${Buffer.from(`${as}:${secret}`).toString('base64')}`

const bySecret = (it: Deployment, form: Record<string, string>): EndpointRequest => ({
  ...proven(it, {}, {}),
  form: formOf(Object.entries(form)),
  authorization: basic('old'),
})

const credentials = { grant_type: 'client_credentials' }
const bankProof = (it: Deployment) => new KeyHolder().proof(it.clock, { url: `${issuer}/token` })

for (const database of databases) {
  test(`${database}: the profile of a tenant refuses a weak client with the reason: in a file, by command, at registration`, async () => {
    const it = await openDeployment(database)
    const weak = await problemOf(it, tenant({ profile: 'fapi2-security', clients: [withSecret, service] }))
    assert.match(weak, /^tenants\[0\]\.clients\[0\]\.(?!.*clients\[1\])/, weak)
    const named: JsonObject = { ...withSecret, token_endpoint_auth_method: 'client_secret_basic' }
    assert.match(
      await problemOf(it, tenant({ profile: 'fapi2-security', clients: [named] })),
      /token_endpoint_auth_method must be one of .*as the profile fapi2-security of the tenant demands/,
    )
    assert.match(await problemOf(it, tenant({ profile: 'fapi3' })), /tenants\[0\]\.profile must be one of/)
    assert.match(await problemOf(it, { profile: 'fapi-ciba' }), /^profile must be one of/)
    assert.match(
      await problemOf(it, tenant({ profile: 'fapi2-security', require_pushed_authorization_requests: false })),
      /require_pushed_authorization_requests must be true or left out.*fapi2-security/,
    )

    await declare(it, tenant({ profile: 'fapi2-security', registration: { mode: 'open' }, clients: [service] }))
    assert.match(
      await problemOf(it, tenant({ clients: [named] })),
      /of the tenant demands/,
      'the file need not say it again',
    )
    const { clients } = it.authority.admin
    const { client_id: _id, client_secret: _secret, ...metadata } = named
    const made = await clients.create(operator, bank, { id: 'x', metadata })
    assert.ok(made.kind === 'error' && made.error.reason === 'invalid', JSON.stringify(made))
    assert.match(made.error.problems[0]?.problem ?? '', /fapi2-security of the tenant demands/)
    const held = await clients.find(bank, 'svc')
    assert.ok(held.kind === 'ok')
    assert.equal(held.value.metadata.dpop_bound_access_tokens, true, 'what was left open is filled in')
    const changed = await clients.replace(operator, bank, {
      id: 'svc',
      version: held.value.version,
      metadata: { ...held.value.metadata, dpop_bound_access_tokens: false },
      disabled: false,
    })
    assert.ok(changed.kind === 'error' && changed.error.reason === 'invalid', JSON.stringify(changed))

    const open = it.authority
    const asks = (more: JsonObject) =>
      open.register(registering({ redirect_uris: ['https://client.example/cb'], ...more }, { tenant: bank }))
    for (const method of ['none', 'client_secret_basic', 'client_secret_post']) {
      const refused = await asks({ token_endpoint_auth_method: method })
      assert.ok(refused.kind === 'error' && refused.error.reason === 'client_metadata_invalid', JSON.stringify(refused))
      assert.match(refused.error.problem, /as the profile fapi2-security of the tenant demands/)
    }
    const registered = await asks({ jwks: { keys: [key.jwk] } })
    assert.ok(registered.kind === 'ok', JSON.stringify(registered))
    assert.equal(registered.value['token_endpoint_auth_method'], 'private_key_jwt')
    assert.equal(registered.value['require_pushed_authorization_requests'], true)
    assert.equal(registered.value['client_secret'], undefined)
  })

  test(`${database}: a client from before the profile is refused at every use, named to the operator, and back once it is taken away`, async () => {
    const it = await openDeployment(database)
    const browserApp = { ...shop, client_id: 'spa', token_endpoint_auth_method: 'none', jwks: null }
    await declare(it, tenant({ clients: [withSecret, browserApp] }))
    const before = await it.authority.token(bySecret(it, credentials))
    assert.ok(before.kind === 'ok', JSON.stringify(before))
    const other = it.node()
    assert.equal((await other.token(bySecret(it, credentials))).kind, 'ok', 'another node knows it too')

    await declare(it, tenant({ profile: 'fapi2-security' }))
    for (const node of [it.authority, other])
      for (const [endpoint, form] of [
        ['token', credentials],
        ['pushedAuthorization', { client_id: 'old', response_type: 'code' }],
        ['introspect', { token: 'x' }],
        ['revoke', { token: 'x' }],
      ] as const) {
        const refused = await node[endpoint](bySecret(it, form))
        assert.ok(refused.kind === 'error' && refused.error.reason === 'client_unfit', JSON.stringify(refused))
        assert.match(refused.error.problem, /fapi2-security of the tenant demands/)
      }
    const person = { ...new PersonAtBrowser(other).visitor(), tenant: bank }
    const asked = authorizeQuery({ client_id: 'spa', scope: 'openid', resource: '' })
    const shown = await other.browser.authorize(asked, person)
    assert.ok(shown.kind === 'error' && shown.error.reason === 'client_unfit', JSON.stringify(shown))
    const spa = await it.authority.admin.clients.find(bank, 'spa')
    assert.ok(spa.kind === 'ok')
    const named = await it.authority.admin.clients.problems(spa.value)
    assert.ok(
      named.kind === 'ok' && named.value.some(({ problem }) => problem.includes('fapi2-security of the tenant')),
    )

    await declare(it, tenant({ profile: 'none' }))
    for (const node of [it.authority, other]) {
      const again = await node.token(bySecret(it, credentials))
      assert.ok(again.kind === 'ok', JSON.stringify(again))
    }
  })

  test(`${database}: a client that fits is held to what it left open, also where it was declared before the profile`, async () => {
    const it = await openDeployment(database)
    const silent = { ...service, token_endpoint_auth_method: 'private_key_jwt' }
    await declare(it, tenant({ clients: [silent] }))
    const plain = await it.authority.token(proven(it, credentials, {}))
    assert.ok(plain.kind === 'ok' && plain.value['token_type'] === 'Bearer', JSON.stringify(plain))
    await declare(it, tenant({ profile: 'fapi2-security' }))
    const unbound = await it.authority.token(proven(it, credentials, {}))
    assert.ok(unbound.kind === 'error' && unbound.error.reason === 'proof_missing', JSON.stringify(unbound))
    const bound = await it.authority.token(proven(it, credentials, { proof: bankProof(it) }))
    assert.ok(bound.kind === 'ok' && bound.value['token_type'] === 'DPoP', JSON.stringify(bound))
    const stale = await it.node().token(proven(it, credentials, { proof: bankProof(it) }))
    assert.equal(stale.kind, 'ok')

    await declare(it, tenant({ profile: 'fapi2-message-signing', clients: [{ ...shop, profile: 'fapi2-security' }] }))
    const push = { response_type: 'code', redirect_uri: redirectUri, scope: 'openid' }
    const unsigned = await it.authority.pushedAuthorization(proven(it, push, { as: 'web' }))
    assert.ok(unsigned.kind === 'error' && unsigned.error.reason === 'request_object_missing', JSON.stringify(unsigned))
  })

  test(`${database}: metadata say what the profile of each tenant leaves, and a file that was exported says the profile`, async () => {
    const it = await openDeployment(database)
    await declare(it, {
      profile: 'fapi2-security',
      tenants: [{ id: 'bank', profile: 'fapi2-message-signing' }, { id: 'plain' }],
    })
    const algs = new Set(['ES256', 'PS256', 'EdDSA', 'Ed25519'])
    const told = async (of: TenantId) => {
      const metadata = await it.authority.metadata(of)
      assert.ok(metadata.kind === 'ok')
      return metadata.value
    }
    for (const id of [root, bank]) {
      const metadata = await told(id)
      assert.deepEqual(metadata['token_endpoint_auth_methods_supported'], [
        'private_key_jwt',
        'tls_client_auth',
        'self_signed_tls_client_auth',
      ])
      assert.equal(metadata['require_pushed_authorization_requests'], true)
      for (const [name, value] of Object.entries(metadata))
        if (name.endsWith('_alg_values_supported'))
          for (const alg of value as string[]) assert.ok(algs.has(alg), `${name} offers ${alg}`)
    }
    assert.deepEqual((await told(bank))['response_modes_supported'], ['jwt', 'query.jwt', 'form_post.jwt'])
    assert.equal((await told(bank))['require_signed_request_object'], true)
    assert.deepEqual(((await told(root))['response_modes_supported'] as string[]).includes('query'), true)
    const plain = await told('plain' as TenantId)
    assert.equal(plain['require_pushed_authorization_requests'], false)
    assert.ok((plain['token_endpoint_auth_methods_supported'] as string[]).includes('none'))
    assert.ok((plain['dpop_signing_alg_values_supported'] as string[]).includes('RS256'))

    const exported = await it.authority.admin.declared.export()
    assert.ok(exported.kind === 'ok')
    assert.equal(exported.value.profile, 'fapi2-security')
    assert.deepEqual(
      exported.value.tenants?.map(({ id, profile = null }) => [id, profile]),
      [
        ['bank', 'fapi2-message-signing'],
        ['plain', null],
      ],
    )
    const again = await it.authority.admin.declared.plan(exported.value)
    assert.ok(again.kind === 'ok' && again.value.steps.length === 0, JSON.stringify(again))
  })

  test(`${database}: a profile that this program does not know is the strictest that it knows`, async () => {
    const it = await openDeployment(database)
    await declare(it, tenant({ profile: 'fapi2-security' }))
    await it.tamper(`update tenants set profile = 'fapi9' where id = 'bank'`)
    const metadata = await it.node().metadata(bank)
    assert.ok(
      metadata.kind === 'ok' && metadata.value['require_signed_request_object'] === true,
      JSON.stringify(metadata),
    )
    assert.ok(it.store.unreadable.list().some(({ kind, id }) => kind === 'tenant' && id === 'bank'))
  })

  test(`${database}: FAPI 2.0 §5.4.1: a proof by another algorithm than the profile's is refused, and uses nothing up`, async () => {
    const it = await openDeployment(database)
    await declare(it, tenant({ profile: 'fapi2-security', clients: [service] }))
    const holder = new KeyHolder()
    const request = proven(it, credentials, {
      proof: holder.odd(it.clock, { alg: 'RS256' }, { htu: `${issuer}/token` }),
    })
    const refused = await it.authority.token(request)
    assert.ok(refused.kind === 'error' && refused.error.reason === 'proof_invalid', JSON.stringify(refused))
    const mended = await it.authority.token({ ...request, proof: bankProof(it) })
    assert.ok(mended.kind === 'ok', JSON.stringify(mended))
  })
}
