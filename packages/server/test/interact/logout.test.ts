/** Signing out at the request of others: who may, where it leads, and what it must never do. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import {
  type PageAnswer,
  byeUri,
  clientSecret,
  deploy,
  type Deployment,
  type HandBrowser,
  pageOf,
  type Person,
  redirectUri,
  tokenIn,
  verifier,
} from './deployment.ts'

const session = '__Host-grantor-session'

interface Held {
  readonly id_token: string
  readonly access_token: string
}

describe('a client asks to sign a person out', () => {
  let deployment: Deployment
  before(async () => {
    deployment = await deploy()
  })
  after(() => deployment[Symbol.asyncDispose]())

  async function redeem(location: URL, client = 'web', base = ''): Promise<Held> {
    const form = {
      grant_type: 'authorization_code',
      code: location.searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }
    const authorization = `Basic ${Buffer.from(`${client}:${clientSecret}`).toString('base64')}`
    const answer = await deployment.send(`${base}/token`, { form, headers: { authorization } })
    assert.equal(answer.status, 200, answer.body)
    return JSON.parse(answer.body) as Held
  }

  async function signedIn(who: Person = deployment.somebody(), browser: HandBrowser = deployment.browser()) {
    const held = await redeem(await browser.grant(who, { prompt: 'login consent' }))
    return { browser, who, hint: held.id_token, access: held.access_token }
  }

  const asking = (fields: Readonly<Record<string, string>>) => `/logout?${new URLSearchParams(fields).toString()}`
  const isSignedIn = async (browser: HandBrowser, base = '') =>
    pageOf(await browser.ask(`${base}/account`)) === 'account'

  /** Follows our own redirects, as a browser does, to a page of ours or to the address that leads away. */
  async function follow(
    browser: HandBrowser,
    first: PageAnswer,
  ): Promise<{ readonly at: PageAnswer; readonly path: string }> {
    let [at, path] = [first, '']
    while (at.status === 303 && (at.headers.location ?? '').startsWith('/')) {
      path = at.headers.location ?? ''
      at = await browser.ask(path)
    }
    return { at, path }
  }

  test('RP-Initiated Logout §2, §3: with the hint of this session the person is signed out and back, with the state', async () => {
    const { browser, hint } = await signedIn()
    const kept = browser.cookies.get(session) ?? ''
    const asked = await browser.ask(
      asking({ id_token_hint: hint, post_logout_redirect_uri: byeUri, state: 'a b<c>&d', client_id: 'web' }),
    )
    // Neither the hint nor the address stands in the URL of a page of ours.
    assert.match(asked.headers.location ?? '', /^\/logout\/gi_[\w-]{43,}$/)
    const { at } = await follow(browser, asked)
    assert.equal(at.headers.location, `${byeUri}?state=a%20b%3Cc%3E%26d`)
    assert.equal(await isSignedIn(browser), false)
    const thief = deployment.browser()
    thief.cookies.set(session, kept)
    assert.equal(await isSignedIn(thief), false)
    // Again, with nobody there: nothing to end, and the way back stays.
    assert.equal(
      (await follow(browser, await browser.ask(asking({ id_token_hint: hint, post_logout_redirect_uri: byeUri })))).at
        .headers.location,
      byeUri,
    )
  })

  test('RP-Initiated Logout §2: POST from the client’s site, which comes without cookies, does the same', async () => {
    const { browser, hint } = await signedIn()
    const form = { id_token_hint: hint, post_logout_redirect_uri: byeUri, state: 'x' }
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://client.example' }
    const asked = await deployment.send('/logout', { form, headers })
    const { at } = await follow(browser, asked)
    assert.equal(at.headers.location, `${byeUri}?state=x`)
    assert.equal(await isSignedIn(browser), false)
  })

  test('RP-Initiated Logout §2: without an address the person stays here and reads that they are signed out', async () => {
    const { browser, hint } = await signedIn()
    const { at, path } = await follow(browser, await browser.ask(asking({ id_token_hint: hint, state: 'x' })))
    assert.equal(path, '/signed-out')
    assert.match(at.body, /id="signed-out"/)
    assert.equal(await isSignedIn(browser), false)
  })

  test('without a hint the person is asked, and never sent anywhere, also when they say yes', async () => {
    const { browser } = await signedIn()
    for (const fields of [
      { post_logout_redirect_uri: byeUri, state: 'x' },
      { client_id: 'web', post_logout_redirect_uri: byeUri },
      { client_id: 'web', post_logout_redirect_uri: 'https://evil.example/' },
      { logout_hint: 'somebody' },
      { state: 'x' },
    ]) {
      const { at, path } = await follow(browser, await browser.ask(asking(fields)))
      assert.deepEqual([path, pageOf(at)], ['/logout', 'logout'])
      assert.doesNotMatch(at.body, /client\.example|evil\.example/)
    }
    const csrf = tokenIn((await browser.ask('/logout')).body)
    const said = await browser.ask('/logout', { form: { csrf, 'sign-out': 'yes' } })
    assert.equal(said.headers.location, '/signed-out')
    assert.equal(await isSignedIn(browser), false)
  })

  test('RP-Initiated Logout §2: the page speaks the language that is wished for', async () => {
    const { browser } = await signedIn()
    const { at } = await follow(browser, await browser.ask(asking({ state: 'x', ui_locales: 'fi de' })))
    assert.match(at.body, /<html lang="de"/)
    const strange = await browser.ask(asking({ state: 'x', ui_locales: 'de;x=<y>' }))
    assert.equal(strange.headers.location, '/logout')
  })

  test('a form of another site signs nobody out', async () => {
    const { browser } = await signedIn()
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    for (const headers of [foreign, {}]) {
      const bare = await follow(browser, await browser.ask('/logout', { form: { 'sign-out': 'yes' }, headers }))
      assert.equal(pageOf(bare.at), 'logout')
      const guessed = { 'sign-out': 'yes', csrf: 'A'.repeat(43) }
      assert.equal(
        pageOf((await follow(browser, await browser.ask('/logout', { form: guessed, headers }))).at),
        'logout',
      )
    }
    assert.equal(pageOf(await browser.ask('/logout?sign-out=yes')), 'logout')
    assert.ok(await isSignedIn(browser))
  })

  test('RFC 9700 §4.1.3: an address that is not registered is refused on our page, and nobody is signed out', async () => {
    const { browser, hint } = await signedIn()
    for (const uri of [
      `${byeUri}?x=1`,
      `${byeUri}/`,
      'https://evil.example/',
      redirectUri,
      'javascript:alert(1)',
      '//client.example/bye',
    ]) {
      const at = await browser.ask(asking({ id_token_hint: hint, post_logout_redirect_uri: uri }))
      assert.deepEqual([at.status, pageOf(at), at.headers.location], [400, 'error', undefined], uri)
      assert.doesNotMatch(at.body, /evil\.example|alert/)
    }
    assert.ok(await isSignedIn(browser))
  })

  test('RP-Initiated Logout §2: what is no ID token of ours for this client vouches for nothing', async () => {
    const { browser, hint, access } = await signedIn()
    const [head = '', body = '', signature = ''] = hint.split('.')
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as Record<string, unknown>
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>
    const byHmac = `${encoded({ ...header, alg: 'HS256' })}.${body}`
    const userinfo = await deployment.send('/userinfo', { headers: { authorization: `Bearer ${access}` } })
    assert.equal(userinfo.status, 200)
    const wrong: Readonly<Record<string, string>> = {
      'alg none': `${encoded({ ...header, alg: 'none' })}.${body}.`,
      'alg none, signature kept': `${encoded({ ...header, alg: 'none' })}.${body}.${signature}`,
      'another subject': `${head}.${encoded({ ...claims, sub: 'other' })}.${signature}`,
      'no signature': `${head}.${body}.`,
      'the secret of the client': `${byHmac}.${createHmac('sha256', clientSecret).update(byHmac).digest('base64url')}`,
      'another key': `${encoded({ ...header, kid: 'another' })}.${body}.${signature}`,
      'no key named': `${encoded({ alg: 'RS256', typ: 'JWT' })}.${body}.${signature}`,
      'an access token': access,
      'no token': 'x',
      'a long one': 'x'.repeat(7000),
      'a script': '<script>alert(1)</script>',
    }
    for (const [what, id_token_hint] of Object.entries(wrong)) {
      const { at, path } = await follow(
        browser,
        await browser.ask(asking({ id_token_hint, post_logout_redirect_uri: byeUri })),
      )
      assert.equal(at.headers.location, undefined, what)
      assert.ok(pageOf(at) === 'error' || (pageOf(at) === 'logout' && path === '/logout'), what)
      assert.doesNotMatch(at.body, /client\.example|<script>alert/, what)
      assert.ok(await isSignedIn(browser), what)
    }
    const mismatch = await browser.ask(
      asking({ id_token_hint: hint, client_id: 'framed', post_logout_redirect_uri: byeUri }),
    )
    assert.deepEqual([mismatch.status, pageOf(mismatch)], [400, 'error'])
  })

  test('a hint of another tenant vouches for nothing here', async () => {
    const { browser, hint } = await signedIn()
    const elsewhere = deployment.browser()
    const hub = await elsewhere.begin({}, '/t/acme')
    await elsewhere.signIn(hub, deployment.somebody())
    await elsewhere.allow(hub)
    const there = await redeem(new URL((await elsewhere.ask(hub)).headers.location ?? ''), 'web', '/t/acme')
    const here = await follow(
      browser,
      await browser.ask(asking({ id_token_hint: there.id_token, post_logout_redirect_uri: byeUri })),
    )
    assert.deepEqual([here.path, pageOf(here.at)], ['/logout', 'logout'])
    await elsewhere.ask(`/t/acme${asking({ id_token_hint: hint, post_logout_redirect_uri: byeUri })}`)
    assert.ok(await isSignedIn(elsewhere, '/t/acme'))
    assert.ok(await isSignedIn(browser))
    // And its question, begun there, is none here.
    const begun = await elsewhere.ask(`/t/acme${asking({ id_token_hint: there.id_token })}`)
    const id = (begun.headers.location ?? '').replace('/t/acme', '')
    assert.equal((await follow(browser, await browser.ask(id))).path, '/logout')
    assert.ok(await isSignedIn(browser))
  })

  test('RP-Initiated Logout §2: a hint of another person or browser asks, says who asks, and goes on after a yes', async () => {
    const alice = await signedIn()
    const bob = await signedIn()
    const second = await signedIn(bob.who)
    for (const hint of [alice.hint, second.hint]) {
      const fields = { id_token_hint: hint, post_logout_redirect_uri: byeUri, state: 'x' }
      const { at, path } = await follow(bob.browser, await bob.browser.ask(asking(fields)))
      assert.equal(pageOf(at), 'logout')
      assert.match(at.body, /web/)
      assert.match(path, /^\/logout\/gi_/)
      assert.ok(await isSignedIn(bob.browser))
      // Not without the token of this very page.
      const other = tokenIn((await bob.browser.ask('/logout')).body)
      const forged = await bob.browser.ask(path, { form: { csrf: other, 'sign-out': 'yes' } })
      assert.deepEqual([forged.status, pageOf(forged)], [403, 'error'])
      const stays = await bob.browser.ask(path, { form: { csrf: tokenIn(at.body), stay: 'yes' } })
      assert.equal(stays.headers.location, '/account')
      assert.ok(await isSignedIn(bob.browser))
    }
    const asked = await follow(
      bob.browser,
      await bob.browser.ask(asking({ id_token_hint: alice.hint, post_logout_redirect_uri: byeUri, state: 'x' })),
    )
    const form = { csrf: tokenIn(asked.at.body), 'sign-out': 'yes' }
    const said = await bob.browser.ask(asked.path, { form })
    assert.equal(said.headers.location, `${byeUri}?state=x`)
    assert.equal(await isSignedIn(bob.browser), false)
    // Once: the question is over.
    assert.equal((await bob.browser.ask(asked.path, { form })).headers.location, '/logout')
    assert.ok(await isSignedIn(alice.browser))
    assert.ok(await isSignedIn(second.browser))
  })

  test('of two accounts in one browser the one that is meant is signed out', async () => {
    const first = await signedIn()
    const second = await signedIn(deployment.somebody(), first.browser)
    const { at } = await follow(
      first.browser,
      await first.browser.ask(asking({ id_token_hint: second.hint, post_logout_redirect_uri: byeUri })),
    )
    assert.equal(at.headers.location, byeUri)
    assert.match((await first.browser.ask('/account')).body, new RegExp(first.who.username))
  })

  test('RFC 9110 §9.3.2: whoever asks for the head alone signs nobody out', async () => {
    const { browser, hint } = await signedIn()
    const begun = await browser.ask(asking({ id_token_hint: hint }))
    const path = begun.headers.location ?? ''
    assert.equal((await browser.ask(path, { method: 'HEAD' })).status, 200)
    assert.ok(await isSignedIn(browser))
    await browser.ask(path)
    assert.equal(await isSignedIn(browser), false)
  })

  test('repeated, oversized and made-up requests are refused or lead to our own question', async () => {
    const { browser, hint } = await signedIn()
    const twice = await browser.ask(`${asking({ id_token_hint: hint })}&id_token_hint=${hint}`)
    assert.deepEqual([twice.status, pageOf(twice)], [400, 'error'])
    const form = { id_token_hint: hint, post_logout_redirect_uri: byeUri, state: 'x'.repeat(5000) }
    assert.equal((await browser.ask('/logout', { form })).status, 400)
    for (const id of ['x', `gi_${'A'.repeat(43)}`, 'gi_%00', '..%2faccount'])
      assert.ok((await browser.ask(`/logout/${id}`)).status >= 300)
    assert.ok(await isSignedIn(browser))
  })

  test('Front-Channel Logout §2, §3: clients of the session are told in frames, and only they may be framed', async () => {
    const who = deployment.somebody()
    const { browser, hint } = await signedIn(who)
    const hub = await browser.begin({ client_id: 'framed' })
    await browser.allow(hub)
    const framed = await redeem(new URL((await browser.ask(hub)).headers.location ?? ''), 'framed')
    const { sid } = JSON.parse(Buffer.from(framed.id_token.split('.')[1] ?? '', 'base64url').toString()) as {
      sid: string
    }
    const { at } = await follow(
      browser,
      await browser.ask(asking({ id_token_hint: hint, post_logout_redirect_uri: byeUri, state: 'x' })),
    )
    assert.equal(at.status, 200)
    const query = new URLSearchParams({ iss: deployment.issuer, sid }).toString().replaceAll('&', '&amp;')
    assert.ok(at.body.includes(`src="https://framed.example/out?from=here&amp;${query}"`), at.body)
    assert.match(String(at.headers['content-security-policy']), /frame-src https:\/\/framed\.example;/)
    assert.ok(at.body.includes(`id="onward" href="${byeUri}?state=x"`))
    assert.match(at.body, /id="signed-out"/)
    assert.equal(await isSignedIn(browser), false)
  })
})
