/** Everything of one tenant at the endpoints of another, where both have the same clients, secrets and people. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { authorizePath, Browser, formOf, freshCode, isActive, redeem, refresh, type Tokens } from './browser.ts'
import { assertServes, assertSafe } from './assert-safe.ts'
import { deploy, type Deployment } from './deployment.ts'
import { alice, ledger, objects, service, unlimited, web } from './objects.ts'

const tenants = ['acme', 'globex'].map((id) => ({ id, name: id, ...objects }))
const bases = ['', '/t/acme', '/t/globex']
const pairs = bases.flatMap((home) => bases.filter((base) => base !== home).map((away) => ({ home, away })))

let deployment: Deployment
before(async () => void (deployment = await deploy(unlimited, { ...objects, tenants })))
after(() => deployment[Symbol.asyncDispose]())

const error = (body: string): string => (JSON.parse(body) as { error: string }).error

test('codes, refresh tokens and access tokens of one tenant are nothing in another, and survive being shown there', async () => {
  const { http } = deployment
  for (const { home, away } of pairs) {
    const code = await freshCode(http, {}, { base: home })
    const stolen = await redeem(http, code, {}, { base: away })
    assertSafe('a foreign code', stolen)
    assert.equal(error(stolen.body), 'invalid_grant')
    const kept = await redeem(http, code, {}, { base: home })
    assert.equal(kept.status, 200)
    const tokens = JSON.parse(kept.body) as Tokens
    const refreshed = await refresh(http, tokens.refresh_token, {}, { base: away })
    assert.equal(error(refreshed.body), 'invalid_grant')
    const own = await http.send(`${home}/token`, {
      basic: service,
      form: { grant_type: 'client_credentials', resource: ledger },
    })
    const opaque = (JSON.parse(own.body) as { access_token: string }).access_token
    for (const [token, as] of [
      [tokens.access_token, web],
      [tokens.refresh_token, web],
      [opaque, service],
    ] as const) {
      assert.equal(await isActive(http, token, { as, base: away }), false)
      assertSafe('a foreign revocation', await http.send(`${away}/revoke`, { basic: as, form: { token } }))
      assert.equal(await isActive(http, token, { as, base: home }), true)
    }
    assert.equal((await http.send(`${away}/userinfo`, { bearer: tokens.access_token })).status, 401)
    assert.equal((await http.send(`${home}/userinfo`, { bearer: tokens.access_token })).status, 200)
    const hinted = await new Browser(http).visit(
      authorizePath({ prompt: 'none', id_token_hint: tokens.id_token }, away),
    )
    assert.match(hinted.headers.location ?? '', /error=invalid_request/)
    assert.equal((await refresh(http, tokens.refresh_token, {}, { base: home })).status, 200)
  }
})

test('sessions and interactions of one tenant are nothing in another, also under its cookie names', async () => {
  const { http } = deployment
  for (const { home, away } of pairs) {
    const browser = new Browser(http)
    await browser.submit(await browser.visit(`${home}/account`), alice)
    assert.doesNotMatch((await browser.visit(`${home}/account`)).body, /name="password"/)
    const suffix = (base: string): string => (base === '' ? '' : base.replace('/t/', '-'))
    for (const what of ['session', 'browser']) {
      const value = browser.cookies.get(`__Host-grantor-${what}${suffix(home)}`) ?? ''
      assert.match(value, /^g[lb]_/)
      browser.cookies.set(`__Host-grantor-${what}${suffix(away)}`, value)
    }
    assert.match((await browser.visit(`${away}/account`)).body, /name="password"/)
    const opened = (await browser.go(authorizePath({ prompt: 'login' }, home))).headers.location ?? ''
    const moved = opened.replace(`${home}/interact`, `${away}/interact`)
    const answer = await browser.go(moved)
    assertSafe(moved, answer)
    assert.equal(answer.status, 400)
    const { csrf } = formOf(await browser.visit(opened))
    for (const step of ['sign-in', 'choose', 'decide']) {
      const done = await browser.visit(`${moved}/${step}`, { csrf, ...alice, allow: 'yes' })
      assertSafe(step, done)
      assert.ok([400, 403].includes(done.status), `${step}: ${done.status}`)
    }
    await assertServes(http, away)
  }
})
