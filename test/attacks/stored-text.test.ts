/** Text that databases choke on, in every place where a caller's words are kept: both databases keep it or we refuse it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adminScopes } from '@grantor/protocol/oauth'
import { Browser, formOf, redeem } from './browser.ts'
import { assertServes, assertSafe } from './assert-safe.ts'
import { databases, deploy } from './deployment.ts'
import { alice, objects, posting, service, unlimited, web } from './objects.ts'

/** As JSON writes them: NUL, halves of characters, noncharacters, the last one there is. */
const strange = [
  '\\u0000',
  '\\ud800',
  '\\udc00x',
  '\uffff',
  '\ufffe',
  '\u{10ffff}',
  '\\u202e',
  "'; drop table grants --",
]

for (const on of databases) {
  test(`${on}: strange text in claims, state, nonce and hints goes all the way to a token, or is refused`, async () => {
    await using deployment = await deploy(unlimited, objects, on)
    const { http, server } = deployment
    for (const text of strange) {
      for (const claims of [`{"userinfo":{"${text}":null}}`, `{"id_token":{"name":{"values":["${text}"]}}}`]) {
        const browser = new Browser(http)
        const response = await browser.authorize({
          claims,
          state: text,
          nonce: text,
          login_hint: text,
          ui_locales: text,
        })
        assert.equal(response.get('state'), text)
        if (response.has('error')) {
          assert.equal(response.get('error'), 'invalid_request')
          continue
        }
        const answer = await redeem(http, response.get('code') ?? '')
        assert.equal(answer.status, 200, answer.body)
        const { access_token: bearer } = JSON.parse(answer.body) as { access_token: string }
        assert.equal((await http.send('/userinfo', { bearer })).status, 200)
      }
    }
    assert.doesNotMatch(server.output(), /"level":50/)
    await assertServes(http)
  })

  test(`${on}: strange names and headers of a sign-in are refused or kept, and shown again as text`, async () => {
    await using deployment = await deploy(unlimited, objects, on)
    const { http, server } = deployment
    for (const name of ['\u{1f600}', 'a\u202eb', 'İ', 'ß', '\ufdfa'.repeat(100), '%00', "alice'--", 'alice%']) {
      const browser = new Browser(http)
      const answer = await browser.submit(await browser.visit('/account'), { username: name, password: alice.password })
      assertSafe(name, answer)
      assert.equal(answer.status, 401, name)
    }
    for (const agent of ['\x80\xff\xfe', 'a\tb', '\xc0\xaf', '<script>alert(1)</script>', 'x'.repeat(5_000)]) {
      const browser = new Browser(http)
      const { action, csrf } = formOf(await browser.visit('/account'))
      const headers = [
        ['cookie', browser.cookieHeader],
        ['user-agent', agent],
        ['traceparent', agent.slice(0, 60)],
      ] as const
      const entered = await http.send(action, { headers, form: { csrf, ...alice } })
      assert.equal(entered.status, 303)
      const session = (entered.headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0]).join('; ')
      for (const path of ['/account/sessions', '/account/activity']) {
        const page = await http.send(path, { headers: [['cookie', `${browser.cookieHeader}; ${session}`]] })
        assert.equal(page.status, 200)
        assert.doesNotMatch(page.body, /<script>alert/)
      }
    }
    assert.doesNotMatch(server.output(), /"level":50/)
    await assertServes(http)
  })

  test(`${on}: an id with NUL in it is of nothing, wherever one is asked for`, async () => {
    const scope = adminScopes.join(' ')
    const administrator = { grant_types: ['client_credentials'], response_types: [], scope }
    const admin = ['admin-tool', 'zz9canary-admin-secret-of-32-characters'] as const
    const clients = [...objects.clients, { ...administrator, client_id: admin[0], client_secret: admin[1] }]
    await using deployment = await deploy(unlimited, { ...objects, clients }, on)
    const { http, server } = deployment
    const issued = await http.send('/token', { basic: admin, form: { grant_type: 'client_credentials', scope } })
    const { access_token: bearer } = JSON.parse(issued.body) as { access_token: string }
    const ids = ['a\0b', `gat_${'a'.repeat(21)}\0${'a'.repeat(21)}`, `grt_\0${'a'.repeat(42)}`, 'a.\0.b']
    for (const id of ids) {
      for (const path of ['/introspect', '/revoke']) {
        const answer = await http.send(path, { basic: service, form: { token: id } })
        assertSafe(path, answer)
        assert.match(answer.body, /^$|"active":false|"error":"invalid_request"/)
      }
      for (const form of [
        { grant_type: 'authorization_code', code: id, redirect_uri: id, code_verifier: id },
        { grant_type: 'refresh_token', refresh_token: id },
        { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: id },
        { grant_type: 'client_credentials', scope: id, resource: id },
        { grant_type: id },
      ])
        assertSafe(JSON.stringify(form), await http.send('/token', { basic: web, form }))
      for (const basic of [[id, 'x'.repeat(32)] as const, [posting[0], id] as const])
        assertSafe('basic', await http.send('/token', { basic, form: { grant_type: 'client_credentials' } }))
      const query = encodeURIComponent(id)
      for (const path of [
        `/authorize?client_id=${query}`,
        `/authorize?client_id=web&request_uri=${query}`,
        `/logout?client_id=${query}&id_token_hint=${query}`,
        `/logos?client_id=${query}`,
        `/interact/${query}`,
        `/register/${query}`,
        `/t/${query}/jwks`,
      ])
        assertSafe(path, await http.send(path))
    }
    const { paths } = JSON.parse((await http.send('/openapi.json')).body) as { paths: Record<string, object> }
    const named = Object.entries(paths).filter(([path]) => path.includes('{'))
    assert.ok(named.length > 10)
    for (const [path, operations] of named)
      for (const method of ['get', 'delete'].filter((it) => it in operations)) {
        const url = path.replaceAll(/\{\w+\}/g, 'a%00b')
        const answer = await http.send(url, { method: method.toUpperCase(), bearer, headers: [['if-match', '*']] })
        assertSafe(`${method} ${url}`, answer)
        assert.ok(answer.status >= 400, `${method} ${url}: ${answer.status}`)
      }
    assert.doesNotMatch(server.output(), /"level":50/)
    await assertServes(http)
  })
}
