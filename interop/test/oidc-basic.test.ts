/**
 * The modules of the OpenID Foundation's Basic and Form Post (basic) certification plans, one test each and plan, as far as
 * their published sources tell what they check. docs/conformance.md says what this is not.
 */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { decodeJwt, decodeProtectedHeader, UnsecuredJWT } from 'jose'
import { callback, claims, type Deployment, openDeployment, posting, second } from '../suite/deployment.ts'
import { textOf } from '../suite/html.ts'
import { configure, type Mode, type Parameters, type RelyingParty, type Tokens } from '../suite/relying-party.ts'

interface Plan {
  readonly name: string
  readonly mode: Mode
  readonly deployment: Deployment
}

/** Each plan on a database of its own kind: what one of them got wrong would show in either. */
const plans: readonly Plan[] = [
  { name: 'oidcc-basic-certification-test-plan', mode: 'query', deployment: await openDeployment({ people: 40 }) },
  {
    name: 'oidcc-formpost-basic-certification-test-plan',
    mode: 'form_post',
    deployment: await openDeployment({ people: 40, on: 'PostgreSQL' }),
  },
]
after(() => Promise.all(plans.map(({ deployment }) => deployment[Symbol.asyncDispose]())))

function module(name: string, run: (party: RelyingParty) => Promise<void>): void {
  for (const { name: plan, deployment, mode } of plans) {
    test(`${name} (${plan})`, async () => run(await configure({ deployment, mode })))
  }
}

/** A module that sends one parameter more and wants nothing but success. */
const succeedsWith = (name: string, more: Parameters): void =>
  module(name, async (party) => void (await party.flow(more)))

/** OIDC Core §5.4: what /userinfo must tell for a scope. */
const claimsOf: Readonly<Record<string, readonly string[]>> = {
  profile: [
    'name',
    'given_name',
    'family_name',
    'middle_name',
    'nickname',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at',
    'preferred_username',
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
}

const scopeModule = (name: string, scope: string): void =>
  module(name, async (party) => {
    const { accessToken, claims: idToken, scope: granted } = await party.flow({ scope })
    assert.deepEqual(new Set(granted.split(' ')), new Set(scope.split(' ')))
    const { status, headers, body } = await party.userinfo(accessToken)
    assert.equal(status, 200)
    assert.match(headers.get('content-type') ?? '', /^application\/json\b/)
    const expected = scope.split(' ').flatMap((it) => claimsOf[it] ?? [])
    assert.deepEqual(Object.keys(body).toSorted(), [...expected, 'sub'].toSorted())
    assert.equal(body['sub'], idToken.sub)
    for (const [claim, value] of Object.entries(claims))
      if (expected.includes(claim)) assert.deepEqual(body[claim], value)
    // Scopes ask for claims of /userinfo; the ID token of the code flow is not the place (§5.4).
    for (const claim of expected) assert.equal(idToken[claim], undefined)
  })

const ownClaims = ['acr', 'amr', 'at_hash', 'aud', 'auth_time', 'exp', 'iat', 'iss', 'jti', 'nonce', 'sid', 'sub']

module('oidcc-server', async (party) => {
  const { claims: idToken, code, asked, refreshToken } = await party.flow()
  assert.ok(code.length >= 22)
  assert.deepEqual(asked, ['login', 'consent'])
  assert.deepEqual(Object.keys(idToken).toSorted(), ownClaims, 'nothing of ours is in an ID token')
  assert.equal(refreshToken, null, 'without offline_access there is none')
})

module('oidcc-response-type-missing', async (party) => {
  const request = party.request({ response_type: undefined })
  assert.equal(party.refused(await party.visit(request), request), 'invalid_request')
})

module('oidcc-idtoken-signature', async (party) => {
  const header = decodeProtectedHeader((await party.flow()).idToken)
  assert.deepEqual(Object.keys(header).toSorted(), ['alg', 'kid', 'typ'])
  assert.equal(header.alg, 'RS256')
})

// The suite skips it where `none` is not offered.
module('oidcc-idtoken-unsigned', async ({ server }) => {
  assert.ok(algorithmsOf(server).includes('RS256') && !algorithmsOf(server).includes('none'))
})

const algorithmsOf = (server: Readonly<Record<string, unknown>>): readonly unknown[] =>
  Object.entries(server).flatMap(([name, value]) =>
    name.includes('_alg_values_') && Array.isArray(value) ? (value as unknown[]) : [],
  )

for (const how of ['get', 'post-header', 'post-body'] as const) {
  module(`oidcc-userinfo-${how}`, async (party) => {
    const { accessToken, claims: idToken } = await party.flow()
    const { status, headers, body } = await party.userinfo(accessToken, how)
    assert.equal(status, 200)
    assert.match(headers.get('content-type') ?? '', /^application\/json\b/)
    assert.deepEqual(body, { sub: idToken.sub })
  })
}

succeedsWith('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', { nonce: undefined })

scopeModule('oidcc-scope-profile', 'openid profile')
scopeModule('oidcc-scope-email', 'openid email')
scopeModule('oidcc-scope-address', 'openid address')
scopeModule('oidcc-scope-phone', 'openid phone')
scopeModule('oidcc-scope-all', 'openid profile email address phone')
scopeModule('oidcc-ensure-other-scope-order-succeeds', 'email openid')

succeedsWith('oidcc-display-page', { display: 'page' })
succeedsWith('oidcc-display-popup', { display: 'popup' })

const authTime = ({ claims: idToken }: Tokens): number => Number(idToken['auth_time'])

module('oidcc-prompt-login', async (party) => {
  const before = await party.flow()
  await party.context.deployment.pass(1)
  const again = await party.flow({ prompt: 'login' })
  assert.deepEqual(again.asked, ['login'])
  assert.ok(authTime(again) > authTime(before))
})

module('oidcc-prompt-none-not-logged-in', async (party) => {
  const request = party.request({ prompt: 'none', state: randomBytes(64).toString('hex') })
  assert.equal(party.refused(await party.visit(request), request), 'login_required')
})

/** Two authorizations of which the second asks nothing and speaks of the same sign-in. */
async function sameTwice(
  party: RelyingParty,
  before: Parameters,
  again: (tokens: Tokens) => Parameters,
): Promise<void> {
  const one = await party.flow(before)
  await party.context.deployment.pass(1)
  const two = await party.flow(again(one))
  assert.deepEqual(two.asked, [])
  assert.equal(authTime(two), authTime(one))
  assert.equal(two.claims.sub, one.claims.sub)
}

module('oidcc-prompt-none-logged-in', (party) => sameTwice(party, {}, () => ({ prompt: 'none' })))

module('oidcc-max-age-1', async (party) => {
  const before = await party.flow()
  await party.context.deployment.pass(2)
  const again = await party.flow({ max_age: '1' })
  assert.deepEqual(again.asked, ['login'])
  assert.ok(authTime(again) > authTime(before))
  assert.ok(Math.abs(party.context.deployment.now().getTime() / 1000 - authTime(again)) < 60)
})

module('oidcc-max-age-10000', (party) => sameTwice(party, { max_age: '15000' }, () => ({ max_age: '10000' })))

succeedsWith('oidcc-ensure-request-with-unknown-parameter-succeeds', { extra: 'foobar' })

module('oidcc-id-token-hint', (party) =>
  sameTwice(party, {}, ({ idToken }) => ({ prompt: 'none', id_token_hint: idToken })),
)

succeedsWith('oidcc-login-hint', { login_hint: 'buffy@localhost' })
succeedsWith('oidcc-ui-locales', { ui_locales: 'se' })
succeedsWith('oidcc-claims-locales', { claims_locales: 'se' })

module('oidcc-ensure-request-with-acr-values-succeeds', async (party) => {
  const offered = party.server['acr_values_supported'] as readonly string[]
  const { claims: idToken } = await party.flow({ acr_values: offered.join(' ') })
  assert.ok(offered.includes(String(idToken['acr'])))
})

async function reuse(party: RelyingParty, code: string): Promise<void> {
  const { status, body } = await party.redeem(code)
  assert.equal(status, 400)
  assert.equal(body['error'], 'invalid_grant')
  assert.match(String(body['error_description']), /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
  assert.ok(URL.canParse(String(body['error_uri'])))
}

module('oidcc-codereuse', async (party) => reuse(party, (await party.flow()).code))

module('oidcc-codereuse-30seconds', async (party) => {
  const { code, accessToken } = await party.flow()
  await party.context.deployment.pass(30)
  await reuse(party, code)
  assert.equal((await party.userinfo(accessToken)).status, 401, 'the first tokens are dead')
})

/** A refusal that nobody may be sent away with: our own page, and its text in an element that can be found. */
function staysHere(visit: Awaited<ReturnType<RelyingParty['visit']>>): void {
  const { end } = visit
  assert.ok(end.at === 'page', 'the browser stays with us')
  assert.equal(end.status, 400)
  assert.ok((textOf(end.body, 'error') ?? '').length > 10)
}

module('oidcc-ensure-registered-redirect-uri', async (party) => {
  staysHere(await party.visit(party.request({ redirect_uri: `${callback}/${randomBytes(5).toString('hex')}` })))
})

module('oidcc-ensure-post-request-succeeds', async (party) => {
  const request = party.request()
  const { browser } = party.context
  const visit = await party.walk(
    await browser.post(party.server.authorization_endpoint, new URLSearchParams({ ...request })),
  )
  await party.tokens(await party.redeem(party.code(visit, request)), request['nonce'])
})

module('oidcc-server-client-secret-post', async (party) => {
  assert.ok((party.server['token_endpoint_auth_methods_supported'] as unknown[]).includes('client_secret_post'))
  await party.at(posting).flow()
})

/** As the suite builds them: state and nonce inside only, what RFC 6749 demands outside, too. */
function requestObject(party: RelyingParty): { readonly outside: Parameters; readonly inside: string } {
  const { state, nonce, ...outside } = party.request()
  const inside = new UnsecuredJWT({ ...outside, state, nonce }).setIssuer(party.context.client.id).encode()
  return { outside: { ...outside, state: undefined, nonce: undefined }, inside }
}

/** Where it is not among these, the suite skips what it would send unsigned. */
const takesUnsigned = ({ server }: RelyingParty) =>
  (server['request_object_signing_alg_values_supported'] as unknown[]).includes('none')

// Only for dynamic clients in the suite, which then fetches; ours goes to no address that was not registered.
module('oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported', async (party) => {
  assert.equal(takesUnsigned(party), false)
  const request = party.request({
    state: undefined,
    nonce: undefined,
    request_uri: 'https://localhost:8443/test/a/grantor/requesturi',
  })
  assert.equal(party.refused(await party.visit(request), request), 'invalid_request_uri')
})

module('oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported', async (party) => {
  assert.equal(takesUnsigned(party), false)
  const { outside, inside } = requestObject(party)
  const visit = await party.visit(party.request({ ...outside, request: inside }))
  const state = decodeJwt(inside)['state'] as string
  assert.equal(party.refused(visit, party.request({ ...outside, state })), 'invalid_request_object')
})

module('oidcc-claims-essential', async (party) => {
  const { accessToken, claims: idToken } = await party.flow({ claims: '{"userinfo":{"name":{"essential":true}}}' })
  const { body } = await party.userinfo(accessToken)
  assert.deepEqual(body, { sub: idToken.sub, name: claims.name })
  assert.equal(idToken['name'], undefined, 'it was asked for elsewhere')
})

module('oidcc-ensure-request-object-with-redirect-uri', async (party) => {
  const { outside, inside } = requestObject(party)
  const elsewhere = `${callback}/${randomBytes(5).toString('hex')}`
  staysHere(await party.visit(party.request({ ...outside, request: inside, redirect_uri: elsewhere })))
})

/** OIDC Core §12.2: what a refreshed ID token must repeat, and what it must not. */
async function refresh(party: RelyingParty, tokens: Tokens, scope: string | undefined): Promise<Tokens> {
  await party.context.deployment.pass(1)
  const answer = await party.post({ grant_type: 'refresh_token', refresh_token: tokens.refreshToken ?? '', scope })
  const fresh = await party.tokens(answer, undefined)
  for (const claim of ['iss', 'sub', 'aud', 'auth_time', 'azp'])
    assert.deepEqual(fresh.claims[claim], tokens.claims[claim])
  assert.notEqual(fresh.claims.iat, tokens.claims.iat)
  assert.notEqual(fresh.accessToken, tokens.accessToken)
  assert.equal((await party.userinfo(fresh.accessToken)).status, 200)
  return fresh
}

module('oidcc-refresh-token', async (party) => {
  assert.ok((party.server['grant_types_supported'] as unknown[]).includes('refresh_token'))
  const scope = 'openid offline_access'
  await refresh(party, await party.flow({ scope, prompt: 'consent' }), scope)

  const other = party.at(second)
  const tokens = await refresh(other, await other.flow({ scope, prompt: 'consent' }), undefined)
  const stolen = await party.post({ grant_type: 'refresh_token', refresh_token: tokens.refreshToken ?? '', scope })
  assert.equal(stolen.status, 400)
  assert.equal(stolen.body['error'], 'invalid_grant')
  await refresh(other, tokens, undefined)
})

module('oidcc-ensure-request-with-valid-pkce-succeeds', async (party) => {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const request = party.request({ code_challenge: challenge, code_challenge_method: 'S256' })
  const code = party.code(await party.visit(request), request)
  assert.equal((await party.redeem(code)).body['error'], 'invalid_grant', 'a challenge is not forgotten')
  await party.tokens(await party.redeem(code, { code_verifier: verifier }), request['nonce'])
})
