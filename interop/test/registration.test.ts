/** Clients that register themselves: `oauth4webapi`, `openid-client` and the suite's dynamic modules, all unmodified. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as oauth from 'oauth4webapi'
import * as rp from 'openid-client'
import { ScriptedPerson } from '../person.ts'
import { temporaryFolder } from '../server.ts'
import { dynamicPlanFor } from '../suite/certification.ts'
import { callback, type Client, openDeployment } from '../suite/deployment.ts'
import { openReceiver } from '../suite/receiver.ts'
import { configure } from '../suite/relying-party.ts'

const stack = new AsyncDisposableStack()
after(() => stack.disposeAsync())
const receiver = stack.use(await openReceiver())
const folder = stack.use(temporaryFolder())
const deployment = stack.use(
  await openDeployment({
    people: 20,
    env: {
      // The certification plans send no code challenge.
      GRANTOR_PKCE: 'public_clients',
      GRANTOR_OUTBOUND_ALLOW: 'localhost',
      GRANTOR_OUTBOUND_CA: folder.write('receiver.pem', receiver.ca),
      GRANTOR_LIMIT_REGISTRATION: 'off',
    },
  }),
)
const issuer = new URL(deployment.origin)
const by = { [oauth.customFetch]: deployment.fetch }
const redirectUri = 'https://client.example/cb'

test('RFC 7591: oauth4webapi registers a client and goes the whole way with it', async () => {
  const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, by))
  const options = { redirect_uris: [redirectUri], grant_types: ['authorization_code', 'refresh_token'] }
  const answer = await oauth.dynamicClientRegistrationRequest(as, options, by)
  const client = await oauth.processDynamicClientRegistrationResponse(answer)
  const auth = oauth.ClientSecretBasic(client['client_secret'] as string)
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const address = new URL(as.authorization_endpoint ?? '')
  address.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid offline_access',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  }).toString()
  const back = await new ScriptedPerson(deployment.fetch, deployment.somebody()).follow(address)
  const params = oauth.validateAuthResponse(as, client, back, state)
  const response = await oauth.authorizationCodeGrantRequest(as, client, auth, params, redirectUri, verifier, by)
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, response, { requireIdToken: true })
  const again = await oauth.refreshTokenGrantRequest(as, client, auth, tokens.refresh_token ?? '', by)
  assert.ok((await oauth.processRefreshTokenResponse(as, client, again)).access_token)
})

test('RFC 7591 §3.2.2: oauth4webapi reads our refusals as errors of registration', async () => {
  const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, by))
  const refused = await oauth.dynamicClientRegistrationRequest(as, { redirect_uris: ['javascript:alert(1)'] }, by)
  await assert.rejects(oauth.processDynamicClientRegistrationResponse(refused), (error) => {
    assert.ok(error instanceof oauth.ResponseBodyError)
    assert.deepEqual([error.status, error.error], [400, 'invalid_redirect_uri'])
    return true
  })
})

test('OIDC Registration §3: openid-client registers a client, and it manages its registration (RFC 7592)', async () => {
  const options = { [rp.customFetch]: deployment.fetch }
  const requested = {
    redirect_uris: [redirectUri],
    client_name: 'Registered',
    token_endpoint_auth_method: 'client_secret_post',
  }
  const config = await rp.dynamicClientRegistration(issuer, requested, undefined, options)
  const { client_id: id, client_secret: secret } = config.clientMetadata()
  const verifier = rp.randomPKCECodeVerifier()
  const address = rp.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid email',
    code_challenge: await rp.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const back = await new ScriptedPerson(deployment.fetch, deployment.somebody()).follow(address)
  const tokens = await rp.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, idTokenExpected: true })
  assert.equal(tokens.claims()?.aud, id)

  const metadata = config.clientMetadata() as unknown as Readonly<Record<string, string>>
  const registrationUri = metadata['registration_client_uri'] ?? ''
  const headers = {
    authorization: `Bearer ${metadata['registration_access_token']}`,
    'content-type': 'application/json',
  }
  const read = await deployment.fetch(registrationUri, { headers })
  assert.equal(((await read.json()) as { client_name: string }).client_name, 'Registered')
  const body = JSON.stringify({ ...requested, client_id: id, client_secret: secret, client_name: 'Renamed' })
  const replaced = await deployment.fetch(registrationUri, { method: 'PUT', headers, body })
  assert.equal(((await replaced.json()) as { client_name: string }).client_name, 'Renamed')
  assert.equal((await deployment.fetch(registrationUri, { method: 'DELETE', headers })).status, 204)
  assert.equal((await deployment.fetch(registrationUri, { headers })).status, 401)
})

/** As the suite registers in every module of its dynamic variant. */
async function registered(more: object = {}, mode: Client['by'] = 'client_secret_basic'): Promise<Client> {
  const response = await deployment.fetch(`${deployment.origin}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      client_name: 'The suite',
      redirect_uris: [callback],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: mode,
      contacts: ['certification@oidf.org'],
      ...more,
    }),
  })
  const body = (await response.json()) as Readonly<Record<string, unknown>>
  assert.equal(response.status, 201, JSON.stringify(body))
  assert.match(String(response.headers.get('cache-control')), /no-store/)
  assert.ok(Number.isInteger(body['client_id_issued_at']))
  assert.equal(body['client_secret_expires_at'], 0)
  return { id: String(body['client_id']), secret: String(body['client_secret']), by: mode }
}

test('oidcc-server, oidcc-server-client-secret-post: a client that the suite registered signs somebody in', async () => {
  for (const mode of ['client_secret_basic', 'client_secret_post'] as const) {
    const party = await configure({ deployment, client: await registered({}, mode) })
    const { asked } = await party.flow({ scope: 'openid profile email' })
    assert.deepEqual(asked, ['login', 'consent'])
    // Remembered consent also counts for prompt=none, for dynamic clients too.
    assert.deepEqual((await party.flow({ prompt: 'none', scope: 'openid profile email' })).asked, [])
  }
})

test('oidcc-refresh-token: a client that the suite registered refreshes', async () => {
  const party = await configure({ deployment, client: await registered() })
  const { refreshToken } = await party.flow({ scope: 'openid offline_access', prompt: 'consent' })
  const answer = await party.post({ grant_type: 'refresh_token', refresh_token: refreshToken ?? '' })
  assert.equal(answer.status, 200)
})

test('oidcc-registration-logo-uri, -policy-uri, -tos-uri, -jwks-uri: what is registered is shown, and does no harm', async () => {
  receiver.documents.set('/jwks', { keys: [] })
  const client = await registered({
    logo_uri: `${receiver.origin}/logo.png`,
    policy_uri: 'https://client.example/policy',
    tos_uri: 'https://client.example/terms',
    jwks_uri: `${receiver.origin}/jwks`,
  })
  const party = await configure({ deployment, client })
  assert.deepEqual((await party.flow()).asked, ['login', 'consent'])
})

test('oidcc-registration-sector-uri, -sector-bad: a sector is fetched, and holds all redirect URIs or none', async () => {
  receiver.documents.set('/sector', [callback])
  receiver.documents.set('/bad-sector', ['https://elsewhere.example/cb'])
  const sector = (path: string) => ({ subject_type: 'pairwise', sector_identifier_uri: `${receiver.origin}${path}` })
  const [one, two] = [await registered(sector('/sector')), await registered(sector('/sector'))]
  const party = await configure({ deployment, client: one })
  const [first, second] = [await party.flow(), await party.at(two).flow()]
  assert.equal(first.claims.sub, second.claims.sub)
  for (const path of ['/bad-sector', '/nothing'])
    await assert.rejects(registered(sector(path)), /invalid_client_metadata/)
})

test('Client ID Metadata Document: a document at a real server is fetched by the real fetcher, and signs somebody in', async () => {
  const id = `${receiver.origin}/client.json`
  receiver.documents.set('/client.json', {
    client_id: id,
    client_name: 'Agent',
    redirect_uris: ['http://127.0.0.1/cb'],
  })
  const config = await rp.discovery(issuer, id, undefined, rp.None(), { [rp.customFetch]: deployment.fetch })
  assert.equal(config.serverMetadata()['client_id_metadata_document_supported'], true)
  const verifier = rp.randomPKCECodeVerifier()
  const address = rp.buildAuthorizationUrl(config, {
    redirect_uri: 'http://127.0.0.1:49152/cb',
    scope: 'openid',
    code_challenge: await rp.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const back = await new ScriptedPerson(deployment.fetch, deployment.somebody()).follow(address)
  const tokens = await rp.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, idTokenExpected: true })
  assert.equal(tokens.claims()?.aud, id)
})

test('the plan of the dynamic variant brings no client of its own, and the same steps of the browser', () => {
  const plan = dynamicPlanFor({ issuer: deployment.origin, suite: 'https://suite.example' })
  assert.doesNotMatch(JSON.stringify(plan), /client_secret|"client_id"/)
  assert.ok(plan.browser.length > 0)
})
