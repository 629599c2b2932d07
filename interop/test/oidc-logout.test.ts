/**
 * The modules of the OpenID Foundation's RP-initiated, back-channel and front-channel logout plans, one test each, as far
 * as their published sources tell what they check. docs/conformance.md says what this is not.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT, UnsecuredJWT } from 'jose'
import * as oidc from 'openid-client'
import { temporaryFolder } from '../server.ts'
import type { Arrival, Page } from '../suite/browser.ts'
import { type Client, declared, first, openDeployment } from '../suite/deployment.ts'
import { formsIn, textOf } from '../suite/html.ts'
import { openReceiver } from '../suite/receiver.ts'
import { configure, type Parameters, type RelyingParty, random, type Tokens } from '../suite/relying-party.ts'

const stack = new AsyncDisposableStack()
after(() => stack.disposeAsync())
const receiver = stack.use(await openReceiver())
const folder = stack.use(temporaryFolder())

/** The suite's own address; nothing listens there. */
const suite = 'https://localhost:8443/test/a/grantor'
const goodbye = `${suite}/post_logout_redirect`
const client = (id: string): Client => ({ ...first, id, secret: `${id}-secret-of-32-or-more-characters` })
const [back, front] = [client('back'), client('front')]
const deployment = stack.use(
  await openDeployment({
    people: 30,
    clients: [
      declared(first, { post_logout_redirect_uris: [goodbye] }),
      declared(back, {
        post_logout_redirect_uris: [goodbye],
        backchannel_logout_uri: `${receiver.origin}/backchannel`,
        backchannel_logout_session_required: true,
      }),
      declared(front, {
        post_logout_redirect_uris: [goodbye],
        frontchannel_logout_uri: `${suite}/frontchannel_logout`,
        frontchannel_logout_session_required: true,
      }),
    ],
    env: { GRANTOR_OUTBOUND_ALLOW: 'localhost', GRANTOR_OUTBOUND_CA: folder.write('outside.pem', receiver.ca) },
  }),
)

/** Where a logout ended: on a page of ours, or at the client. */
type End = Page | Arrival

async function signOut(party: RelyingParty, fields: Parameters): Promise<End> {
  const given = Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const query = given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  const { browser } = party.context
  const end = await browser.get(`${party.server.end_session_endpoint}${query === '' ? '' : `?${query}`}`)
  const asked = end.at === 'page' && formsIn(end.body).some((form) => form.buttons.has('sign-out'))
  return asked && end.at === 'page' ? browser.press(end, 'sign-out') : end
}

function returned(end: End): URLSearchParams {
  if (end.at !== 'client') assert.fail(`the person is still here:\n${end.body}`)
  assert.equal(`${end.url.origin}${end.url.pathname}`, goodbye)
  assert.equal(end.method, 'GET')
  return end.query
}

/** A page of ours with that id, and nothing of the client's in its address. */
function stays(end: End, ...ids: readonly string[]): void {
  if (end.at !== 'page') assert.fail(`sent to ${end.url.href}`)
  assert.ok(
    ids.some((id) => textOf(end.body, id) !== null),
    end.body,
  )
}

/** OIDC Core §3.1.2.6: with prompt=none whoever is signed out is told so. */
async function isSignedOut(party: RelyingParty): Promise<boolean> {
  const request = party.request({ prompt: 'none' })
  const { end } = await party.visit(request)
  if (end.at !== 'client') assert.fail(end.body)
  return end.query.get('error') === 'login_required'
}

function module(name: string, run: (party: RelyingParty, tokens: Tokens) => Promise<void>, as: Client = first): void {
  test(name, async () => {
    const party = await configure({ deployment, client: as })
    await run(party, await party.flow())
  })
}

const options = (tokens: Tokens, more: Parameters = {}): Parameters => ({
  id_token_hint: tokens.idToken,
  post_logout_redirect_uri: goodbye,
  state: random(),
  ...more,
})

test('oidcc-rp-initiated-logout-discovery-endpoint-verification', async () => {
  const { server } = await configure({ deployment })
  assert.match(server.end_session_endpoint, /^https:\/\//)
})

module('oidcc-rp-initiated-logout', async (party, tokens) => {
  const fields = options(tokens)
  const query = returned(await signOut(party, fields))
  assert.deepEqual([...query], [['state', fields['state']]])
  assert.ok(await isSignedOut(party))
})

module('oidcc-rp-initiated-logout-no-state', async (party, tokens) => {
  assert.equal(returned(await signOut(party, options(tokens, { state: undefined }))).size, 0)
  assert.ok(await isSignedOut(party))
})

module('oidcc-rp-initiated-logout-bad-post-logout-redirect-uri', async (party, tokens) => {
  stays(await signOut(party, options(tokens, { post_logout_redirect_uri: `${suite}/elsewhere` })), 'error')
})

module('oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri', async (party, tokens) => {
  stays(await signOut(party, options(tokens, { post_logout_redirect_uri: `${goodbye}?foo=bar` })), 'error')
})

module('oidcc-rp-initiated-logout-modified-id-token-hint', async (party, tokens) => {
  const unsigned = new UnsecuredJWT(decodeJwt(tokens.idToken)).encode()
  stays(await signOut(party, options(tokens, { id_token_hint: unsigned })), 'error', 'signed-out')
})

module('oidcc-rp-initiated-logout-bad-id-token-hint', async (party, tokens) => {
  const key = new TextEncoder().encode(first.secret)
  const fake = await new SignJWT(decodeJwt(tokens.idToken)).setProtectedHeader({ alg: 'HS256' }).sign(key)
  stays(await signOut(party, options(tokens, { id_token_hint: fake })), 'error', 'signed-out')
})

module('oidcc-rp-initiated-logout-no-id-token-hint', async (party, tokens) => {
  stays(await signOut(party, options(tokens, { id_token_hint: undefined })), 'signed-out')
})

module('oidcc-rp-initiated-logout-no-params', async (party) => {
  stays(await signOut(party, {}), 'signed-out')
  assert.ok(await isSignedOut(party))
})

module('oidcc-rp-initiated-logout-no-post-logout-redirect-uri', async (party, tokens) => {
  stays(await signOut(party, { id_token_hint: tokens.idToken }), 'signed-out')
  assert.ok(await isSignedOut(party))
})

module('oidcc-rp-initiated-logout-only-state', async (party) => {
  stays(await signOut(party, { state: random() }), 'signed-out')
})

module('an expired ID token is as good a hint as any', async (party, tokens) => {
  await deployment.pass(3600)
  assert.equal(returned(await signOut(party, options(tokens))).size, 1)
  assert.ok(await isSignedOut(party))
})

test('oidcc-backchannel-logout-discovery-endpoint-verification', async () => {
  const { server } = await configure({ deployment })
  assert.equal(server['backchannel_logout_supported'], true)
  assert.equal(server['backchannel_logout_session_supported'], true)
})

module(
  'oidcc-backchannel-rp-initiated-logout',
  async (party, tokens) => {
    assert.equal(returned(await signOut(party, options(tokens))).size, 1)
    const sent = () => receiver.received.filter(({ path }) => path === '/backchannel')
    await eventually(() => sent().length > 0)
    const [{ method, type, form } = assert.fail()] = sent()
    assert.equal(method, 'POST')
    assert.match(type, /^application\/x-www-form-urlencoded\b/)
    assert.deepEqual([...form.keys()], ['logout_token'])
    const token = form.get('logout_token') ?? ''
    assert.equal(decodeProtectedHeader(token).typ, 'logout+jwt')
    // Back-Channel Logout §2.6, as a relying party does it.
    const { payload } = await jwtVerify(token, createLocalJWKSet(party.context.keys), {
      issuer: party.server.issuer,
      audience: back.id,
      algorithms: ['RS256'],
      currentDate: deployment.now(),
      requiredClaims: ['iss', 'aud', 'iat', 'exp', 'jti', 'events', 'sid'],
    })
    assert.deepEqual(payload['events'], { 'http://schemas.openid.net/event/backchannel-logout': {} })
    assert.deepEqual([payload.sub, payload['sid']], [tokens.claims.sub, tokens.claims['sid']])
    assert.equal('nonce' in payload, false)
    assert.ok(await isSignedOut(party))
  },
  back,
)

test('oidcc-frontchannel-logout-discovery-endpoint-verification', async () => {
  const { server } = await configure({ deployment })
  assert.equal(server['frontchannel_logout_supported'], true)
  assert.equal(server['frontchannel_logout_session_supported'], true)
})

module(
  'oidcc-frontchannel-rp-initiated-logout',
  async (party, tokens) => {
    assert.equal(returned(await signOut(party, options(tokens))).size, 1)
    const [frame, ...others] = party.context.browser.frames
    assert.ok(frame !== undefined && others.length === 0)
    assert.equal(`${frame.origin}${frame.pathname}`, `${suite}/frontchannel_logout`)
    assert.deepEqual(
      [...frame.searchParams],
      [
        ['iss', party.server.issuer],
        ['sid', tokens.claims['sid']],
      ],
    )
    assert.ok(await isSignedOut(party))
  },
  front,
)

module('openid-client: buildEndSessionUrl leads through our logout and back', async (party, tokens) => {
  const config = await oidc.discovery(new URL(party.server.issuer), first.id, first.secret, undefined, {
    [oidc.customFetch]: (url, init) => deployment.fetch(url, init),
  })
  const state = random()
  const wanted = { id_token_hint: tokens.idToken, post_logout_redirect_uri: goodbye, state }
  const url = oidc.buildEndSessionUrl(config, wanted)
  assert.equal(url.searchParams.get('client_id'), first.id)
  assert.equal(returned(await party.context.browser.get(url.href)).get('state'), state)
  assert.ok(await isSignedOut(party))
})

/** A bound for what hangs, not a measure of what runs. */
async function eventually(is: () => boolean): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!is()) {
    assert.ok(performance.now() < deadline, 'it never came')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
