/** `openid-client` and `oauth4webapi`, unmodified, over mutual TLS: every flow at the addresses of `mtls_endpoint_aliases`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { Agent, fetch as undiciFetch } from 'undici'
import { type Certificate, jwkOf, newCertificate, thumbprintOf } from '../certificates.ts'
import { alice, api, type Deployment, deployments, redirectUri } from '../deployments.ts'
import { ScriptedPerson } from '../person.ts'
import { temporaryFolder } from '../server.ts'

const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
const cibaGrant = 'urn:openid:params:grant-type:ciba'
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const accessToken = 'urn:ietf:params:oauth:token-type:access_token'
const scope = 'openid offline_access invoices:read'

const authority = await newCertificate({ name: 'Clients', authority: true })
const bank = await newCertificate({ name: 'bank', signer: authority })
const own = await newCertificate({ name: 'own' })
const stranger = await newCertificate({ name: 'stranger', signer: authority })

const certified = (id: string, more: object) => ({
  client_id: id,
  grant_types: ['authorization_code', 'refresh_token', 'client_credentials', deviceGrant, cibaGrant, exchangeGrant],
  backchannel_token_delivery_mode: 'poll',
  response_types: ['code'],
  redirect_uris: [redirectUri],
  scope: `${scope} invoices:write`,
  tls_client_certificate_bound_access_tokens: true,
  exchange: [{ audience: api, scopes: ['invoices:read'], as: 'delegate' }],
  ...more,
})

const seed = {
  clients: [
    certified('bank', { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: 'CN=bank' }),
    certified('own', { token_endpoint_auth_method: 'self_signed_tls_client_auth', jwks: { keys: [await jwkOf(own)] } }),
  ],
}

type Open = (typeof deployments)[number]['open']

/** A deployment that trusts the authority, and a fetch that shows a certificate and remembers where it went. */
async function deploy(open: Open) {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const ca = folder.write('clients.pem', authority.cert)
  const env = { GRANTOR_MTLS_CLIENT_CA: ca, GRANTOR_DEVICE_INTERVAL: '1s', GRANTOR_BACKCHANNEL_INTERVAL: '1s' }
  const deployment = stack.use(await open(env, seed))
  const asked = new Set<string>()
  const owned = stack.move()
  const showing = (certificate: Certificate): Deployment['fetch'] => {
    const { cert, key } = certificate
    const connect = { ca: deployment.server.ca ?? '', cert, key }
    const agent = owned.adopt(new Agent({ connect }), (one) => one.close())
    return (url, init) => {
      const { origin, pathname } = new URL(url)
      if (!pathname.startsWith('/.well-known/') && pathname !== '/jwks') asked.add(`${origin}${pathname}`)
      return undiciFetch(url, { ...init, dispatcher: agent })
    }
  }
  return { deployment, showing, asked, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/** All of them at the alias, none at the issuer itself. */
function assertAtAliases(asked: ReadonlySet<string>, aliases: object | undefined): void {
  const known = new Set(Object.values(aliases ?? {}) as string[])
  const reached = [...asked].toSorted()
  assert.deepEqual(
    reached.filter((url) => !known.has(url)),
    [],
  )
  assert.deepEqual(
    reached.map((url) => new URL(url).pathname),
    ['/backchannel_authentication', '/device_authorization', '/introspect', '/par', '/revoke', '/token', '/userinfo'],
  )
}

for (const { on, open } of deployments) {
  test(`RFC 8705 §5: openid-client on ${on} does every flow by tls_client_auth, at the aliases`, async () => {
    await using it = await deploy(open)
    const { issuer, fetch } = it.deployment
    const told = { use_mtls_endpoint_aliases: true }
    const configured = (certificate: Certificate) =>
      client.discovery(issuer, 'bank', told, client.TlsClientAuth(), {
        [client.customFetch]: it.showing(certificate),
      })
    const config = await configured(bank)
    const cnf = { 'x5t#S256': thumbprintOf(bank) }
    const verifier = client.randomPKCECodeVerifier()
    const state = client.randomState()
    const address = await client.buildAuthorizationUrlWithPAR(config, {
      redirect_uri: redirectUri,
      scope,
      state,
      resource: api,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const answer = await new ScriptedPerson(fetch, alice).follow(address)
    const checks = { expectedState: state, pkceCodeVerifier: verifier }
    const wrong = await configured(stranger)
    await assert.rejects(client.authorizationCodeGrant(wrong, answer, checks), { error: 'invalid_client' })
    const tokens = await client.authorizationCodeGrant(config, answer, checks)
    const sub = tokens.claims()?.sub ?? ''
    const seen = await client.tokenIntrospection(config, tokens.access_token)
    assert.deepEqual([seen.active, seen['cnf']], [true, cnf])
    assert.equal((await client.fetchUserInfo(config, tokens.access_token, sub)).sub, sub)
    await assert.rejects(client.fetchUserInfo(wrong, tokens.access_token, sub))
    const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    assert.deepEqual((await client.tokenIntrospection(config, refreshed.access_token))['cnf'], cnf)

    const exchanged = await client.genericGrantRequest(config, exchangeGrant, {
      subject_token: refreshed.access_token,
      subject_token_type: accessToken,
      audience: api,
      scope: 'invoices:read',
    })
    const handed = await client.tokenIntrospection(config, exchanged.access_token)
    assert.deepEqual([handed.active, handed.scope, handed['cnf']], [true, 'invoices:read', cnf])
    await client.tokenRevocation(config, refreshed.refresh_token ?? '')
    for (const dead of [refreshed, exchanged])
      assert.deepEqual(await client.tokenIntrospection(config, dead.access_token), { active: false })

    const service = await client.clientCredentialsGrant(config, { scope: 'invoices:write' })
    assert.deepEqual((await client.tokenIntrospection(config, service.access_token))['cnf'], cnf)
    const device = await client.initiateDeviceAuthorization(config, { scope })
    const polling = client.pollDeviceAuthorizationGrant(config, device)
    assert.equal(await new ScriptedPerson(fetch, alice).answerDevice(device, 'allow'), 'approved')
    assert.deepEqual((await client.tokenIntrospection(config, (await polling).access_token))['cnf'], cnf)
    const asking = { scope: 'openid invoices:read', login_hint: 'alice' }
    const request = await client.initiateBackchannelAuthentication(config, asking)
    assert.equal(await new ScriptedPerson(fetch, alice).answerRequest(issuer, 'allow'), 'approved')
    await assert.rejects(client.pollBackchannelAuthenticationGrant(wrong, request), { error: 'invalid_client' })
    const allowed = await client.pollBackchannelAuthenticationGrant(config, request)
    assert.deepEqual((await client.tokenIntrospection(config, allowed.access_token))['cnf'], cnf)
    assertAtAliases(it.asked, config.serverMetadata().mtls_endpoint_aliases)
  })

  test(`RFC 8705 §5: oauth4webapi on ${on} does every flow by self_signed_tls_client_auth, at the aliases`, async () => {
    await using it = await deploy(open)
    const { issuer, fetch } = it.deployment
    const by = { [oauth.customFetch]: it.showing(own) }
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, by))
    const self: oauth.Client = { client_id: 'own', use_mtls_endpoint_aliases: true }
    const auth = oauth.TlsClientAuth()
    const cnf = { 'x5t#S256': thumbprintOf(own) }
    const introspected = async (token: string) =>
      oauth.processIntrospectionResponse(as, self, await oauth.introspectionRequest(as, self, auth, token, by))

    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const asked = new URLSearchParams({
      client_id: 'own',
      redirect_uri: redirectUri,
      response_type: 'code',
      scope,
      state,
      resource: api,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const pushed = await oauth.pushedAuthorizationRequest(as, self, auth, asked, by)
    const { request_uri: requestUri } = await oauth.processPushedAuthorizationResponse(as, self, pushed)
    const address = new URL(as.authorization_endpoint ?? '')
    address.search = new URLSearchParams({ client_id: 'own', request_uri: requestUri }).toString()
    const person = new ScriptedPerson(fetch, alice)
    const params = oauth.validateAuthResponse(as, self, await person.follow(address), state)
    const redeem = async (certificate: Certificate) => {
      const how = { [oauth.customFetch]: it.showing(certificate) }
      const answer = await oauth.authorizationCodeGrantRequest(as, self, auth, params, redirectUri, verifier, how)
      return oauth.processAuthorizationCodeResponse(as, self, answer)
    }
    await assert.rejects(redeem(stranger), { error: 'invalid_client' })
    const tokens = await redeem(own)
    assert.deepEqual((await introspected(tokens.access_token))['cnf'], cnf)
    const { sub } = oauth.getValidatedIdTokenClaims(tokens) ?? { sub: '' }
    const info = await oauth.userInfoRequest(as, self, tokens.access_token, by)
    assert.equal((await oauth.processUserInfoResponse(as, self, sub, info)).sub, sub)
    const answer = await oauth.refreshTokenGrantRequest(as, self, auth, tokens.refresh_token ?? '', by)
    const refreshed = await oauth.processRefreshTokenResponse(as, self, answer)
    const exchange = { subject_token: refreshed.access_token, subject_token_type: accessToken, audience: api }
    const traded = await oauth.genericTokenEndpointRequest(as, self, auth, exchangeGrant, exchange, by)
    const exchanged = await oauth.processGenericTokenEndpointResponse(as, self, traded)
    assert.deepEqual((await introspected(exchanged.access_token))['cnf'], cnf)
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(as, self, auth, refreshed.refresh_token ?? '', by),
    )
    assert.equal((await introspected(exchanged.access_token)).active, false)

    const form = new URLSearchParams({ scope: 'invoices:write' })
    const service = await oauth.clientCredentialsGrantRequest(as, self, auth, form, by)
    const { access_token: token } = await oauth.processClientCredentialsResponse(as, self, service)
    assert.deepEqual((await introspected(token))['cnf'], cnf)
    const waiting = await oauth.processDeviceAuthorizationResponse(
      as,
      self,
      await oauth.deviceAuthorizationRequest(as, self, auth, new URLSearchParams({ scope }), by),
    )
    assert.equal(await person.answerDevice(waiting, 'allow'), 'approved')
    const polled = await oauth.deviceCodeGrantRequest(as, self, auth, waiting.device_code, by)
    const signedIn = await oauth.processDeviceCodeResponse(as, self, polled)
    assert.deepEqual((await introspected(signedIn.access_token))['cnf'], cnf)
    const asking = new URLSearchParams({ scope: 'openid invoices:read', login_hint: 'alice' })
    const request = await oauth.processBackchannelAuthenticationResponse(
      as,
      self,
      await oauth.backchannelAuthenticationRequest(as, self, auth, asking, by),
    )
    assert.equal(await person.answerRequest(issuer, 'allow'), 'approved')
    const fetched = await oauth.backchannelAuthenticationGrantRequest(as, self, auth, request.auth_req_id, by)
    const allowed = await oauth.processBackchannelAuthenticationGrantResponse(as, self, fetched)
    assert.deepEqual((await introspected(allowed.access_token))['cnf'], cnf)
    assertAtAliases(it.asked, as.mtls_endpoint_aliases)
  })
}
