/** Everything of one tenant at the endpoints of another, where both have the same clients, secrets and people. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { authorizePath, Browser, formOf, freshCode, isActive, redeem, refresh, type Tokens } from './browser.ts'
import { assertServes, assertSound } from './assert-safe.ts'
import { setStage, type Stage } from './deployment.ts'
import { alice, ledger, objects, service, unlimited, web } from './objects.ts'

const tenants = ['acme', 'globex'].map((id) => ({ id, name: id, ...objects }))
const bases = ['', '/t/acme', '/t/globex']
const pairs = bases.flatMap((home) => bases.filter((base) => base !== home).map((away) => ({ home, away })))

let stage: Stage
before(async () => void (stage = await setStage(unlimited, { ...objects, tenants })))
after(() => stage[Symbol.asyncDispose]())

const error = (body: string): string => (JSON.parse(body) as { error: string }).error

test('codes, refresh tokens and access tokens of one tenant are nothing in another, and survive being shown there', async () => {
  const { door } = stage
  for (const { home, away } of pairs) {
    const code = await freshCode(door, {}, { base: home })
    const stolen = await redeem(door, code, {}, { base: away })
    assertSound('a foreign code', stolen)
    assert.equal(error(stolen.body), 'invalid_grant')
    const kept = await redeem(door, code, {}, { base: home })
    assert.equal(kept.status, 200)
    const tokens = JSON.parse(kept.body) as Tokens
    const refreshed = await refresh(door, tokens.refresh_token, {}, { base: away })
    assert.equal(error(refreshed.body), 'invalid_grant')
    const own = await door.knock(`${home}/token`, {
      basic: service,
      form: { grant_type: 'client_credentials', resource: ledger },
    })
    const opaque = (JSON.parse(own.body) as { access_token: string }).access_token
    for (const [token, as] of [
      [tokens.access_token, web],
      [tokens.refresh_token, web],
      [opaque, service],
    ] as const) {
      assert.equal(await isActive(door, token, { as, base: away }), false)
      assertSound('a foreign revocation', await door.knock(`${away}/revoke`, { basic: as, form: { token } }))
      assert.equal(await isActive(door, token, { as, base: home }), true)
    }
    assert.equal((await door.knock(`${away}/userinfo`, { bearer: tokens.access_token })).status, 401)
    assert.equal((await door.knock(`${home}/userinfo`, { bearer: tokens.access_token })).status, 200)
    const hinted = await new Browser(door).visit(
      authorizePath({ prompt: 'none', id_token_hint: tokens.id_token }, away),
    )
    assert.match(hinted.headers.location ?? '', /error=invalid_request/)
    assert.equal((await refresh(door, tokens.refresh_token, {}, { base: home })).status, 200)
  }
})

test('sessions and interactions of one tenant are nothing in another, also under its cookie names', async () => {
  const { door } = stage
  for (const { home, away } of pairs) {
    const browser = new Browser(door)
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
    assertSound(moved, answer)
    assert.equal(answer.status, 400)
    const { csrf } = formOf(await browser.visit(opened))
    for (const step of ['sign-in', 'choose', 'decide']) {
      const done = await browser.visit(`${moved}/${step}`, { csrf, ...alice, allow: 'yes' })
      assertSound(step, done)
      assert.ok([400, 403].includes(done.status), `${step}: ${done.status}`)
    }
    await assertServes(door, away)
  }
})
