/** No redirect ever leaves the registered set: twins of registered addresses, in every spelling, by every way to ask. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { authorizationRequest, authorizePath, Browser, formOf, redeem, withoutSent } from './browser.ts'
import type { HttpResponse } from './http-client.ts'
import { assertServes, assertSafe } from './assert-safe.ts'
import { deploy, type Deployment } from './deployment.ts'
import { alice, redirectUri } from './objects.ts'

let deployment: Deployment
before(async () => void (deployment = await deploy()))
after(() => deployment[Symbol.asyncDispose]())

/** Each is nearly one of the registered addresses of `web`, and none of them. */
const twins: readonly string[] = [
  // Case, scheme and host.
  'HTTPS://client.example/cb',
  'https://CLIENT.example/cb',
  'https://client.example/CB',
  'http://client.example/cb',
  'https:client.example/cb',
  'https:/client.example/cb',
  'https:///client.example/cb',
  '//client.example/cb',
  '/cb',
  'cb',
  'client.example/cb',
  // Path: slashes, dots, parameters, extensions.
  'https://client.example/cb/',
  'https://client.example//cb',
  'https://client.example/./cb',
  'https://client.example/x/../cb',
  'https://client.example/cb/..',
  'https://client.example/cb/../evil',
  'https://client.example/cb/%2e%2e/evil',
  'https://client.example/cb;x=1',
  'https://client.example/cb.evil',
  'https://client.example/cbevil',
  'https://client.example/c',
  'https://client.example',
  'https://client.example/',
  // Query added, moved, emptied.
  'https://client.example/cb?',
  'https://client.example/cb?a=b',
  'https://client.example/cb?tenant=2',
  'https://client.example/cb?tenant=1&tenant=2',
  'https://client.example/cb?tenant=1&',
  'https://client.example/cb?TENANT=1',
  'https://client.example/cb&tenant=1',
  // Fragments.
  'https://client.example/cb#',
  'https://client.example/cb#x',
  'https://client.example/cb%23',
  // Userinfo, ports, other hosts.
  'https://evil@client.example/cb',
  'https://client.example@evil.example/cb',
  'https://client.example:@evil.example/cb',
  'https://client.example%40evil.example/cb',
  'https://client.example:443/cb',
  'https://client.example:/cb',
  'https://client.example:444/cb',
  'https://client.example:80/cb',
  'https://client.example./cb',
  'https://client.example.evil.example/cb',
  'https://evil.example/cb',
  'https://evil.example/https://client.example/cb',
  'https://evil.example?https://client.example/cb',
  'https://evil.example#https://client.example/cb',
  'https://sub.client.example/cb',
  'https://client-example/cb',
  'https://clientxexample/cb',
  // Encodings of what needs none.
  'https://client.example/%63b',
  'https://client.example/cb%2f',
  'https://client.example/cb%00',
  'https://client.example/cb%20',
  'https://client.example/cb%0d%0aLocation:%20https://evil.example',
  'https%3a%2f%2fclient.example%2fcb',
  'https://client.example%2fcb',
  'https://client%2eexample/cb',
  // Backslashes, white space, control characters.
  'https:\\\\client.example\\cb',
  'https://client.example\\cb',
  'https://client.example\\@evil.example/cb',
  'https://evil.example\\@client.example/cb',
  '/\\evil.example',
  ' https://client.example/cb',
  'https://client.example/cb ',
  'https://client.example/cb\t',
  'https://client.example/cb\n',
  'https://client.exa\tmple/cb',
  'ht\ntps://client.example/cb',
  'https://client.example/cb\0',
  // Look-alikes and foreign characters.
  'https://client。example/cb',
  'https://ｃlient.example/cb',
  'https://сlient.example/cb',
  'https://client.example/cb\u200b',
  'https://client.example/cb\ufeff',
  'https://client.example/c\u0062\u0301',
  'https://xn--lient-5cd.example/cb',
  // Schemes that run, open or embed.
  'javascript:alert(1)',
  'javascript://client.example/cb%0aalert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://client.example/cb',
  'view-source:https://client.example/cb',
  'about:blank',
  'urn:ietf:wg:oauth:2.0:oob',
  'com.example.app:/cb',
  'intent://client.example/cb#Intent;scheme=https;end',
  // Lists, wildcards, lengths, addresses of others.
  'https://client.example/cb,https://evil.example',
  'https://client.example/cb https://evil.example',
  'https://*.example/cb',
  '*',
  `https://client.example/cb${'a'.repeat(2100)}`,
  'https://other.example/cb',
  'http://127.0.0.1/cb',
  'http://localhost/cb',
]

/** Of `native`: only the port may differ, and only where it is a port. */
const nativeTwins: readonly string[] = [
  'http://127.0.0.1:0/cb',
  'http://127.0.0.1:65536/cb',
  'http://127.0.0.1:99999/cb',
  'http://127.0.0.1:/cb',
  'http://127.0.0.1:80a/cb',
  'http://127.0.0.1:-1/cb',
  'http://127.0.0.1:8080:90/cb',
  'http://127.0.0.1:8080@evil.example/cb',
  'http://127.0.0.1:8080/cb/',
  'http://127.0.0.1:8080/CB',
  'http://127.0.0.1:8080/cb?x',
  'http://127.0.0.1:8080/cb#x',
  'http://127.0.0.1:8080\\cb',
  'http://127.0.0.1.evil.example:8080/cb',
  'http://127.0.0.1%2eevil.example/cb',
  'https://127.0.0.1:8080/cb',
  'http://127.0.0.2/cb',
  'http://127.1/cb',
  'http://127.0.1/cb',
  'http://0x7f000001/cb',
  'http://0x7f.0.0.1/cb',
  'http://2130706433/cb',
  'http://017700000001/cb',
  'http://0177.0.0.1/cb',
  'http://127.0.0.1./cb',
  'http://0.0.0.0/cb',
  'http://0/cb',
  'http://[::]/cb',
  'http://[0:0:0:0:0:0:0:1]/cb',
  'http://[::0001]/cb',
  'http://[::ffff:127.0.0.1]/cb',
  'http://[::1%25eth0]/cb',
  'http://::1/cb',
  'http://[::1]:70000/cb',
  'http://LOCALHOST/cb',
  'http://localhost./cb',
  'http://localhost.evil.example/cb',
  'http://evil@localhost/cb',
  'http://localhost:8080@evil.example/cb',
  'http://lоcalhost/cb',
  'com.example.app:/cb/',
  'com.example.app://cb',
  'com.example.app:cb',
  'COM.EXAMPLE.APP:/cb',
  'com.example.app2:/cb',
  'com.example.app:/cb?x',
]

function assertStays(uri: string, answer: HttpResponse): void {
  assertSafe(uri, answer)
  assert.equal(answer.headers.location, undefined, `${uri} → ${answer.headers.location}`)
  assert.equal(answer.status, 400, uri)
  assert.match(answer.headers['content-type'] ?? '', /^text\/html/)
  assert.doesNotMatch(withoutSent(answer.body), /evil|alert\(1\)/, uri)
}

test('RFC 9700 §4.1.3: a twin of a registered redirect URI is told on our own page, by GET and POST, whatever else is wrong', async () => {
  for (const uri of twins) {
    assertStays(uri, await deployment.http.send(authorizePath({ redirect_uri: uri })))
    assertStays(uri, await deployment.http.send('/authorize', { form: authorizationRequest({ redirect_uri: uri }) }))
    // An error that would go to the client must not go to a twin of it.
    for (const wrong of [
      { response_type: 'token' },
      { scope: '"' },
      { prompt: 'none' },
      { response_mode: 'form_post' },
    ]) {
      assertStays(uri, await deployment.http.send(authorizePath({ redirect_uri: uri, ...wrong })))
    }
  }
  await assertServes(deployment.http)
})

test('RFC 8252 §7.3: for a native client the port of a loopback address may differ, and nothing else', async () => {
  for (const uri of nativeTwins) {
    assertStays(uri, await deployment.http.send(authorizePath({ client_id: 'native', redirect_uri: uri })))
  }
  for (const uri of [
    'http://127.0.0.1:1/cb',
    'http://[::1]:65535/cb',
    'http://localhost:8080/cb',
    'com.example.app:/cb',
  ]) {
    const asked = authorizePath({ client_id: 'native', redirect_uri: uri, prompt: 'none' })
    const answer = await new Browser(deployment.http).visit(asked)
    assertSafe(uri, answer, { alsoAt: uri })
    assert.ok(answer.headers.location?.startsWith(`${uri}?error=login_required`), answer.body)
  }
})

test('the port exception is for native clients: a web client has none', async () => {
  for (const uri of ['https://client.example:8443/cb', 'http://client.example:80/cb']) {
    assertStays(uri, await deployment.http.send(authorizePath({ redirect_uri: uri })))
  }
})

test('a redirect URI that comes twice, under other names or inside others is not taken from there', async () => {
  const query = new URLSearchParams(authorizationRequest()).toString()
  const evil = encodeURIComponent('https://evil.example/cb')
  const twice = [
    `${query}&redirect_uri=${evil}`,
    `redirect_uri=${evil}&${query}`,
    `${query}&redirect_uri=`,
    `${query}&redirect%5furi=${evil}`,
  ]
  for (const text of twice) {
    assertStays(text, await deployment.http.send(`/authorize?${text}`))
  }
  for (const more of [
    'redirect_uri[]',
    'redirect_uri[0]',
    'Redirect_uri',
    'redirectUri',
    'redirect_uri ',
    'return_to',
  ]) {
    const answer = await deployment.http.send(`/authorize?${query}&${encodeURIComponent(more)}=${evil}`)
    assertSafe(more, answer)
    assert.match(answer.headers.location ?? '', /^\/interact\/gi_[\w-]+$/)
  }
})

test('pages lead back to the registered address only, to the end of the way', async () => {
  const browser = new Browser(deployment.http)
  const login = await browser.visit(authorizePath())
  const policy = String(login.headers['content-security-policy'])
  assert.match(policy, /form-action 'self' https:\/\/client\.example(;|$)/)
  const { action, csrf } = formOf(login)
  const consent = await browser.visit(action, {
    csrf,
    ...alice,
    redirect_uri: 'https://evil.example',
    next: '//evil.example',
  })
  const allow = formOf(consent)
  const answer = await browser.visit(allow.action, {
    csrf: allow.csrf,
    allow: 'yes',
    redirect_uri: 'https://evil.example',
  })
  assertSafe('the answer', answer)
  const { location = '' } = answer.headers
  assert.ok(location.startsWith(`${redirectUri}?code=`), location)
  const code = new URL(location).searchParams.get('code') ?? ''
  assert.equal((await redeem(deployment.http, code, { redirect_uri: 'https://evil.example' })).status, 400)
  assert.equal((await redeem(deployment.http, code)).status, 200)
})

test('addresses that look like our own lead nowhere else after signing in or out', async () => {
  const browser = new Browser(deployment.http)
  const login = await browser.visit('/account')
  const { action, csrf } = formOf(login)
  for (const name of ['return_to', 'next', 'redirect_uri', 'post_logout_redirect_uri', 'url', 'continue']) {
    for (const target of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
      const more = `${name}=${encodeURIComponent(target)}`
      for (const path of ['/account', '/account/enter', '/logout', '/signed-out']) {
        const answer = await deployment.http.send(`${path}?${more}`)
        assertSafe(`${path}?${more}`, answer)
        assert.doesNotMatch(answer.body, /evil\.example|alert\(1\)/)
      }
    }
  }
  const entered = await browser.go(action, {
    csrf,
    ...alice,
    next: '//evil.example',
    return_to: 'https://evil.example',
  })
  assert.equal(entered.headers.location, '/account')
})

test('any edit of a registered address makes it another', async () => {
  const character = fc.oneof(
    fc.constantFrom('/', ':', '@', '.', '?', '#', '&', '=', '%', '\\', ';', ',', '\t', '\n', '*', 'c', 'C', '%2f'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }).filter((text) => text.isWellFormed()),
  )
  const edit = fc.record({ at: fc.nat(redirectUri.length), cut: fc.nat(3), put: fc.array(character, { maxLength: 3 }) })
  await fc.assert(
    fc.asyncProperty(edit, async ({ at, cut, put }) => {
      const uri = redirectUri.slice(0, at) + put.join('') + redirectUri.slice(at + cut)
      fc.pre(uri !== redirectUri && uri !== `${redirectUri}?tenant=1` && uri !== '')
      const answer = await deployment.http.send(authorizePath({ redirect_uri: uri }))
      assertSafe(uri, answer)
      assert.equal(answer.status, 400)
      assert.equal(answer.headers.location, undefined)
    }),
    { numRuns: 1500 },
  )
})
