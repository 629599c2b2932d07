import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formOf } from '../../src/oauth/form.ts'
import { frontChannelFrame, type IdTokenHintResult, logoutRequest } from '../../src/oidc/logout.ts'
import { logoutTokenClaims } from '../../src/oidc/logout-token.ts'
import type { Client } from '../../src/registration/client.ts'
import type { Instant } from '../../src/types.ts'
import { defaultAddressRules } from '../../src/uri/address-rules.ts'
import { at, client } from '../samples.ts'

const home = 'https://app.example/bye'

const leaving = (more: Partial<Client> = {}) =>
  client({ post_logout_redirect_uris: [home, 'https://app.example/bye?from=here'] }, { id: 'app', ...more })
const hint: IdTokenHintResult = { clientId: 'app', sub: 'alice', sid: 's1' }

/** Where it leads, or why it leads nowhere. */
function outcome(
  fields: Readonly<Record<string, string>>,
  by: IdTokenHintResult = hint,
  of: Client | null = leaving(),
): string | null {
  const request = logoutRequest(formOf(Object.entries(fields)), by, { client: of, rules: defaultAddressRules })
  if (request.kind === 'error') return request.error.reason
  return request.value === null ? 'nobody vouches' : request.value.onward
}

const table: readonly (readonly [string, string | null, string | null])[] = [
  [
    'RP-Initiated Logout §3: back to the registered address, with the state',
    outcome({ post_logout_redirect_uri: home, state: 'a b&c' }),
    `${home}?state=a%20b%26c`,
  ],
  ['RP-Initiated Logout §2: without state', outcome({ post_logout_redirect_uri: home }), home],
  ['RP-Initiated Logout §2: the state of nothing is nothing', outcome({ state: 'x' }), null],
  [
    'RP-Initiated Logout §2: a query that is registered is kept',
    outcome({ post_logout_redirect_uri: 'https://app.example/bye?from=here', state: 'x' }),
    'https://app.example/bye?from=here&state=x',
  ],
  [
    'RP-Initiated Logout §2: the client may be named, too',
    outcome({ client_id: 'app', post_logout_redirect_uri: home }),
    home,
  ],
  [
    'RP-Initiated Logout §2: another client than the hint’s',
    outcome({ client_id: 'other', post_logout_redirect_uri: home }),
    'parameter_malformed',
  ],
  [
    'no hint, no redirect',
    outcome({ client_id: 'app', post_logout_redirect_uri: home }, 'absent', null),
    'nobody vouches',
  ],
  [
    'a hint whose key is gone vouches for nothing',
    outcome({ post_logout_redirect_uri: home }, 'unknown', null),
    'nobody vouches',
  ],
  ['a hint that is not one', outcome({ post_logout_redirect_uri: home }, 'invalid', null), 'parameter_malformed'],
  [
    'a client that was switched off',
    outcome({ post_logout_redirect_uri: home }, hint, leaving({ disabledAt: at(1) })),
    'nobody vouches',
  ],
  ['a client that is gone', outcome({ post_logout_redirect_uri: home }, hint, null), 'nobody vouches'],
  [
    'a state that is too long to be returned',
    outcome({ post_logout_redirect_uri: home, state: 'x'.repeat(4097) }),
    'parameter_malformed',
  ],
  [
    'the longest state',
    outcome({ post_logout_redirect_uri: home, state: 'x'.repeat(4096) }),
    `${home}?state=${'x'.repeat(4096)}`,
  ],
  ['the longest list of languages', outcome({ post_logout_redirect_uri: home, ui_locales: 'x'.repeat(1024) }), home],
  ['a longer one', outcome({ post_logout_redirect_uri: home, ui_locales: 'x'.repeat(1025) }), 'parameter_malformed'],
]
for (const [title, is, should] of table) test(title, () => assert.equal(is, should))

test('RFC 9700 §4.1.3: an address that is not the registered one to the byte is refused, however alike', () => {
  const alike = [
    `${home}/`,
    `${home}?`,
    `${home}#x`,
    `${home}?x=1`,
    `${home}%20`,
    'https://app.example/Bye',
    'https://APP.example/bye',
    'https://app.example:443/bye',
    'http://app.example/bye',
    'https://app.example/./bye',
    'https://app.example/a/../bye',
    'https://app.example/%62ye',
    'https://app.example.evil.example/bye',
    'https://app.example@evil.example/bye',
    'https://evil.example/?https://app.example/bye',
    'https://evil.example\\@app.example/bye',
    '//app.example/bye',
    'javascript:alert(1)//https://app.example/bye',
    ' https://app.example/bye',
    'https://app.example/cb',
  ]
  for (const address of alike)
    assert.equal(outcome({ post_logout_redirect_uri: address }), 'post_logout_redirect_uri_unregistered', address)
  fc.assert(
    fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (address) => {
      const led = outcome({ post_logout_redirect_uri: address })
      assert.ok(led === 'post_logout_redirect_uri_unregistered' || led === address)
    }),
  )
})

test('whatever the state, it stays a state', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 50 }), (state) => {
      const led = outcome({ post_logout_redirect_uri: home, state })
      assert.ok(led !== null && led.startsWith(`${home}?state=`))
      assert.equal(new URL(led).searchParams.size, 1)
    }),
  )
})

test('Front-Channel Logout §3: iss and sid are added to the query there is', () => {
  const query = 'iss=https%3A%2F%2Fas.example&sid=s%201'
  assert.equal(
    frontChannelFrame('https://app.example/out', 'https://as.example', 's 1'),
    `https://app.example/out?${query}`,
  )
  assert.equal(
    frontChannelFrame('https://app.example/out?a=b', 'https://as.example', 's 1'),
    `https://app.example/out?a=b&${query}`,
  )
})

test('Back-Channel Logout §2.4: what a logout token says, and never a nonce', () => {
  const told = {
    issuer: 'https://as.example',
    clientId: 'app',
    sub: 'alice',
    sid: 's1',
    jti: 'j',
    now: 1_999 as Instant,
  }
  assert.deepEqual(logoutTokenClaims(told), {
    iss: 'https://as.example',
    sub: 'alice',
    aud: 'app',
    iat: 1,
    exp: 121,
    jti: 'j',
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    sid: 's1',
  })
})

test('the port of a loopback address is free at sign-in (RFC 8252 §7.3), and not where one leaves to', () => {
  const registered = 'http://127.0.0.1/bye'
  const of = client({ post_logout_redirect_uris: [registered], application_type: 'native' }, { id: 'app' })
  assert.equal(outcome({ post_logout_redirect_uri: registered }, hint, of), registered)
  const otherPort = { post_logout_redirect_uri: 'http://127.0.0.1:50000/bye' }
  assert.equal(outcome(otherPort, hint, of), 'post_logout_redirect_uri_unregistered')
})
