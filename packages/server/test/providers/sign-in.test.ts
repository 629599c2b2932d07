/** Signing in by another provider: the way there and back, who it is, and everything that must not let anybody in. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { JsonObject, TenantId } from '@grantor/protocol/types'
import { type HandBrowser, type PageAnswer, pageOf, tokenIn } from '../interact/deployment.ts'
import { enrolAppIn } from '../interact/enrolled.ts'
import { deployWithProviders, main, password, type ProviderDeployment } from './deployment.ts'
import type { FakeIssuer } from './upstream.ts'

let it: ProviderDeployment
let one: FakeIssuer
let two: FakeIssuer
let people = 0

const operator = { kind: 'operator', id: 'test' } as const
const acme = 'acme' as TenantId

before(async () => {
  it = await deployWithProviders()
  ;({ one, two } = it.providers)
})
after(() => it[Symbol.asyncDispose]())
beforeEach(() => {
  one.telling = {}
  two.telling = {}
})

const session = '__Host-grantor-session'
const isSignedIn = async (browser: HandBrowser, base = ''): Promise<boolean> =>
  pageOf(await browser.ask(`${base}/account`)) === 'account'

/** Presses the button of a provider at a page; where the browser is then sent. */
async function leave(browser: HandBrowser, provider: string, page: string): Promise<string> {
  const path = page.includes('/interact/') ? '/provider' : '/enter/provider'
  const csrf = tokenIn((await browser.ask(page)).body)
  const answer = await browser.ask(`${page}${path}`, { form: { csrf, provider } })
  assert.equal(answer.status, 303, answer.body)
  return answer.headers.location ?? ''
}

const follow = (browser: HandBrowser, answer: PageAnswer): Promise<PageAnswer> =>
  browser.ask(answer.headers.location ?? '')

/** From nothing to what the person is shown. */
async function signIn(
  provider: string,
  sub: string,
  browser = it.browser(),
): Promise<PageAnswer & { browser: HandBrowser }> {
  const location = await leave(browser, provider, '/account')
  const back = await browser.ask(one.approve(location, sub))
  assert.equal(back.status, 303, back.body)
  return { ...(await follow(browser, back)), browser }
}

const newSub = (): string => `sub-${people++}`

async function person(username: string, more: JsonObject = {}): Promise<string> {
  const input = { username, password, claims: more, administrator: null, mustChangePassword: false }
  const made = await it.authority.admin.users.create(operator, main, input)
  assert.ok(made.kind === 'ok', JSON.stringify(made))
  return made.value.id
}

/** By a name of theirs alone. */
async function claimsOf(username: string): Promise<JsonObject | undefined> {
  const found = await it.authority.admin.users.list(main, { after: null, limit: 500 })
  assert.ok(found.kind === 'ok')
  return found.value.find((user) => user.username === username)?.claims
}

const twice = (response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end('{"sub":"one","sub":"other"}')

async function lastEvents(count: number): Promise<string> {
  const found = await it.authority.admin.events.last(main, count)
  assert.ok(found.kind === 'ok')
  return JSON.stringify(found.value)
}

describe('the way there and back', () => {
  before(() =>
    it.declare([it.provider('one', { create: true }), it.provider('two', { issuer: two.issuer, create: true })]),
  )

  test('OIDC Core §3.1.2.1: the request asks for a code with state, nonce and PKCE, and the account is made', async () => {
    const browser = it.browser()
    const page = await browser.ask('/account')
    for (const id of ['provider-one', 'provider-two']) assert.ok(page.body.includes(`id="${id}"`))
    const location = new URL(await leave(browser, 'one', '/account'))
    const asked = Object.fromEntries(location.searchParams)
    assert.equal(asked['client_id'], 'us')
    assert.equal(asked['code_challenge_method'], 'S256')
    assert.equal(asked['scope'], 'openid profile email')
    assert.match(asked['redirect_uri'] ?? '', /\/callback\/one$/)
    one.telling.claims = {
      preferred_username: 'Grace',
      name: 'Grace H.',
      email: 'grace@example.com',
      email_verified: false,
    }
    const back = await browser.ask(one.approve(location.href, newSub()))
    assert.match(back.headers.location ?? '', /^\/account/)
    assert.ok(await isSignedIn(browser))
    assert.deepEqual(await claimsOf('Grace'), { name: 'Grace H.' }, 'an address that is not verified is not taken over')
  })

  test('the same sub is the same person; another of the same name is another', async () => {
    one.telling.claims = { preferred_username: 'Twin' }
    const sub = newSub()
    const first = await signIn('one', sub)
    const again = await signIn('one', sub)
    const other = await signIn('one', newSub())
    const nameOf = ({ body }: PageAnswer) => /Twin|one-[0-9a-f]{12}/.exec(body)?.[0]
    assert.equal(nameOf(first), 'Twin')
    assert.equal(nameOf(again), 'Twin')
    assert.match(nameOf(other) ?? '', /^one-/)
  })

  test('an authorization goes on where it was left, and its session says how and by whom it came', async () => {
    const browser = it.browser()
    const hub = await browser.begin()
    const location = await leave(browser, 'one', hub)
    const sub = newSub()
    const back = await browser.ask(one.approve(location, sub))
    assert.equal(back.headers.location, hub)
    const answer = await browser.ask(hub)
    assert.match(answer.headers.location ?? '', /^https:\/\/client\.example\/cb\?code=/)
    const started = await lastEvents(20)
    assert.match(started, /"provider":"one"/)
    assert.match(started, /"amr":\[\]/)
  })

  test('a return that is lost, replayed, forged, of another browser or of another provider changes nothing', async () => {
    const browser = it.browser()
    const location = await leave(browser, 'one', '/account')
    const good = one.approve(location, newSub())
    const stranger = it.browser()
    await stranger.ask('/account')
    const state = new URL(location).searchParams.get('state') ?? ''
    const wrong: readonly (readonly [HandBrowser, string])[] = [
      [stranger, good],
      [browser, good.replace('/callback/one', '/callback/two')],
      [browser, good.replace('/callback/one', '/callback/nobody')],
      [browser, good.replace('/callback/one', '/t/acme/callback/one')],
      [browser, good.replace(state, 'A'.repeat(43))],
      [browser, good.replace(`state=${state}`, 'state=')],
      [browser, '/callback/one'],
      [browser, '/callback/one?error=access_denied'],
      [it.browser(), good],
    ]
    for (const [who, path] of wrong) {
      const answer = await who.ask(path)
      assert.equal(answer.status, 400, path)
      assert.equal(pageOf(answer), 'error')
      assert.match(answer.body, /href="\/"/, 'a way on')
      assert.equal(await isSignedIn(who), false)
    }
    assert.equal((await browser.ask(good)).status, 303)
    assert.ok(await isSignedIn(browser))
    const kept = browser.cookies.get(session)
    const replayed = await browser.ask(good)
    assert.equal(replayed.status, 400)
    assert.equal(browser.cookies.get(session), kept)
  })

  test('two returns at once: one signs in', async () => {
    const browser = it.browser()
    const good = one.approve(await leave(browser, 'one', '/account'), newSub())
    const answers = await Promise.all([1, 2, 3, 4].map(() => browser.ask(good)))
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [303, 400, 400, 400],
    )
  })

  test('a HEAD of the return uses nothing up', async () => {
    const browser = it.browser()
    const good = one.approve(await leave(browser, 'one', '/account'), newSub())
    await browser.ask(good, { method: 'HEAD' })
    assert.equal((await browser.ask(good)).status, 303)
    assert.ok(await isSignedIn(browser))
  })

  test('form_post: a form of another site comes without cookies, and is asked for anew with them', async () => {
    const browser = it.browser()
    const good = one.approve(await leave(browser, 'one', '/account'), newSub(), {
      scope: 'x',
      redirect_uri: 'https://evil.example',
    })
    const [path = '', query = ''] = good.split('?')
    const posted = await it.send(path, { content: query })
    assert.equal(posted.status, 303)
    assert.doesNotMatch(posted.headers.location ?? '', /evil|^https?:|^\/\//)
    assert.equal((await browser.ask(posted.headers.location ?? '')).status, 303)
    assert.ok(await isSignedIn(browser))
  })

  test('nothing that comes with the return or the form leads anywhere else', async () => {
    const browser = it.browser()
    const page = await browser.ask('/account')
    const evil = { section: '//evil.example', redirect_uri: 'https://evil.example', next: 'https://evil.example' }
    const form = { csrf: tokenIn(page.body), provider: 'one', ...evil }
    const left = await browser.ask('/account/enter/provider', { form })
    const back = await browser.ask(one.approve(left.headers.location ?? '', newSub(), evil))
    assert.equal(back.headers.location, '/account')
  })

  test('without our own form nobody is sent anywhere', async () => {
    const browser = it.browser()
    await browser.ask('/account')
    const answer = await browser.ask('/account/enter/provider', { form: { provider: 'one' } })
    assert.equal(answer.status, 403)
    const hub = await browser.begin()
    assert.equal((await browser.ask(`${hub}/provider`, { form: { provider: 'one' } })).status, 403)
  })

  test('RFC 9207, mix-up: an answer that names another issuer, or none where it promised to, is refused', async () => {
    for (const iss of [two.issuer, `${one.issuer}/`, 'https://evil.example', '']) {
      const browser = it.browser()
      const good = one.approve(await leave(browser, 'one', '/account'), newSub(), { iss })
      const before = one.asked.filter((path) => path === '/token').length
      const answer = await browser.ask(good)
      assert.match(answer.headers.location ?? '', /problem=refused/)
      assert.equal(one.asked.filter((path) => path === '/token').length, before, 'the code went nowhere')
      assert.equal(await isSignedIn(browser), false)
    }
    one.telling.unnamed = true
    const browser = it.browser()
    const unnamed = await browser.ask(one.approve(await leave(browser, 'one', '/account'), newSub()))
    assert.match(unnamed.headers.location ?? '', /problem=refused/)
  })

  test('a code of somebody else that is put into the return is worth nothing (RFC 9700 §4.5)', async () => {
    const [victim, attacker] = [it.browser(), it.browser()]
    const theirs = new URL(one.approve(await leave(attacker, 'one', '/account'), newSub()), 'https://x')
    const own = new URL(one.approve(await leave(victim, 'one', '/account'), newSub()), 'https://x')
    own.searchParams.set('code', theirs.searchParams.get('code') ?? '')
    const answer = await victim.ask(`${own.pathname}${own.search}`)
    assert.match(answer.headers.location ?? '', /problem=/)
    assert.equal(await isSignedIn(victim), false)
  })

  test('OIDC Core §3.1.3.7: an ID token that fails any check lets nobody in, and the log says which', async () => {
    const now = Math.floor(Date.now() / 1000)
    const bad: readonly (readonly [string, FakeIssuer['telling']])[] = [
      ['token_iss', { claims: { iss: two.issuer } }],
      ['token_aud', { claims: { aud: 'somebody-else' } }],
      ['token_aud', { claims: { aud: ['us', 'somebody-else'] } }],
      ['token_azp', { claims: { azp: 'somebody-else' } }],
      ['token_nonce', { claims: { nonce: 'another' } }],
      ['token_nonce', { claims: { nonce: null } }],
      ['token_exp', { claims: { exp: now - 600 } }],
      ['token_exp', { claims: { exp: null } }],
      ['token_iat', { claims: { iat: now + 3600 } }],
      ['token_iat', { claims: { iat: now - 86_400 } }],
      ['token_sub', { claims: { sub: null } }],
      ['token_sub', { claims: { sub: 'x'.repeat(256) } }],
      ['token_sub', { claims: { sub: 7 } }],
      ['token_typ', { signing: { typ: 'logout+jwt' } }],
      ['token_typ', { signing: { typ: 'at+jwt' } }],
      ['token_signature', { signing: { key: 'other' } }],
      ['token_alg', { signing: { alg: 'HS256' } }],
      ['token_malformed', { signing: { alg: 'none' } }],
    ]
    for (const [problem, telling] of bad) {
      one.telling = telling
      const browser = it.browser()
      const answer = await browser.ask(one.approve(await leave(browser, 'one', '/account'), newSub()))
      assert.equal(answer.headers.location, '/account?problem=refused&provider=one', problem)
      assert.equal((await follow(browser, answer)).status, 401)
      assert.equal(await isSignedIn(browser), false, problem)
      assert.match(await lastEvents(1), new RegExp(`"problem":"${problem}"`))
    }
  })

  test('OIDC Core §5.3.2: userinfo of somebody else or of no form lets nobody in who is new, and the log says which check failed', async () => {
    const signed: FakeIssuer['telling']['broken'] = {
      '/userinfo': (response) => response.writeHead(200, { 'content-type': 'application/jwt' }).end('e30.e30.e30'),
    }
    const refused: FakeIssuer['telling']['broken'] = {
      '/userinfo': (response) => response.writeHead(401, { 'content-type': 'application/json' }).end('{}'),
    }
    const bad: readonly (readonly [problem: string, told: string, FakeIssuer['telling']])[] = [
      ['userinfo_sub', 'refused', { userinfo: { sub: 'somebody-else' } }],
      ['userinfo_sub', 'refused', { userinfo: { sub: null } }],
      ['userinfo_answer', 'refused', { broken: { '/userinfo': twice } }],
      ['userinfo_type', 'unavailable', { broken: signed }],
      ['userinfo_status', 'unavailable', { broken: refused }],
    ]
    for (const [problem, told, telling] of bad) {
      one.telling = telling
      const browser = it.browser()
      const answer = await browser.ask(one.approve(await leave(browser, 'one', '/account'), newSub()))
      assert.equal(answer.headers.location, `/account?problem=${told}&provider=one`, problem)
      assert.equal(await isSignedIn(browser), false, problem)
      assert.match(await lastEvents(1), new RegExp(`"problem":"${problem}"`))
    }
  })

  test('a provider that is away, slow, huge or broken is told so, and the other ways in remain', async () => {
    const broken: readonly FakeIssuer['telling'][] = [
      { broken: { '/token': (response) => response.writeHead(500, { 'content-type': 'application/json' }).end('{}') } },
      {
        broken: {
          '/token': (response) =>
            response.writeHead(200, { 'content-type': 'application/json' }).end('x'.repeat(200_000)),
        },
      },
      { broken: { '/token': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('{}') } },
      { broken: { '/token': (response) => response.destroy() } },
    ]
    for (const telling of broken) {
      one.telling = telling
      const browser = it.browser()
      const answer = await browser.ask(one.approve(await leave(browser, 'one', '/account'), newSub()))
      assert.match(answer.headers.location ?? '', /problem=unavailable/)
      const page = await follow(browser, answer)
      assert.match(page.body, /Provider one cannot be reached/)
      assert.match(page.body, /id="password"/)
      assert.match(page.body, /id="provider-two"/)
    }
  })

  test('one that cannot be found is not left for', async () => {
    await it.declare([it.provider('gone', { issuer: `https://localhost:${it.providers.port}/nowhere` })])
    const browser = it.browser()
    assert.match(await leave(browser, 'gone', '/account'), /^\/account\?problem=unavailable&provider=gone$/)
    await it.declare([it.provider('one', { create: true }), it.provider('two', { issuer: two.issuer, create: true })])
  })

  test('cancelled there: the person is back where they were', async () => {
    const browser = it.browser()
    const hub = await browser.begin()
    const state = new URL(await leave(browser, 'one', hub)).searchParams.get('state') ?? ''
    const query = new URLSearchParams({ error: 'access_denied', state, iss: one.issuer })
    const answer = await browser.ask(`/callback/one?${query.toString()}`)
    assert.equal(answer.headers.location, `${hub}?problem=cancelled&provider=one`)
    const page = await follow(browser, answer)
    assert.match(page.body, /You did not sign in with Provider one/)
    assert.equal(pageOf(page), 'login')
  })

  test('disabled, taken away or of another tenant in the middle, it lets nobody in', async () => {
    for (const then of [[it.provider('one', { disabled: true })], [it.provider('else')]]) {
      await it.declare([it.provider('one', { create: true })])
      const browser = it.browser()
      const good = one.approve(await leave(browser, 'one', '/account'), newSub())
      await it.declare(then)
      const answer = await browser.ask(good)
      assert.match(answer.headers.location ?? '', /problem=unavailable/)
      assert.match((await follow(browser, answer)).body, /no longer offered/)
      assert.equal(await isSignedIn(browser), false)
    }
    const stranger = it.browser()
    const page = await stranger.ask('/t/acme/account')
    const form = { csrf: tokenIn(page.body), provider: 'one' }
    const left = await stranger.ask('/t/acme/account/enter/provider', { form })
    assert.match(left.headers.location ?? '', /^\/t\/acme\/account\?problem=unavailable/)
    await it.declare([it.provider('one', { create: true }), it.provider('two', { issuer: two.issuer, create: true })])
  })
})

describe('who it is', () => {
  test('without `create` nobody is made, and nothing tells whether the address has an account', async () => {
    await it.declare([it.provider('one')])
    await person('has-account', { email: 'known@example.com', email_verified: true })
    const pages: string[] = []
    for (const email of ['known@example.com', 'unknown@example.com']) {
      one.telling.claims = { email, email_verified: true }
      const { body, browser } = await signIn('one', newSub())
      assert.match(body, /Nobody here is linked/)
      pages.push(body.replaceAll(/csrf" value="[^"]*"|data-options="[^"]*"/g, ''))
      assert.equal(await isSignedIn(browser), false)
    }
    assert.equal(pages[0], pages[1])
  })

  test('an address links nobody unless the tenant trusts it, and it is verified on both sides', async () => {
    const trusting = { trust_email: true, create: true }
    await person('unverified-here', { email: 'here@example.com' })
    await person('verified-here', { email: 'both@example.com', email_verified: true })
    const cases: readonly (readonly [JsonObject, JsonObject, boolean])[] = [
      [{ create: true }, { email: 'both@example.com', email_verified: true }, false],
      [trusting, { email: 'both@example.com', email_verified: false }, false],
      [trusting, { email: 'both@example.com' }, false],
      [trusting, { email: 'here@example.com', email_verified: true }, false],
      [trusting, { email: 'both@example.com', email_verified: true }, true],
    ]
    for (const [declared, claims, links] of cases) {
      await it.declare([it.provider('one', declared)])
      one.telling.claims = { ...claims, preferred_username: `x-${people}` }
      const { body } = await signIn('one', newSub())
      assert.equal(body.includes('verified-here') && !body.includes('unverified-here'), links, JSON.stringify(claims))
    }
  })

  test('another sub with the address of somebody who is linked is refused plainly', async () => {
    await it.declare([it.provider('one', { trust_email: true, create: true })])
    await person('linked-once', { email: 'once@example.com', email_verified: true })
    one.telling.claims = { email: 'once@example.com', email_verified: true }
    const sub = newSub()
    assert.match((await signIn('one', sub)).body, /linked-once/)
    const { body, browser } = await signIn('one', newSub())
    assert.match(body, /linked to another account at Provider one/)
    assert.equal(await isSignedIn(browser), false)
    // An address that changed there changes nobody here.
    one.telling.claims = { email: 'other@example.com', email_verified: true }
    assert.match((await signIn('one', sub)).body, /linked-once/)
  })

  test('the same sub of another issuer is nobody: not under the same name of a provider either', async () => {
    await it.declare([it.provider('one', { create: true })])
    one.telling.claims = { preferred_username: 'of-one' }
    const sub = newSub()
    assert.match((await signIn('one', sub)).body, /of-one/)
    await it.declare([it.provider('one', { issuer: two.issuer })])
    const browser = it.browser()
    const answer = await browser.ask(two.approve(await leave(browser, 'one', '/account'), sub))
    assert.match(answer.headers.location ?? '', /problem=unlinked/)
  })

  test('claims are mapped as declared, from userinfo too, and what it says of somebody else is not', async () => {
    await it.declare([
      it.provider('one', { create: true, trust_email: true, claims: { username: 'uid', nickname: 'alias' } }),
    ])
    one.telling.userinfo = { uid: 'Mapped', alias: 'M', email: 'mapped@example.com', email_verified: true, admin: true }
    await signIn('one', newSub())
    assert.deepEqual(await claimsOf('Mapped'), { nickname: 'M', email: 'mapped@example.com', email_verified: true })
    one.telling.userinfo = { sub: 'somebody-else', uid: 'Swapped' }
    const { browser } = await signIn('one', newSub())
    assert.equal(await isSignedIn(browser), false)
  })

  test('nobody gets the address of somebody here for a name, whatever they are called there', async () => {
    await it.declare([it.provider('one', { create: true })])
    await person('owner-of-it', { email: 'Owner@example.com', email_verified: true })
    one.telling.claims = { preferred_username: 'owner@Example.com' }
    const { body } = await signIn('one', newSub())
    assert.match(body, /one-[0-9a-f]{12}/)
    assert.equal(await claimsOf('owner@Example.com'), undefined)
    // By an address of nobody they may be called.
    one.telling.claims = { preferred_username: 'upn@example.com' }
    assert.match((await signIn('one', newSub())).body, /upn@example\.com/)
  })

  test('whoever is disabled here is not let in from there, and is not told so', async () => {
    await it.declare([it.provider('one', { create: true })])
    one.telling.claims = { preferred_username: 'Barred' }
    const sub = newSub()
    await signIn('one', sub)
    const disabled = await it.authority.admin.users.setDisabled(operator, main, { username: 'Barred', disabled: true })
    assert.equal(disabled.kind, 'ok')
    const { browser } = await signIn('one', sub)
    assert.equal(await isSignedIn(browser), false)
  })

  test('a mail domain leads to its provider with the address as a hint, and no password is looked at', async () => {
    await it.declare([it.provider('one', { domains: ['corp.example'], create: true })])
    const browser = it.browser()
    for (const page of ['/account', await browser.begin()]) {
      const csrf = tokenIn((await browser.ask(page)).body)
      const form = { csrf, username: ' Ada@CORP.example ', password: '' }
      const answer = await browser.ask(`${page}${page === '/account' ? '/enter' : '/sign-in'}`, { form })
      const location = new URL(answer.headers.location ?? '')
      assert.equal(location.origin + location.pathname, `${one.issuer}/authorize`)
      assert.equal(location.searchParams.get('login_hint'), 'Ada@CORP.example')
    }
    const csrf = tokenIn((await browser.ask('/account')).body)
    const other = await browser.ask('/account/enter', {
      form: { csrf, username: 'ada@sub.corp.example', password: 'x' },
    })
    assert.equal(other.status, 401)
  })

  test('a new sign-in is asked for there, and an old one is not taken for it', async () => {
    await it.declare([it.provider('one', { create: true })])
    const browser = it.browser()
    const hub = await browser.begin({ prompt: 'login' })
    const location = await leave(browser, 'one', hub)
    const asked = new URL(location).searchParams
    assert.equal(asked.get('prompt'), 'login')
    assert.equal(asked.get('max_age'), '0')
    one.telling.claims = { auth_time: Math.floor(Date.now() / 1000) - 3600 }
    const old = await browser.ask(one.approve(location, newSub()))
    assert.match(old.headers.location ?? '', /problem=stale/)
    // Its clock may be behind ours.
    one.telling.claims = { auth_time: Math.floor(Date.now() / 1000) - 40 }
    const fresh = await browser.ask(one.approve(await leave(browser, 'one', hub), newSub()))
    assert.equal(fresh.headers.location, hub)
    assert.match((await browser.ask(hub)).headers.location ?? '', /code=/)
  })

  test('whoever confirms by it who they are shows their second factor in a browser that they trust, too', async () => {
    await it.declare([it.provider('one', { create: true })])
    const sub = newSub()
    const { codes, otp } = await enrolAppIn((await signIn('one', sub)).browser)
    const browser = it.browser()
    const back = await browser.ask(one.approve(await leave(browser, 'one', '/account'), sub))
    assert.equal(back.headers.location, '/account/enter/second-factor')
    await browser.press('/account/enter/second-factor', '', { otp: otp(), remember: 'yes' })
    const trusted = await browser.ask(
      one.approve(await leave(browser, 'one', await browser.begin({ prompt: 'login' })), sub),
    )
    assert.match(trusted.headers.location ?? '', /^\/interact\//)
    const left = await browser.press('/account/confirm', '/provider', { provider: 'one' })
    const confirming = await browser.ask(one.approve(left.headers.location ?? '', sub))
    assert.equal(confirming.headers.location, '/account/confirm/second-factor')
    const done = await browser.press('/account/confirm/second-factor', '', { recovery_code: codes[0] ?? '' })
    assert.equal(done.headers.location, '/account/sign-in-methods')
    assert.doesNotMatch((await browser.ask('/account/sign-in-methods')).body, /id="confirm"/)
  })

  test('amr and acr are those of the provider only where it is believed', async () => {
    for (const [declared, amr, acr] of [
      [{}, [], 'urn:grantor:acr:1fa'],
      [{ trust_amr: true }, ['pwd', 'mfa'], 'urn:grantor:acr:2fa'],
    ] as const) {
      await it.declare([it.provider('one', { create: true, ...declared })])
      one.telling.claims = { amr: ['pwd', 'mfa', 'made-up'], acr: 'made-up' }
      await signIn('one', newSub())
      assert.ok((await lastEvents(1)).includes(JSON.stringify({ acr, amr }).slice(1, -1)))
    }
  })

  test('a tenant has its own providers and its own people', async () => {
    const tenants = [{ id: 'acme', providers: [it.provider('one', { create: true })] }] as unknown as JsonObject[]
    await it.declare([it.provider('one', { create: true })], { tenants })
    one.telling.claims = { preferred_username: 'Both' }
    const sub = newSub()
    await signIn('one', sub)
    const browser = it.browser()
    const page = await browser.ask('/t/acme/account')
    const left = await browser.ask('/t/acme/account/enter/provider', {
      form: { csrf: tokenIn(page.body), provider: 'one' },
    })
    const back = one.approve(left.headers.location ?? '', sub)
    assert.match(back, /^\/t\/acme\/callback\/one\?/)
    assert.equal((await browser.ask(back.replace('/t/acme', ''))).status, 400, 'not at the other tenant')
    assert.equal((await browser.ask(back)).status, 303)
    assert.ok(await isSignedIn(browser, '/t/acme'))
    assert.equal(await isSignedIn(browser), false)
    assert.equal((await it.authority.admin.providers.list(acme)).kind, 'ok')
  })

  test('GitHub: the number counts, and of addresses only the verified primary one', async () => {
    await it.declare([it.provider('hub', { kind: 'github', create: true, trust_email: true })])
    one.telling.emails = [
      { email: 'second@example.com', primary: false, verified: true },
      { email: 'octo@example.com', primary: true, verified: true },
    ]
    const browser = it.browser()
    const location = await leave(browser, 'hub', '/account')
    assert.equal(new URL(location).searchParams.get('nonce'), null)
    one.telling.unnamed = true
    assert.equal((await browser.ask(one.approve(location, '77'))).status, 303)
    assert.ok(await isSignedIn(browser))
    assert.deepEqual(await claimsOf('octo-77'), { name: 'Octo Cat', email: 'octo@example.com', email_verified: true })
    one.telling.emails = [{ email: 'unverified@example.com', primary: true, verified: false }]
    const second = it.browser()
    await second.ask(one.approve(await leave(second, 'hub', '/account'), '78'))
    assert.deepEqual(await claimsOf('octo-78'), { name: 'Octo Cat' })
  })
})

describe('OIDC Back-Channel Logout §2.6', () => {
  const told = (token: string, provider = 'one') =>
    it.send(`/callback/${provider}/backchannel-logout`, { form: { logout_token: token } })

  test('a logout token ends the session it names, once; any other ends nothing', async () => {
    await it.declare([it.provider('one', { create: true }), it.provider('two', { issuer: two.issuer, create: true })])
    const sub = newSub()
    one.telling.claims = { sid: 'there-1' }
    const first = (await signIn('one', sub)).browser
    one.telling.claims = { sid: 'there-2' }
    const second = (await signIn('one', sub)).browser
    const now = Math.floor(Date.now() / 1000)
    const bad: readonly (readonly [string, string])[] = [
      ['not a token', 'x'],
      ['nobody', one.logoutToken()],
      ['another issuer', two.logoutToken({ sid: 'there-1' })],
      ['another issuer in our name', two.logoutToken({ iss: one.issuer, sid: 'there-1' })],
      ['another audience', one.logoutToken({ sid: 'there-1', aud: 'somebody-else' })],
      ['a nonce', one.logoutToken({ sid: 'there-1', nonce: 'n' })],
      ['no event', one.logoutToken({ sid: 'there-1', events: {} })],
      ['no jti', one.logoutToken({ sid: 'there-1', jti: '' })],
      ['over', one.logoutToken({ sid: 'there-1', exp: now - 600 })],
      ['an ID token', one.jwt({ iss: one.issuer, aud: 'us', sub, iat: now, exp: now + 60, sid: 'there-1' })],
    ]
    for (const [what, token] of bad) assert.equal((await told(token)).status, 400, what)
    assert.ok((await isSignedIn(first)) && (await isSignedIn(second)))
    const token = one.logoutToken({ sid: 'there-1', sub })
    const answers = await Promise.all([told(token), told(token)])
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 400],
    )
    assert.equal(answers.find(({ status }) => status === 200)?.headers['cache-control'], 'no-store')
    assert.equal(await isSignedIn(first), false)
    assert.ok(await isSignedIn(second))
    assert.equal((await told(one.logoutToken({ sid: 'there-2', sub: 'somebody-else' }))).status, 200)
    assert.ok(await isSignedIn(second), 'of somebody else')
    assert.equal((await told(one.logoutToken({ sub }))).status, 200)
    assert.equal(await isSignedIn(second), false)
    assert.equal((await told(one.logoutToken({ sub }), 'nobody')).status, 404)
  })

  test('it is signed by what ID tokens are: by what was registered there, and by no other good key of the provider', async () => {
    const declared = (alg: string) =>
      it.declare([it.provider('one', { create: true, id_token_signed_response_alg: alg })])
    const arrive = async (alg: 'ES256' | 'RS256') => {
      one.telling = { claims: { sid: `signed-${alg}` }, signing: { alg } }
      const browser = it.browser()
      await browser.ask(one.approve(await leave(browser, 'one', '/account'), newSub()))
      return browser
    }
    await declared('ES256')
    assert.equal(await isSignedIn(await arrive('RS256')), false)
    assert.match(await lastEvents(1), /"problem":"token_alg"/)
    const browser = await arrive('ES256')
    assert.equal((await told(one.logoutToken({ sid: 'signed-ES256' }, 'RS256'))).status, 400)
    assert.ok(await isSignedIn(browser), 'by another of its algorithms')
    assert.equal((await told(one.logoutToken({ sid: 'signed-ES256' }))).status, 200)
    assert.equal(await isSignedIn(browser), false)
    await declared('RS256')
    const other = await arrive('RS256')
    assert.equal((await told(one.logoutToken({ sid: 'signed-RS256' }))).status, 400)
    assert.ok(await isSignedIn(other))
    assert.equal((await told(one.logoutToken({ sid: 'signed-RS256' }, 'RS256'))).status, 200)
    assert.equal(await isSignedIn(other), false)
  })

  test('where the keys cannot be had it is told to come back, and nothing has ended', async () => {
    const { three } = it.providers
    three.telling.broken = { '/jwks': (response) => response.writeHead(500).end() }
    await it.declare([it.provider('three', { issuer: three.issuer })])
    const answer = await told(three.logoutToken({ sub: 'x' }), 'three')
    assert.equal(answer.status, 503)
    assert.ok(Number(answer.headers['retry-after']) > 0)
  })
})

describe('SSF 1.0, RFC 8935: a provider as transmitter', () => {
  const caep = 'https://schemas.openid.net/secevent/caep/event-type/'
  const told = (token: string, provider = 'one', type = 'application/secevent+jwt') =>
    it.send(`/callback/${provider}/signals`, { method: 'POST', content: token, headers: { 'content-type': type } })
  const signal = (from: typeof one, claims: JsonObject, kind = 'session-revoked', typ = 'secevent+jwt'): string => {
    const iat = Math.floor(Date.now() / 1000)
    const events = { [`${caep}${kind}`]: { event_timestamp: iat } }
    return from.jwt({ iss: from.issuer, aud: 'us', iat, jti: crypto.randomUUID(), events, ...claims }, { typ })
  }

  test('it ends the sessions that came from there, of whom and what it names; any other ends nothing', async () => {
    await it.declare([it.provider('one', { create: true }), it.provider('two', { issuer: two.issuer, create: true })])
    const sub = newSub()
    one.telling.claims = { sid: 'signal-1' }
    const first = (await signIn('one', sub)).browser
    one.telling.claims = { sid: 'signal-2' }
    const second = (await signIn('one', sub)).browser
    const person = { format: 'iss_sub', iss: one.issuer, sub }
    const now = Math.floor(Date.now() / 1000)
    const about = { sub_id: person }
    for (const [what, code, token] of [
      ['not a token', 'invalid_request', 'x'],
      ['another issuer', 'invalid_issuer', signal(two, about)],
      ['another issuer in our name', 'invalid_key', signal(two, { iss: one.issuer, ...about })],
      ['another audience', 'invalid_audience', signal(one, { aud: 'somebody-else', ...about })],
      ['two audiences', 'invalid_audience', signal(one, { aud: ['us', 'them'], ...about })],
      ['no jti', 'invalid_request', signal(one, { jti: '', ...about })],
      ['no event', 'invalid_request', signal(one, { events: {}, ...about })],
      ['another type', 'invalid_request', signal(one, about, 'session-revoked', 'JWT')],
      ['from long ago', 'invalid_request', signal(one, { iat: now - 8 * 86_400, ...about })],
      ['of tomorrow', 'invalid_request', signal(one, { iat: now + 86_400, ...about })],
      ['over', 'invalid_request', signal(one, { exp: now - 600, ...about })],
      [
        'a public key as secret',
        'invalid_request',
        one.jwt({ iss: one.issuer, aud: 'us', iat: now, jti: 'j' }, { alg: 'HS256', typ: 'secevent+jwt' }),
      ],
      ['oversized', 'invalid_request', signal(one, { padding: 'x'.repeat(40_000), ...about })],
    ] as const) {
      const answer = await told(token)
      // RFC 8935 §2.4, and §2.3: with the language of the description.
      assert.deepEqual([answer.status, (JSON.parse(answer.body) as JsonObject)['err']], [400, code], what)
      assert.equal(answer.headers['content-language'], 'en')
    }
    assert.equal((await told(signal(one, about), 'one', 'application/jwt')).status, 415)
    assert.equal((await told(signal(one, about), 'nobody')).status, 404)
    for (const ignored of [
      signal(one, about, 'token-claims-change'),
      signal(one, { sub_id: { format: 'email', email: 'a@example.com' } }),
      signal(one, { sub_id: { ...person, iss: two.issuer } }),
      signal(one, { sub_id: { format: 'complex', user: person, session: { format: 'uri', uri: 'x:y' } } }),
    ])
      assert.equal((await told(ignored)).status, 202)
    assert.ok((await isSignedIn(first)) && (await isSignedIn(second)))
    const session = { format: 'opaque', id: 'signal-1' }
    assert.equal((await told(signal(one, { sub_id: { format: 'complex', user: person, session } }))).status, 202)
    assert.equal(await isSignedIn(first), false)
    assert.ok(await isSignedIn(second))
    const all = signal(one, about, 'credential-change')
    assert.equal((await told(all)).status, 202)
    assert.equal(await isSignedIn(second), false)
    assert.equal((await told(all)).status, 202, 'told again, and taken')
  })
})

describe('linking by whoever is signed in', () => {
  const methods = '/account/sign-in-methods'
  const press = async (browser: HandBrowser, fields: Readonly<Record<string, string>>): Promise<PageAnswer> => {
    const csrf = tokenIn((await browser.ask(methods)).body)
    return browser.ask(methods, { form: { csrf, ...fields } })
  }
  const enter = async (username: string): Promise<HandBrowser> => {
    const browser = it.browser()
    const answer = await browser.press('/account', '/enter', { username, password })
    assert.equal(answer.status, 303)
    return browser
  }

  test('a person links, signs in by it, and unlinks; somebody else cannot have the same', async () => {
    await it.declare([it.provider('one')])
    await person('linker')
    await person('rival')
    const browser = await enter('linker')
    const sub = newSub()
    const left = await press(browser, { 'link-provider': 'one' })
    const back = await browser.ask(one.approve(left.headers.location ?? '', sub))
    assert.equal(back.headers.location, `${methods}?done=provider_linked`)
    assert.match((await browser.ask(methods)).body, /id="unlink-one"/)
    assert.match((await signIn('one', sub)).body, /linker/)

    const rival = await enter('rival')
    const theirs = await press(rival, { 'link-provider': 'one' })
    const refused = await rival.ask(one.approve(theirs.headers.location ?? '', sub))
    assert.match(refused.headers.location ?? '', /problem=taken/)
    assert.match((await follow(rival, refused)).body, /linked to somebody else/)

    assert.match((await press(browser, { 'unlink-provider': 'one' })).headers.location ?? '', /provider_unlinked/)
    assert.match((await signIn('one', sub)).body, /Nobody here is linked/)
  })

  test('a link that was begun by somebody who signed out since is not made', async () => {
    await it.declare([it.provider('one')])
    await person('leaver')
    const browser = await enter('leaver')
    const left = await press(browser, { 'link-provider': 'one' })
    const csrf = tokenIn((await browser.ask('/account')).body)
    await browser.ask('/account/sign-out', { form: { csrf } })
    const sub = newSub()
    await browser.ask(one.approve(left.headers.location ?? '', sub))
    assert.match((await signIn('one', sub)).body, /Nobody here is linked/)
  })

  test('nobody unlinks their last way in', async () => {
    await it.declare([it.provider('one', { create: true })])
    const { browser } = await signIn('one', newSub())
    const answer = await press(browser, { 'unlink-provider': 'one' })
    assert.equal(answer.status, 400)
    assert.match(answer.body, /only way to sign in/)
    assert.match((await browser.ask(methods)).body, /id="unlink-one"/)
  })
})
