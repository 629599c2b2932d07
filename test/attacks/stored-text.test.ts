/** Text that databases choke on, in every place where a caller's words are kept: both databases keep it or we refuse it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Browser, formOf, redeem } from './browser.ts'
import { assertServes, assertSafe } from './assert-safe.ts'
import { databases, deploy } from './deployment.ts'
import { alice, objects, unlimited } from './objects.ts'

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
}
