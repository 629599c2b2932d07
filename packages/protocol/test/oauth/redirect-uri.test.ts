import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { matchRedirectUri, redirectKind, redirectUriProblem } from '../../src/oauth/redirect-uri.ts'
import { defaultAddressRules as rules } from '../../src/uri/address-rules.ts'

for (const [type, text] of [
  ['web', 'https://client.example/cb'],
  ['web', 'https://client.example/cb?tenant=1'],
  ['web', 'https://client.example'],
  ['web', 'http://127.0.0.1:3000/cb'],
  ['web', 'http://localhost/cb'],
  ['native', 'http://[::1]/cb'],
  ['native', 'com.example.app:/cb'],
  ['native', 'com.example.app://cb'],
  ['native', 'https://app.example/cb'],
  ['native', 'com.example.app:///cb'],
  ['native', 'xn--p1ai.example:/cb'],
  ['native', 'zed://agent/callback'],
  ['web', 'https://client.example/cb?next=%2Fcode%2Fstate&x-code=1'],
  ['web', 'https://Client.Example:8443/cb'],
  ['native', 'cursor://anysphere.cursor-mcp/oauth/callback'],
  ['native', 'vscode://vscode.github-authentication/did-authenticate'],
] as const)
  test(`RFC 6749 §3.1.2, RFC 8252 §7: a ${type} client may register ${text}`, () =>
    assert.equal(redirectUriProblem(text, type, rules), null))

for (const [type, text] of [
  ['web', ''],
  ['web', '/cb'],
  ['web', '//client.example/cb'],
  ['web', 'client.example/cb'],
  ['web', 'https://client.example/cb#x'],
  ['web', 'https://client.example/cb#'],
  ['web', 'https://user:pw@client.example/cb'],
  ['web', 'https://client.example@evil.example/cb'],
  ['web', 'https://client.example\\@evil.example/cb'],
  ['web', 'https://*.client.example/cb'],
  ['web', 'https://client.example/c b'],
  ['web', ' https://client.example/cb'],
  ['web', 'https://client.example/cb\n'],
  ['web', 'https://client.exämple/cb'],
  ['web', 'https:///cb\u0000'],
  ['web', 'http://client.example/cb'],
  ['web', 'http://127.1/cb'],
  ['web', 'http://127.0.0.1.evil.example/cb'],
  ['web', 'http://localhost.evil.example/cb'],
  ['web', 'http://localhost@evil.example/cb'],
  ['web', 'com.example.app:/cb'],
  ['native', 'javascript:alert(1)'],
  ['native', 'JavaScript:alert(1)'],
  ['native', 'data:text/html,x'],
  ['native', 'vbscript:x'],
  ['native', 'file:///etc/passwd'],
  ['native', 'blob:https://client.example/x'],
  ['native', 'intent://scan/'],
  ['native', 'about:blank'],
  ['native', 'view-source:https://client.example/'],
  ['native', 'filesystem:https://client.example/x'],
  ['native', 'ws://client.example/'],
  ['native', 'ftp://client.example/'],
  ['native', 'mailto:me@client.example'],
  ['native', 'chrome://settings'],
  ['native', 'ms-msdt:/id'],
  ['native', 'x-apple.systempreferences:x'],
  ['native', 'cursor://user@host/cb'],
  ['native', 'c:/cb'],
  ['native', `https://client.example/${'x'.repeat(2048)}`],
] as const)
  test(`RFC 6749 §3.1.2, RFC 9700 §4.1: a ${type} client cannot register ${JSON.stringify(text.slice(0, 48))}`, () =>
    assert.equal(typeof redirectUriProblem(text, type, rules), 'string'))

test('RFC 9700 §4.1: what is wrong with a redirect URI is said', () => {
  const problem = (text: string, type: 'web' | 'native' = 'web') => redirectUriProblem(text, type, rules) ?? 'none'
  for (const text of ['https://client.example/*', 'https://client.example/a%2Ab', 'https://client.example/cb?x=%2a'])
    assert.match(problem(text), /^must not hold a wildcard/, text)
  for (const text of ['https://client.example:22/cb', 'http://localhost:22/cb', 'https://client.example:6379/cb'])
    assert.equal(problem(text), 'must not use the port of another protocol', text)
  // Whose ports the scheme of an app has is its own matter.
  assert.equal(problem('com.example.app://host:22/cb', 'native'), 'none')
  for (const name of ['code', 'access_token', 'session_state'])
    assert.match(problem(`https://client.example/cb?${name}=1`), new RegExp(`^must not hold ${name} in its query`))
  assert.match(problem('http://client.example/cb'), /^must use https, or http with a loopback address/)
  assert.match(problem('com.example.app:/cb'), /application_type native/)
  assert.match(problem('mailto:/cb', 'native'), /^must use a scheme of its own/)
})

test('RFC 8252 §7: where a redirect URI leads, as pages say it', () => {
  assert.equal(redirectKind('http://127.0.0.1:3000/cb'), 'loopback')
  assert.equal(redirectKind('HTTPS://client.example/cb'), 'https')
  assert.equal(redirectKind('com.example.app:/cb'), 'private-use')
})

const web = {
  redirect_uris: ['https://client.example/cb', 'https://client.example/cb?tenant=1', 'http://127.0.0.1:3000/cb'],
}
const native = {
  application_type: 'native' as const,
  redirect_uris: ['http://127.0.0.1/cb', 'http://[::1]:8080/cb?x=1', 'http://localhost/cb', 'com.example.app:/cb'],
}

test('RFC 9700 §2.1: a registered redirect URI matches itself', () => {
  for (const client of [web, native])
    for (const text of client.redirect_uris) assert.equal(matchRedirectUri(text, client, rules), text)
})

for (const text of [
  'https://client.example/cb/',
  'https://client.example/cb?',
  'https://client.example/CB',
  'https://CLIENT.example/cb',
  'https://client.example:443/cb',
  'https://client.example/%63b',
  'https://client.example/./cb',
  'https://client.example/cb/../cb',
  'https://client.example/cb?tenant=1&x=2',
  'https://client.example/cb#',
  'https://client.example',
  'https://client.example.evil.example/cb',
  'http://client.example/cb',
  'https://client.example/cb ',
  'https://client.example/cb%00',
  'http://127.0.0.1:3001/cb',
  'http://127.0.0.1/cb',
])
  test(`RFC 9700 §4.1.3: ${JSON.stringify(text)} matches nothing of a web client`, () =>
    assert.equal(matchRedirectUri(text, web, rules), null))

for (const [text, registered] of [
  ['http://127.0.0.1:51004/cb', 'http://127.0.0.1/cb'],
  ['http://[::1]:1/cb?x=1', 'http://[::1]:8080/cb?x=1'],
  ['http://[::1]/cb?x=1', 'http://[::1]:8080/cb?x=1'],
  ['http://localhost:65535/cb', 'http://localhost/cb'],
] as const)
  test(`RFC 8252 §7.3: ${text} stands for ${registered} of a native client`, () =>
    assert.equal(matchRedirectUri(text, native, rules), registered))

for (const text of [
  'http://127.0.0.1:0/cb',
  'http://127.0.0.1:65536/cb',
  'http://127.0.0.1:/cb',
  'http://127.0.0.1:80a/cb',
  'http://127.0.0.1:80@evil.example/cb',
  'http://127.0.0.1:80/cb/',
  'http://127.0.0.1:80/cb#x',
  'http://127.0.0.1:80/cb?y',
  'http://127.0.0.2/cb',
  'http://127.1/cb',
  'http://[::ffff:127.0.0.1]/cb',
  'http://LOCALHOST:80/cb',
  'https://127.0.0.1/cb',
  'http://localhost.:80/cb',
  'com.example.app:1/cb',
  'com.example.app://cb',
])
  test(`RFC 8252 §7.3: ${text} matches nothing of a native client`, () =>
    assert.equal(matchRedirectUri(text, native, rules), null))

test('RFC 9700 §4.1.3: no change of a byte of a registered URI matches, but for a loopback port', () => {
  const uri = fc.constantFrom(...web.redirect_uris)
  const edit = fc.record({ at: fc.nat(60), put: fc.string({ unit: 'binary', maxLength: 3 }), cut: fc.nat(3) })
  fc.assert(
    fc.property(uri, edit, (text, { at, put, cut }) => {
      const changed = text.slice(0, at) + put + text.slice(at + cut)
      assert.equal(matchRedirectUri(changed, web, rules), web.redirect_uris.includes(changed) ? changed : null)
    }),
    { numRuns: 2000 },
  )
})
