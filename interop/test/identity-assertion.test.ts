/** `openid-client` and `oauth4webapi`, unmodified: a workload without a secret, and a person who is vouched for from one Grantor to another. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { Agent, fetch as undiciFetch } from 'undici'
import { temporaryDatabase } from '../database.ts'
import { api, redirectUri, secret } from '../deployments.ts'
import { ScriptedPerson } from '../person.ts'
import { runCommand, type Server, startServer, temporaryFolder } from '../server.ts'

const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
const bearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const type = (name: string) => `urn:ietf:params:oauth:token-type:${name}`
const alice = { username: 'alice', password: 'correct-horse', email: 'alice@acme.example', email_verified: true }
const workloads = 'https://token.workloads.example'

const catalogue = {
  resources: [{ identifier: api, name: 'Invoices' }],
  scopes: [
    { name: 'invoices:read', description: 'See invoices', resource: api },
    { name: 'invoices:write', description: 'Change invoices', resource: api },
  ],
}

const wiki = (exchange: readonly object[]) => ({
  client_id: 'wiki',
  client_secret: secret('wiki'),
  grant_types: ['authorization_code', 'refresh_token', exchangeGrant],
  response_types: ['code'],
  redirect_uris: [redirectUri],
  scope: 'openid email offline_access invoices:read',
  exchange,
})

type Fetch = (url: string, init?: object) => Promise<Response>

function trusting({ ca }: Server, stack: AsyncDisposableStack): Fetch {
  const agent = stack.adopt(new Agent({ connect: { ca: ca ?? '' } }), (one) => one.close())
  return (url, init) => undiciFetch(url, { ...init, dispatcher: agent })
}

/** With types of tokens that are no access tokens, which a caller has to name. */
async function granted(
  { server, fetch, id }: { readonly server: Server; readonly fetch: Fetch; readonly id: string },
  grantType: string,
  form: Record<string, string>,
): Promise<oauth.TokenEndpointResponse> {
  const how = { [oauth.customFetch]: fetch }
  const issuer = new URL(server.issuer)
  const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, how))
  assert.ok(as.grant_types_supported?.includes(grantType))
  const self = { client_id: id }
  const auth = oauth.ClientSecretBasic(secret(id))
  const answer = await oauth.genericTokenEndpointRequest(as, self, auth, grantType, form, how)
  const recognizedTokenTypes = { n_a: () => {} }
  return oauth.processGenericTokenEndpointResponse(as, self, answer, { recognizedTokenTypes })
}

for (const on of ['SQLite', 'PostgreSQL'])
  test(`draft-ietf-oauth-identity-assertion-authz-grant §4 on ${on}: who signed in at one Grantor is known at another, by unmodified clients`, async () => {
    await using stack = new AsyncDisposableStack()
    const home = stack.use(temporaryFolder())
    const idp = stack.use(
      await startServer({
        data: home.path,
        seed: home.write('seed.json', { ...catalogue, users: [alice], clients: [wiki([])] }),
        env: { GRANTOR_LOG: 'warn' },
      }),
    )
    const away = stack.use(temporaryFolder())
    const there = {
      ...catalogue,
      users: [alice],
      clients: [
        {
          client_id: 'wiki-there',
          client_secret: secret('wiki-there'),
          grant_types: [bearerGrant],
          scope: 'invoices:read',
        },
      ],
      trusted_issuers: [{ issuer: idp.issuer, people: { email_domains: ['acme.example'] } }],
    }
    const database = on === 'SQLite' ? null : stack.use(await temporaryDatabase())
    const stored: Readonly<Record<string, string>> =
      database === null
        ? {}
        : {
            ...database.settings,
            GRANTOR_MASTER_KEY: 'a-master-key-for-interop-tests-0123456789',
          }
    const ras = stack.use(
      await startServer({
        data: away.path,
        seed: away.write('seed.json', there),
        env: {
          GRANTOR_LOG: 'warn',
          GRANTOR_OUTBOUND_ALLOW: new URL(idp.issuer).host,
          GRANTOR_OUTBOUND_CA: join(home.path, 'tls', 'ca.pem'),
          ...stored,
        },
      }),
    )
    const row = {
      audience: ras.issuer,
      scopes: ['invoices:read', 'invoices:write'],
      as: 'impersonate',
      client_id: 'wiki-there',
    }
    const file = home.write('policy.json', { clients: [wiki([row])] })
    const applied = await runCommand(['apply', file], { data: home.path })
    assert.equal(applied.code, 0, applied.stderr)

    const fetch = trusting(idp, stack)
    const config = await client.discovery(
      new URL(idp.issuer),
      'wiki',
      undefined,
      client.ClientSecretBasic(secret('wiki')),
      { [client.customFetch]: fetch },
    )
    const [verifier, nonce] = [client.randomPKCECodeVerifier(), client.randomNonce()]
    const address = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: 'openid email offline_access',
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const answer = await new ScriptedPerson(fetch, alice).follow(address)
    const tokens = await client.authorizationCodeGrant(config, answer, {
      pkceCodeVerifier: verifier,
      expectedNonce: nonce,
    })

    const at = { server: idp, fetch, id: 'wiki' }
    const subjects = [
      { subject_token: tokens.id_token ?? '', subject_token_type: type('id_token') },
      { subject_token: tokens.refresh_token ?? '', subject_token_type: type('refresh_token') },
    ]
    for (const subject of subjects) {
      const jag = await granted(at, exchangeGrant, {
        requested_token_type: type('id-jag'),
        audience: ras.issuer,
        resource: api,
        scope: 'invoices:read',
        ...subject,
      })
      assert.equal(jag['issued_token_type'], type('id-jag'))
      const other = { server: ras, fetch: trusting(ras, stack), id: 'wiki-there' }
      const access = await granted(other, bearerGrant, { assertion: jag.access_token })
      assert.deepEqual([access.token_type, access.scope, access.refresh_token], ['bearer', 'invoices:read', undefined])
      await assert.rejects(granted(other, bearerGrant, { assertion: jag.access_token }), { error: 'invalid_grant' })
    }
  })

test('RFC 7523 §2: a workload without a secret gets tokens by openid-client, as a grant and as a client assertion', async () => {
  await using stack = new AsyncDisposableStack()
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'w1', alg: 'RS256', use: 'sig' }
  const folder = stack.use(temporaryFolder())
  const builder = {
    client_id: 'builder',
    token_endpoint_auth_method: 'federated_jwt',
    grant_types: [bearerGrant, 'client_credentials'],
    scope: 'invoices:read',
  }
  const trusted = {
    issuer: workloads,
    audience: 'https://auth.example',
    jwks: { keys: [jwk] },
    rules: [{ claims: { sub: 'repo:acme/shop:*' }, client: 'builder' }],
  }
  const seed = folder.write('seed.json', { ...catalogue, clients: [builder], trusted_issuers: [trusted] })
  const server = stack.use(await startServer({ data: folder.path, seed, env: { GRANTOR_LOG: 'warn' } }))
  const fetch = trusting(server, stack)
  const signed = (audience: string) =>
    new SignJWT({})
      .setProtectedHeader({ alg: 'RS256', kid: 'w1', typ: 'JWT' })
      .setIssuer(workloads)
      .setSubject('repo:acme/shop:ref:refs/heads/main')
      .setAudience(audience)
      .setJti(crypto.randomUUID())
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
  const assertion = await signed('https://auth.example')
  const configured = (auth: client.ClientAuth) =>
    client.discovery(new URL(server.issuer), 'builder', undefined, auth, { [client.customFetch]: fetch })

  const config = await configured(client.None())
  assert.ok(config.serverMetadata().token_endpoint_auth_methods_supported?.includes('federated_jwt'))
  const first = await client.genericGrantRequest(config, bearerGrant, { assertion, scope: 'invoices:read' })
  assert.deepEqual([first.token_type, first.scope, first.refresh_token], ['bearer', 'invoices:read', undefined])
  await assert.rejects(client.genericGrantRequest(config, bearerGrant, { assertion }), { error: 'invalid_grant' })

  const proof = await signed('https://auth.example')
  const byProof = await configured((_server, { client_id: id }, body) => {
    body.set('client_id', id)
    body.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer')
    body.set('client_assertion', proof)
  })
  const second = await client.clientCredentialsGrant(byProof, { scope: 'invoices:read' })
  assert.equal(second.scope, 'invoices:read')
  await assert.rejects(client.clientCredentialsGrant(byProof), { error: 'invalid_client' })
  const other = await signed('https://somewhere.example')
  await assert.rejects(client.genericGrantRequest(config, bearerGrant, { assertion: other }), {
    error: 'invalid_grant',
  })
})
