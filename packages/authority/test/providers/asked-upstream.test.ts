/** What a provider is asked: where it is, whom people are sent there as, and how we prove who we are at its token endpoint. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import { type DepartureRequest, leaveForProvider, visitContext } from '../../src/providers/departure.ts'
import { openSignalsAuthorization } from '../../src/providers/signals/authorization.ts'
import { askTokenEndpoint, isBearer } from '../../src/providers/token-endpoint.ts'
import { documentIn, upstreamOf } from '../../src/providers/upstream.ts'

const oidc = { id: 'corp', kind: 'oidc', issuer: 'https://idp.example', client_id: 'us' }
const document = {
  issuer: oidc.issuer,
  authorization_endpoint: 'https://idp.example/authorize?x=1',
  token_endpoint: 'https://idp.example/token',
  jwks_uri: 'https://idp.example/keys',
}
const found = (it: unknown) =>
  ({ fetch: async () => (it === 'away' ? err('unreachable') : ok({ body: Buffer.from(JSON.stringify(it)) })) }) as never

test('OIDC Discovery §4.3: a document is the issuer’s own, with every address that is needed, all of https', async () => {
  const of = async (it: unknown) => {
    const read = await upstreamOf(oidc as never, found(it))
    return read.kind === 'ok' ? read.value : read.error
  }
  const whole = {
    issuer: oidc.issuer,
    authorization: document.authorization_endpoint,
    token: document.token_endpoint,
    jwksUri: document.jwks_uri,
    algs: ['RS256'],
    userinfo: null,
    namesItself: false,
    basic: true,
  }
  assert.deepEqual(await of(document), whole)
  const more = { userinfo_endpoint: 'https://idp.example/me', authorization_response_iss_parameter_supported: true }
  assert.deepEqual(await of({ ...document, ...more }), {
    ...whole,
    userinfo: more.userinfo_endpoint,
    namesItself: true,
  })
  for (const [methods, basic] of [
    [['client_secret_post'], false],
    [['client_secret_post', 'client_secret_basic'], true],
    ['x', true],
  ] as const)
    assert.deepEqual(await of({ ...document, token_endpoint_auth_methods_supported: methods }), { ...whole, basic })
  assert.deepEqual(await of({ ...document, id_token_signing_alg_values_supported: ['ES256', 'PS256'] }), {
    ...whole,
    algs: ['ES256', 'PS256'],
  })
  for (const name of Object.keys(document))
    for (const value of [undefined, 7, 'http://idp.example/x', 'x'])
      assert.equal(await of({ ...document, [name]: value }), 'upstream_metadata', `${name} ${value}`)
  assert.equal(await of([]), 'upstream_metadata')
  assert.equal(await of('away'), 'upstream_unreachable')
  assert.equal(documentIn(Buffer.from([0xff])), null)
  assert.equal(documentIn(Buffer.from('{"a":1,"a":2}')), null)
})

test('OIDC Discovery §4.1: the document is looked for below the issuer, with or without a slash; GitHub has none', async () => {
  const urls: string[] = []
  const outbound = { fetch: async ({ url }: { url: string }) => (urls.push(url), err('unreachable')) } as never
  for (const issuer of ['https://idp.example', 'https://idp.example/', 'https://idp.example/t/a'])
    await upstreamOf({ ...oidc, issuer } as never, outbound)
  const [first, second, third] = urls
  assert.deepEqual(
    [first, second, third],
    ['', '', '/t/a'].map((path) => `https://idp.example${path}/.well-known/openid-configuration`),
  )
  const github = async (issuer: string) => {
    const read = await upstreamOf({ ...oidc, kind: 'github', issuer } as never, outbound)
    return read.kind === 'ok' ? [read.value.authorization, read.value.token, read.value.userinfo] : []
  }
  const paths = (home: string) => [`${home}/login/oauth/authorize`, `${home}/login/oauth/access_token`]
  assert.deepEqual(await github('https://github.com'), [...paths('https://github.com'), 'https://api.github.com'])
  assert.deepEqual(await github('https://git.example/'), [
    ...paths('https://git.example'),
    'https://git.example/api/v3',
  ])
  assert.equal(urls.length, 3)
})

async function left(
  provider: object,
  asked: Partial<DepartureRequest> = {},
  { browser = 'b', answer = document }: { readonly browser?: string | null; readonly answer?: unknown } = {},
) {
  const kept: Readonly<Record<string, unknown>>[] = []
  let salts = 0
  const departure = await leaveForProvider(
    {
      provider: 'corp',
      purpose: { kind: 'account', section: 'x', confirming: false },
      loginHint: null,
      again: false,
      acrValues: [],
      ...asked,
    },
    { tenant: 'acme', browser, ip: null } as never,
    {
      clock: { now: () => 1000 },
      directory: { currentCatalogue: async () => ({ tenant: { disabledAt: null, providers: [provider] } }) },
      ids: {
        salt: () => Buffer.from([(salts += 1)]),
        secret: (prefix: string) => `${prefix}new`,
        handleOf: (text: string) => `handle of ${text}`,
      },
      issuers: { issuerOf: (tenant: string) => `https://as.example/t/${tenant}` },
      limits: { take: () => null },
      outbound: found(answer),
      policy: { interactionTtl: 60 },
      store: { identities: { leave: async (row: Readonly<Record<string, unknown>>) => void kept.push(row) } },
      vault: { sealShortLived: (plain: Uint8Array, context: string) => `${context} ${Buffer.from(plain).toString()}` },
    } as never,
  )
  const url = departure.did === 'left' ? new URL(departure.location) : null
  return { departure, kept, parameters: url === null ? null : Object.fromEntries(url.searchParams), url }
}

test('OIDC Core §3.1.2.1: a person is sent with what the kind of provider wants, and with nothing else', async () => {
  const [state, nonce, verifier] = [1, 2, 3].map((n) => Buffer.from([n]).toString('base64url'))
  const challenge = createHash('sha256')
    .update(verifier ?? '')
    .digest('base64url')
  const plain = {
    x: '1',
    response_type: 'code',
    client_id: 'us',
    redirect_uri: 'https://as.example/t/acme/callback/corp',
    state,
  }
  const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
  const usual = { ...plain, scope: 'openid profile email', nonce, ...pkce }
  const rows: readonly (readonly [object, Partial<DepartureRequest>, object])[] = [
    [oidc, {}, usual],
    [oidc, { loginHint: 'ada' }, { ...usual, login_hint: 'ada' }],
    [oidc, { loginHint: '' }, usual],
    [oidc, { again: true }, { ...usual, prompt: 'login', max_age: '0' }],
    [oidc, { acrValues: ['a', 'b'] }, usual],
    [{ ...oidc, trust_amr: true }, { acrValues: ['a', 'b'] }, { ...usual, acr_values: 'a b' }],
    [{ ...oidc, trust_amr: true }, {}, usual],
    [{ ...oidc, kind: 'google' }, { again: true }, usual],
    [{ ...oidc, kind: 'apple' }, {}, { ...plain, scope: 'openid name email', nonce, response_mode: 'form_post' }],
  ]
  for (const [provider, asked, expected] of rows)
    assert.deepEqual((await left(provider, asked)).parameters, expected, JSON.stringify([provider, asked]))
  const { x: _x, ...withoutQuery } = plain
  const github = await left(
    { ...oidc, kind: 'github', issuer: 'https://github.com' },
    { loginHint: 'ada', again: true },
  )
  assert.deepEqual(github.parameters, { ...withoutQuery, scope: 'read:user user:email', ...pkce, login: 'ada' })
})

test('what waits for the browser is kept sealed, for one browser and a while', async () => {
  const { kept, departure } = await left(oidc)
  const [row] = kept
  assert.deepEqual(
    [row?.['handle'], row?.['provider'], row?.['browser'], row?.['expiresAt'], row?.['tenant']],
    ['handle of AQ', 'corp', 'handle of b', 61_000, 'acme'],
  )
  const sealed = String(row?.['sealed'])
  assert.ok(sealed.startsWith(`${visitContext('acme')} {`))
  const visit = JSON.parse(sealed.slice(visitContext('acme').length)) as JsonObject
  assert.deepEqual(visit, {
    purpose: { kind: 'account', section: 'x', confirming: false },
    nonce: 'Ag',
    verifier: 'Aw',
    leftAt: 1000,
  })
  assert.deepEqual(departure.did === 'left' && departure.cookies, {})
  const fresh = await left(oidc, {}, { browser: null })
  assert.deepEqual(
    [fresh.departure.did === 'left' && fresh.departure.cookies, fresh.kept[0]?.['browser']],
    [{ browser: 'gb_new' }, 'handle of gb_new'],
  )
})

test('who is not served, or cannot be asked now, is left for by nobody', async () => {
  for (const [provider, asked, answer] of [
    [oidc, { provider: 'other' }, document],
    [{ ...oidc, disabled: true }, {}, document],
    [oidc, {}, 'away'],
    [{ ...oidc, kind: 'ldap' }, {}, document],
  ] as const) {
    const { departure, kept } = await left(provider, asked, { answer })
    assert.deepEqual([departure, kept], [{ did: 'unavailable' }, []])
  }
})

const vault = { open: (sealed: Uint8Array) => (sealed.length > 3 ? sealed : null) }
const sealedSecret = { sealed_secret: Buffer.from('a secret+1').toString('base64url') }
async function asked(
  provider: object,
  { basic = true, answer = { access_token: 't' } }: { readonly basic?: boolean; readonly answer?: unknown } = {},
) {
  const requests: { readonly form: object; readonly authorization: string | null }[] = []
  const outbound = {
    submit: async (it: (typeof requests)[number]) => {
      requests.push(it)
      return typeof answer === 'string' ? err(answer) : ok({ body: Buffer.from(JSON.stringify(answer)) })
    },
  }
  const upstream = { token: 'https://idp.example/token', basic }
  const outcome = await askTokenEndpoint({ tenant: 'acme', provider, upstream } as never, { grant_type: 'x' }, {
    clock: { now: () => 0 },
    outbound,
    vault,
  } as never)
  return { outcome, form: requests[0]?.form, authorization: requests[0]?.authorization }
}

test('RFC 6749 §2.3.1: we prove who we are by Basic where it is taken, else in the form; without a secret by nothing', async () => {
  const form = { grant_type: 'x' }
  const basic = `Basic ${Buffer.from('us:a+secret%2B1').toString('base64')}`
  const rows: readonly (readonly [object, boolean, object, string | null])[] = [
    [{ ...oidc, ...sealedSecret }, true, form, basic],
    [{ ...oidc, ...sealedSecret }, false, { ...form, client_id: 'us', client_secret: 'a secret+1' }, null],
    [oidc, true, { ...form, client_id: 'us' }, null],
    [oidc, false, { ...form, client_id: 'us' }, null],
  ]
  for (const [provider, isBasic, expected, authorization] of rows) {
    const it = await asked(provider, { basic: isBasic })
    assert.deepEqual([it.form, it.authorization, it.outcome.kind], [expected, authorization, 'ok'])
  }
})

test('a token endpoint that answers nothing, or no object, is a problem in the operator’s words', async () => {
  const problem = async (provider: object, answer: unknown) => {
    const { outcome } = await asked(provider, { answer })
    return outcome.kind === 'error' && outcome.error.problem
  }
  assert.equal(await problem(oidc, 'timeout'), 'token_endpoint_timeout')
  assert.equal(await problem(oidc, []), 'token_endpoint_answer')
  assert.equal(await problem({ ...oidc, sealed_secret: 'AA' }, {}), 'secret_unopened')
  for (const good of ['a', '!~', 'x'.repeat(8192)]) assert.equal(isBearer(good), true)
  for (const bad of ['', 'a b', 'ä', 'x'.repeat(8193), 7, null]) assert.equal(isBearer(bad), false)
})

test('RFC 6749 §4.4: a token for events is fetched once, used until shortly before its end, and anew where it was refused', async () => {
  const clock = { time: 0, now: () => clock.time }
  let fetched = 0
  let answer: JsonObject = { access_token: 't', token_type: 'bearer', expires_in: 100 }
  const authorization = openSignalsAuthorization({
    clock,
    vault,
    outbound: {
      ...(found(document) as object),
      submit: async () => (
        (fetched += 1),
        ok({ body: Buffer.from(JSON.stringify({ ...answer, access_token: `t${fetched}` })) })
      ),
    },
  } as never)
  const at = (more: object = {}) =>
    ({ tenant: 'acme', provider: { ...oidc, signals_scope: 'ssf.read', ...more } }) as never
  assert.deepEqual(await authorization.of(at()), ok('Bearer t1'))
  clock.time = 69_999
  assert.deepEqual(await authorization.of(at()), ok('Bearer t1'))
  clock.time = 70_000
  assert.deepEqual(await authorization.of(at()), ok('Bearer t2'), 'thirty seconds before its end')
  authorization.forget(at())
  assert.deepEqual(await authorization.of(at()), ok('Bearer t3'))
  for (const more of [{ id: 'b' }, { client_id: 'b' }, { signals_scope: 'b' }, { issuer: 'https://idp.example' }])
    await authorization.of(at(more))
  assert.equal(fetched, 6, 'another declaration has another token, the same has not')
  answer = { token_type: 'Bearer' }
  clock.time = 1_000_000
  assert.deepEqual(await authorization.of(at()), ok('Bearer t7'))
  clock.time += 59_999
  assert.deepEqual(await authorization.of(at()), ok('Bearer t7'), 'a minute where nothing is said of its life')
  clock.time += 1
  for (const wrong of [{ token_type: 'mac' }, {}, { token_type: 'bearer', expires_in: '100' }]) {
    answer = wrong
    assert.deepEqual(await authorization.of(at()), err('token_endpoint_answer'))
  }
})
