import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { acceptAuthorizationRequest, type AuthorizationContext } from '../../src/authorize/accept-request.ts'
import { redirectTarget } from '../../src/authorize/redirect-target.ts'
import { formOf, parseForm } from '../../src/oauth/form.ts'
import { defaultPolicy, type Policy } from '../../src/oauth/policy.ts'
import { textLimits } from '../../src/oauth/text-limits.ts'
import type { ClientMetadata } from '../../src/registration/client-fields.ts'
import type { Client } from '../../src/registration/client.ts'
import { defaultAddressRules } from '../../src/uri/address-rules.ts'
import { at, catalogue, client, issuer } from '../samples.ts'

const web = (metadata: Partial<ClientMetadata> = {}) =>
  client({ scope: 'openid profile a:read b:read admin:clients:read', ...metadata })
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const good = {
  response_type: 'code',
  client_id: 'web',
  redirect_uri: 'https://client.example/cb',
  scope: 'openid a:read',
  state: 'xyz',
  code_challenge: challenge,
  code_challenge_method: 'S256',
}
interface Change {
  readonly body?: Record<string, string | undefined>
  readonly client?: Client | null
  readonly hint?: AuthorizationContext['hint']
  readonly pkce?: 'always' | 'public_clients'
  readonly policy?: Partial<Policy>
  readonly signed?: boolean
  readonly pushed?: boolean
}
function ask(change: Change) {
  const merged = { ...good, ...change.body }
  const pairs = Object.entries(merged).flatMap(([name, value]) =>
    value === undefined ? [] : value.split('|').map((it): [string, string] => [name, it]),
  )
  const form = formOf(pairs)
  const addressed = redirectTarget(form, change.client === undefined ? web() : change.client, defaultAddressRules)
  if (addressed.kind === 'error') return { at: 'page', ...addressed.error } as const
  const policy = { ...defaultPolicy, ...change.policy, pkce: change.pkce ?? 'always' }
  const request = acceptAuthorizationRequest(form, addressed.value, {
    catalogue: catalogue(),
    issuer,
    policy,
    hint: change.hint ?? 'absent',
    signed: change.signed ?? false,
    pushed: change.pushed ?? false,
  })
  return request.kind === 'error' ? ({ at: 'client', ...request.error } as const) : request.value
}

test('RFC 6749 §4.1.1: a good request is accepted as it was meant', () => {
  const claims = '{"id_token":{"sub":{"value":"alice"}}}'
  const optional = {
    nonce: 'n',
    dpop_jkt: challenge,
    prompt: 'login consent',
    max_age: '60',
    acr_values: 'x y',
    login_hint: 'al',
    ui_locales: 'de en',
    claims,
  }
  assert.deepEqual(ask({ body: { ...optional, response_mode: 'form_post' } }), {
    clientId: 'web',
    redirectUri: 'https://client.example/cb',
    redirectUriSent: true,
    responseMode: 'form_post',
    state: 'xyz',
    scope: ['a:read', 'openid'],
    resources: ['https://a.example'],
    challenge,
    nonce: 'n',
    dpopJkt: challenge,
    prompt: ['login', 'consent'],
    maxAge: 60,
    acrValues: ['x', 'y'],
    loginHint: 'al',
    uiLocales: ['de', 'en'],
    claims: { userinfo: {}, id_token: { sub: { value: 'alice' } } },
    subject: 'alice',
    pushed: null,
  })
})

test('what is accepted survives being written as JSON', () => {
  const request = ask({})
  assert.deepEqual(JSON.parse(JSON.stringify(request)), request)
})

type Refused = readonly [title: string, change: Change, at: 'page' | 'client', reason: string]
const refused: readonly Refused[] = [
  ['RFC 6749 §4.1.2.1: no client_id', { body: { client_id: undefined } }, 'page', 'parameter_missing'],
  ['RFC 6749 §4.1.2.1: an unknown client', { client: null }, 'page', 'client_unknown'],
  ['another client than the one that was looked up', { body: { client_id: 'other' } }, 'page', 'client_unknown'],
  ['a disabled client', { client: client({}, { disabledAt: at(1) }) }, 'page', 'client_unknown'],
  [
    'RFC 6749 §4.1.2.1: an unregistered redirect URI',
    { body: { redirect_uri: 'https://evil.example' } },
    'page',
    'redirect_uri_unregistered',
  ],
  [
    'RFC 6749 §4.1.2.1: a bad response type and an unregistered redirect URI',
    { body: { redirect_uri: 'https://evil.example', response_type: 'token' } },
    'page',
    'redirect_uri_unregistered',
  ],
  [
    'OIDC Core §3.1.2.1: an OIDC request without redirect URI',
    { body: { redirect_uri: undefined } },
    'page',
    'redirect_uri_unregistered',
  ],
  [
    'RFC 6749 §3.1.2.3: no redirect URI where two are registered',
    {
      body: { redirect_uri: undefined, scope: 'a:read' },
      client: web({ redirect_uris: ['https://client.example/cb', 'https://client.example/2'] }),
    },
    'page',
    'redirect_uri_unregistered',
  ],
  ['a state too long to be returned', { body: { state: 'x'.repeat(4097) } }, 'page', 'parameter_malformed'],
  ['RFC 6749 §3.1.1: no response type', { body: { response_type: undefined } }, 'client', 'parameter_missing'],
  ['the implicit flow', { body: { response_type: 'token' } }, 'client', 'response_type_unsupported'],
  ['the hybrid flow', { body: { response_type: 'code id_token' } }, 'client', 'response_type_unsupported'],
  ['an answer in the fragment', { body: { response_mode: 'fragment' } }, 'client', 'response_mode_unsupported'],
  [
    'RFC 6749 §4.1.2.1: a client without the code grant',
    { client: web({ grant_types: ['client_credentials'] }) },
    'client',
    'grant_type_not_allowed',
  ],
  [
    'no challenge',
    { body: { code_challenge: undefined, code_challenge_method: undefined } },
    'client',
    'challenge_missing',
  ],
  [
    'no challenge of a public client under any policy',
    {
      pkce: 'public_clients',
      client: web({ token_endpoint_auth_method: 'none' }),
      body: { code_challenge: undefined, code_challenge_method: undefined },
    },
    'client',
    'challenge_missing',
  ],
  ...(['fapi2-security', 'fapi2-message-signing'] as const).map((profile): Refused => [
    `FAPI 2.0 §5.3.2.2: no challenge of a client of ${profile} under any policy`,
    {
      pkce: 'public_clients',
      client: web({ profile }),
      body: { code_challenge: undefined, code_challenge_method: undefined, response_mode: 'jwt' },
    },
    'client',
    'challenge_missing',
  ]),
  ['RFC 7636 §4.4.1: plain', { body: { code_challenge_method: 'plain' } }, 'client', 'challenge_method_unsupported'],
  [
    'RFC 9126 §5: a request that is not pushed, by a client that pushes',
    { client: web({ require_pushed_authorization_requests: true }) },
    'client',
    'push_missing',
  ],
  [
    'RFC 9126 §5: a request that is not pushed, in a tenant whose clients push',
    { policy: { requirePushed: true } },
    'client',
    'push_missing',
  ],
  [
    'RFC 9101 §10.5: a request that is not signed, by a client that signs',
    { client: web({ require_signed_request_object: true }), pushed: true },
    'client',
    'request_object_missing',
  ],
  ['OIDC Core §7.2.1: registration by request', { body: { registration: '{}' } }, 'client', 'registration_unsupported'],
  [
    'OIDC Core §3.1.2.1: prompt none beside another',
    { body: { prompt: 'none login' } },
    'client',
    'prompt_contradictory',
  ],
  ['OIDC Core §3.1.2.1: an unknown prompt', { body: { prompt: 'maybe' } }, 'client', 'prompt_contradictory'],
  ['OIDC Core §3.1.2.1: a max_age that is no number', { body: { max_age: '-1' } }, 'client', 'parameter_malformed'],
  ['OIDC Core §5.5: claims that are no JSON', { body: { claims: '{' } }, 'client', 'parameter_malformed'],
  ['RFC 9449 §10: a dpop_jkt that is no thumbprint', { body: { dpop_jkt: 'x' } }, 'client', 'parameter_malformed'],
  ...(
    [
      ['nonce', textLimits.nonce],
      ['login_hint', textLimits.loginHint],
      ['acr_values', textLimits.acrValues],
      ['ui_locales', textLimits.uiLocales],
      ['claims', textLimits.claims],
    ] as const
  ).map(
    ([name, most]) =>
      [
        `a ${name} of ${most + 1}`,
        { body: { [name]: 'x'.repeat(most + 1) } },
        'client',
        'parameter_malformed',
      ] as const,
  ),
  ['a nonce that is too long', { body: { nonce: 'x'.repeat(1025) } }, 'client', 'parameter_malformed'],
  ['OIDC Core §3.1.2.1: an id_token_hint that is not ours', { hint: 'invalid' }, 'client', 'parameter_malformed'],
  ['RFC 6749 §3.3: a malformed scope', { body: { scope: 'a  b' } }, 'client', 'scope_malformed'],
  ['RFC 6749 §4.1.2.1: an unknown scope', { body: { scope: 'a:read nonsense' } }, 'client', 'scope_unknown'],
  [
    'RFC 6749 §4.1.2.1: a scope beyond the registration',
    { body: { scope: 'openid a:write' } },
    'client',
    'scope_exceeds_client',
  ],
  [
    'RFC 6749 §3.3: no scope, and none to stand in',
    { body: { scope: undefined }, client: web({ scope: 'openid' }) },
    'client',
    'scope_missing',
  ],
  ['scopes of two resources', { body: { scope: 'a:read b:read' } }, 'client', 'resource_ambiguous'],
  ['RFC 8707 §2: an unknown resource', { body: { resource: 'https://c.example' } }, 'client', 'resource_unknown'],
  [
    'RFC 8707 §2: a scope of another resource',
    { body: { resource: 'https://b.example' } },
    'client',
    'scope_of_another_resource',
  ],
  [
    'RFC 8707 §2: a scope of the issuer at two resources',
    { body: { scope: 'admin:clients:read', resource: 'https://a.example|https://b.example' } },
    'client',
    'scope_of_another_resource',
  ],
  [
    'OIDC Core §3.1.2.2: a sub that is not that of the hint',
    { body: { claims: '{"id_token":{"sub":{"value":"alice"}}}' }, hint: { subject: 'bob' } },
    'client',
    'person_mismatch',
  ],
  [
    'OIDC Core §3.1.2.2: another sub for userinfo than for the ID token',
    { body: { claims: '{"id_token":{"sub":{"value":"alice"}},"userinfo":{"sub":{"value":"bob"}}}' } },
    'client',
    'person_mismatch',
  ],
]
for (const [title, change, at, reason] of refused)
  test(`${title} → ${reason}, told at the ${at}`, () => {
    const got = ask(change)
    assert.ok('at' in got, 'was accepted')
    assert.deepEqual([got.at, got.reason], [at, reason])
  })

const accepted = (change: Change) => {
  const got = ask(change)
  if ('at' in got) assert.fail(`refused: ${got.reason}`)
  return got
}

test('OIDC Core §3.1.2.1: an unknown scope of an OIDC request is ignored', () => {
  assert.deepEqual(accepted({ body: { scope: 'openid a:read nonsense' } }).scope, ['a:read', 'openid'])
})

test('RFC 6749 §3.1.2.3: the only registered redirect URI may go unnamed', () => {
  const request = accepted({ body: { redirect_uri: undefined, scope: 'a:read' } })
  assert.deepEqual([request.redirectUri, request.redirectUriSent], ['https://client.example/cb', false])
})

test('RFC 8252 §7.3: a native client is answered at the port it named', () => {
  const native = web({ application_type: 'native', redirect_uris: ['http://127.0.0.1/cb'] })
  assert.equal(
    accepted({ client: native, body: { redirect_uri: 'http://127.0.0.1:5555/cb' } }).redirectUri,
    'http://127.0.0.1:5555/cb',
  )
})

test('RFC 8707 §2.1: several resources may be asked for together', () => {
  const request = accepted({ body: { scope: 'a:read b:read', resource: 'https://a.example/|https://B.example' } })
  assert.deepEqual(request.resources, ['https://a.example', 'https://b.example'])
})

test('RFC 6749 §3.3: without scope, what is registered for the resource', () => {
  assert.deepEqual(accepted({ body: { scope: undefined, resource: 'https://b.example' } }).scope, ['b:read'])
})

test('OIDC scopes alone are for the issuer, or for the default resource', () => {
  assert.deepEqual(accepted({ body: { scope: 'openid' } }).resources, [])
  assert.deepEqual(
    accepted({ body: { scope: 'openid' }, client: web({ default_resource: 'https://A.example' }) }).resources,
    ['https://a.example'],
  )
})

test('OIDC Core §3.1.2.1: the hint names the only person who may answer', () => {
  assert.equal(accepted({ hint: { subject: 'bob' } }).subject, 'bob')
  assert.equal(accepted({}).subject, null)
  const same = JSON.stringify({ id_token: { sub: { value: 'bob' } }, userinfo: { sub: { values: ['bob'] } } })
  assert.equal(accepted({ body: { claims: same }, hint: { subject: 'bob' } }).subject, 'bob')
})

test('OIDC Registration §2: default_max_age and default_acr_values stand in', () => {
  const request = accepted({ client: web({ default_max_age: 300, default_acr_values: ['x'] }) })
  assert.deepEqual([request.maxAge, request.acrValues], [300, ['x']])
  assert.equal(accepted({ client: web({ default_max_age: 300 }), body: { max_age: '0' } }).maxAge, 0)
})

test('whatever is sent, an answer is addressed to the registered redirect URI or to nobody', () => {
  const name = fc.constantFrom(
    ...Object.keys(good),
    'prompt',
    'claims',
    'max_age',
    'resource',
    'response_mode',
    'nonce',
  )
  const value = fc.oneof(fc.string(), fc.constantFrom('none', 'code', 'https://evil.example', '{}', 'openid'))
  fc.assert(
    fc.property(fc.dictionary(name, value), (body) => {
      const form = parseForm(new URLSearchParams({ ...good, ...body }).toString())
      if (form.kind === 'error') return
      const addressed = redirectTarget(form.value, web(), defaultAddressRules)
      if (addressed.kind === 'error') return
      assert.equal(addressed.value.redirectUri, 'https://client.example/cb')
      const request = acceptAuthorizationRequest(form.value, addressed.value, {
        catalogue: catalogue(),
        issuer,
        policy: defaultPolicy,
        hint: 'absent',
        signed: false,
        pushed: false,
      })
      if (request.kind === 'error') return
      for (const it of request.value.scope) assert.ok(web().metadata.scope.split(' ').includes(it))
    }),
    { numRuns: 1000 },
  )
})

test('FAPI 2.0 §5.3.2.2: a client with a profile names its redirect_uri, even where it has one alone', () => {
  const strong = web({ profile: 'fapi2-security', redirect_uris: ['https://client.example/cb'] })
  const missing = ask({ client: strong, pushed: true, body: { redirect_uri: undefined, scope: 'a:read' } })
  assert.deepEqual(missing, { at: 'client', reason: 'parameter_missing', name: 'redirect_uri' })
  assert.ok('clientId' in ask({ client: strong, pushed: true }))
})

test('FAPI 2.0 Message Signing §5.4: a client of that profile has its answers signed', () => {
  const strong = web({ profile: 'fapi2-message-signing' })
  for (const mode of [undefined, 'query', 'form_post'])
    assert.deepEqual(ask({ client: strong, pushed: true, signed: true, body: { response_mode: mode } }), {
      at: 'client',
      reason: 'response_mode_unsigned',
    })
  for (const mode of ['jwt', 'query.jwt', 'form_post.jwt'])
    assert.ok('clientId' in ask({ client: strong, pushed: true, signed: true, body: { response_mode: mode } }), mode)
})
