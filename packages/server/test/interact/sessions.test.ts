/** Sessions that were planted, kept, carried over, or belong elsewhere. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  authorizeQuery,
  clientSecret,
  deploy,
  type Deployment,
  hiddenIn,
  pageOf,
  redirectUri,
  tokenIn,
  verifier,
} from './deployment.ts'

const session = '__Host-grantor-session'
const named = '__Host-grantor-browser'
const basic = `Basic ${Buffer.from(`web:${clientSecret}`).toString('base64')}`

describe('a session belongs to one person, one browser, one tenant', () => {
  let deployment: Deployment
  before(async () => {
    deployment = await deploy()
  })
  after(() => deployment[Symbol.asyncDispose]())

  const enter = async (base = '') => {
    const browser = deployment.browser()
    const who = deployment.somebody()
    const answer = await browser.press(`${base}/account`, '/enter', { ...who })
    assert.equal(answer.status, 303)
    return { browser, who }
  }

  test('fixation: what a browser brought before the sign-in is worth nothing after it', async () => {
    const browser = deployment.browser()
    const planted = `gl_${'A'.repeat(43)}`
    browser.cookies.set(session, planted)
    await browser.press('/account', '/enter', { ...deployment.somebody() })
    assert.notEqual(browser.cookies.get(session), planted)
    assert.equal(browser.cookies.get(session)?.includes(planted), false)
    const attacker = deployment.browser()
    attacker.cookies.set(session, planted)
    assert.equal(pageOf(await attacker.ask('/account')), 'login')
  })

  test('signing in again gives a new secret, and the old one dies', async () => {
    const { browser, who } = await enter()
    const old = browser.cookies.get(session) ?? ''
    const hub = await browser.begin({ prompt: 'login' })
    await browser.signIn(hub, who)
    assert.notEqual(browser.cookies.get(session), old)
    const thief = deployment.browser()
    thief.cookies.set(session, old)
    assert.equal(pageOf(await thief.ask('/account')), 'login')
    assert.equal(pageOf(await browser.ask('/account')), 'account')
  })

  test('a session that was signed out is dead for whoever kept its cookie', async () => {
    const { browser } = await enter()
    const kept = browser.cookies.get(session) ?? ''
    const csrf = tokenIn((await browser.ask('/account')).body)
    assert.equal((await browser.ask('/account/sign-out', { form: { csrf } })).status, 303)
    assert.equal(browser.cookies.has(session), false)
    const thief = deployment.browser()
    thief.cookies.set(session, kept)
    assert.equal(pageOf(await thief.ask('/account')), 'login')
  })

  test('a cookie that is no secret of ours is ignored, however long, many or broken', async () => {
    const browser = deployment.browser()
    const junk = ['', 'x', 'gl_', '../../etc', `gl_${'A'.repeat(43)}.`.repeat(60), '%00', '"', 'gi_'.padEnd(46, 'B')]
    for (const value of junk) {
      browser.cookies.set(session, value)
      browser.cookies.set(named, value)
      const answer = await browser.ask('/account')
      assert.equal(answer.status, 200)
      assert.equal(pageOf(answer), 'login')
      assert.match(browser.cookies.get(named) ?? '', /^gb_[\w-]{43}$/, 'a browser without a name gets one')
    }
  })

  test('cookies of one tenant open nothing at another, under their own name or the other’s', async () => {
    const { browser } = await enter('/t/acme')
    assert.equal(pageOf(await browser.ask('/t/acme/account')), 'account')
    assert.equal(pageOf(await browser.ask('/account')), 'login')
    const carried = deployment.browser()
    for (const [name, value] of browser.cookies) carried.cookies.set(name.replace(/-acme$/, ''), value)
    assert.equal(pageOf(await carried.ask('/account')), 'login')
    // Nor does an interaction, or its answer.
    const hub = await browser.begin({}, '/t/acme')
    await browser.allow(hub)
    carried.cookies.set(named, browser.cookies.get(`${named}-acme`) ?? '')
    assert.equal(pageOf(await carried.ask(hub.replace('/t/acme', ''))), 'error')
    const location = new URL((await browser.ask(hub)).headers.location ?? '')
    assert.equal(location.searchParams.get('iss'), `${deployment.issuer}/t/acme`)
    const form = {
      grant_type: 'authorization_code',
      code: location.searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }
    const headers = { authorization: basic }
    const elsewhere = await deployment.send('/token', { form, headers })
    assert.equal((JSON.parse(elsewhere.body) as { error: string }).error, 'invalid_grant')
    assert.equal((await deployment.send('/t/acme/token', { form, headers })).status, 200)
  })

  test('whoever signs in last is who is there, however many did before them in this browser', async () => {
    const { browser, who: first } = await enter()
    let last = first
    for (let others = 0; others < 8; others++) {
      last = deployment.somebody()
      const answer = await browser.press('/account/confirm', '', { ...last })
      assert.equal(answer.status, 303)
    }
    assert.match((await browser.ask('/account')).body, new RegExp(`>${last.username}<`))
    const hub = await browser.begin()
    const shown = (await browser.ask(hub)).body
    assert.match(shown, new RegExp(`>${last.username}<`))
    assert.doesNotMatch(shown, new RegExp(`>${first.username}<`))
    // Nobody is left behind by signing out.
    const kept = browser.cookies.get(session) ?? ''
    const csrf = tokenIn((await browser.ask('/account')).body)
    await browser.ask('/account/sign-out', { form: { csrf } })
    for (const secret of kept.split('.')) {
      const thief = deployment.browser()
      thief.cookies.set(session, secret)
      assert.equal(pageOf(await thief.ask('/account')), 'login')
    }
  })

  test('a form of an account page does nothing to whoever signed in here since', async () => {
    const { browser } = await enter()
    const form = hiddenIn((await browser.ask('/account/profile')).body, '/account/profile')
    await browser.press('/account/confirm', '', { ...deployment.somebody() })
    const answer = await browser.ask('/account/profile', { form: { ...form, name: 'Of the first' } })
    assert.deepEqual([answer.status, answer.headers.location], [303, '/account/profile'])
    const { body } = await browser.ask('/account/profile')
    assert.doesNotMatch(body, /Of the first/)
    const own = { ...hiddenIn(body, '/account/profile'), name: 'Of the second' }
    await browser.ask('/account/profile', { form: own })
    assert.match((await browser.ask('/account/profile')).body, /Of the second/)
  })

  test('a profile that is open in two windows keeps what either of them changed', async () => {
    const { browser } = await enter()
    const path = '/account/profile'
    const shown = await browser.ask(path)
    const valueOf = (body: string, name: string) => new RegExp(`id="${name}"[^>]* value="([^"]*)"`).exec(body)?.[1]
    const names = ['name', 'given_name', 'family_name', 'locale', 'zoneinfo', 'picture']
    /** All that the window sends which showed this page, with what was typed there. */
    const send = (typed: Readonly<Record<string, string>>, { body } = shown) => {
      const left = names.map((name) => [name, valueOf(body, name) ?? ''])
      return browser.ask(path, { form: { ...hiddenIn(body, path), ...Object.fromEntries(left), ...typed } })
    }
    assert.equal((await send({ given_name: 'Ada', locale: 'de' })).status, 303)
    const wrong = await send({ zoneinfo: 'Mars/Olympus' })
    assert.equal(wrong.status, 400)
    assert.equal((await send({ zoneinfo: 'Europe/Berlin' }, wrong)).status, 303, 'also after a mistake')
    const seen = (await browser.ask(path)).body
    assert.deepEqual(
      names.slice(1, 5).map((name) => valueOf(seen, name)),
      ['Ada', '', 'de', 'Europe/Berlin'],
    )
    await send({ locale: '' }, await browser.ask(path))
    assert.equal(valueOf((await browser.ask(path)).body, 'locale'), '', 'what is emptied goes')
  })

  test('nor does one that asks for a new password, or to agree to terms', async () => {
    const { users } = deployment.authority.admin
    const [first, second] = [deployment.somebody(), deployment.somebody()]
    const reset = { password: 'battery-horse-staple', mustChange: true }
    for (const { username } of [first, second]) {
      const done = await users.resetPassword({ kind: 'operator', id: 'test' }, 'default' as never, {
        username,
        ...reset,
      })
      assert.ok(done.kind === 'ok')
    }
    const browser = deployment.browser()
    const asked = async (username: string) => {
      await browser.press('/account/confirm', '', { username, password: reset.password })
      return (await browser.ask('/account')).body
    }
    const path = '/account/new-password'
    const form = hiddenIn(await asked(first.username), path)
    const shown = await asked(second.username)
    const answer = await browser.ask(path, { form: { ...form, 'new-password': 'chosen-by-the-first' } })
    assert.deepEqual([answer.status, answer.headers.location], [303, '/account'])
    assert.ok((await browser.ask('/account')).body.includes(`action="${path}"`), 'they still have to choose one')
    const own = { ...hiddenIn(shown, path), 'new-password': 'chosen-by-the-second' }
    const chosen = await browser.ask(path, { form: own })
    assert.equal(chosen.headers.location, '/account?done=password_changed')

    await deployment.declare({ accounts: { terms: { version: '1', url: 'https://as.example/terms' } } })
    const terms = '/account/terms'
    const agreeing = hiddenIn((await browser.ask('/account')).body, terms)
    const other = deployment.somebody()
    await browser.press('/account/confirm', '', { ...other })
    await browser.ask(terms, { form: { ...agreeing, terms: '1' } })
    const { body } = await browser.ask('/account')
    assert.ok(body.includes(`action="${terms}"`), 'they have not agreed')
    await browser.ask(terms, { form: { ...hiddenIn(body, terms), terms: '1' } })
    assert.ok(!(await browser.ask('/account')).body.includes(`action="${terms}"`))
    await deployment.declare({ accounts: {} })
  })

  test('nor does such a form that stood on the way to an app', async () => {
    const { users } = deployment.authority.admin
    const [first, second] = [deployment.somebody(), deployment.somebody()]
    const password = 'battery-horse-staple'
    for (const { username } of [first, second]) {
      const reset = { username, password, mustChange: true }
      assert.ok((await users.resetPassword({ kind: 'operator', id: 'test' }, 'default' as never, reset)).kind === 'ok')
    }
    const browser = deployment.browser()
    const hub = await browser.begin()
    const hiddenAt = async (step: string) => hiddenIn((await browser.ask(hub)).body, `${hub}/${step}`)
    await browser.signIn(hub, { ...first, password })
    const choosing = await hiddenAt('new-password')
    await browser.signIn(hub, { ...second, password })
    const chosen = { 'new-password': 'chosen-by-somebody' }
    await browser.ask(`${hub}/new-password`, { form: { ...choosing, ...chosen } })
    const own = await hiddenAt('new-password')
    assert.notDeepEqual(own, {}, 'they still have to choose one')
    await browser.ask(`${hub}/new-password`, { form: { ...own, ...chosen } })

    await deployment.declare({ accounts: { terms: { version: '1', url: 'https://as.example/terms' } } })
    const agreeing = await hiddenAt('terms')
    await browser.signIn(hub, deployment.somebody())
    await browser.ask(`${hub}/terms`, { form: { ...agreeing, terms: '1' } })
    const theirs = await hiddenAt('terms')
    assert.notDeepEqual(theirs, {}, 'they have not agreed')
    await browser.ask(`${hub}/terms`, { form: { ...theirs, terms: '1' } })
    assert.equal(pageOf(await browser.ask(hub)), 'consent')
    await deployment.declare({ accounts: {} })
  })

  test('what one account was asked by an app, another does not answer', async () => {
    const { browser } = await enter()
    const hub = await browser.begin()
    const form = hiddenIn((await browser.ask(hub)).body, `${hub}/decide`)
    await browser.press(hub, '/decide', { 'switch-account': 'yes' })
    await browser.signIn(hub, deployment.somebody())
    for (const pressed of ['allow', 'deny']) {
      const answer = await browser.ask(`${hub}/decide`, { form: { ...form, [pressed]: 'yes' } })
      assert.equal(answer.status, 303)
      assert.equal(pageOf(await browser.ask(hub)), 'consent')
    }
    const own = hiddenIn((await browser.ask(hub)).body, `${hub}/decide`)
    await browser.ask(`${hub}/decide`, { form: { ...own, allow: 'yes' } })
    assert.match((await browser.ask(hub)).headers.location ?? '', /[?&]code=/)
  })

  test('whoever ends their account leaves the others of this browser signed in', async () => {
    const { browser, who } = await enter()
    const other = deployment.somebody()
    await browser.press('/account/confirm', '', { ...other })
    const answer = await browser.press('/account/data', '', { password: other.password })
    assert.equal(answer.status, 200, answer.body)
    assert.match((await browser.ask('/account')).body, new RegExp(`>${who.username}<`))
  })

  test('a request that another site posts leaves the browser its name', async () => {
    const { browser } = await enter()
    const name = browser.cookies.get(named)
    // SameSite=Lax: such a form comes without cookies, and what it is answered with is kept.
    const posted = await deployment.send('/authorize', { form: Object.fromEntries(authorizeQuery()) })
    assert.deepEqual([posted.status, posted.headers['set-cookie']], [303, undefined])
    const bound = await browser.ask(posted.headers.location ?? '')
    assert.equal(bound.status, 303)
    assert.equal(pageOf(await browser.ask(bound.headers.location ?? '')), 'consent')
    assert.equal(browser.cookies.get(named), name)
  })

  test('somebody else’s session or app cannot be ended by its name', async () => {
    const victim = await enter()
    const other = await enter()
    await victim.browser.grant(victim.who, { prompt: 'login' })
    const page = await victim.browser.ask('/account/sessions')
    const second = deployment.browser()
    await second.press('/account', '/enter', { ...victim.who })
    const ids = /name="end"\s+value="([^"]+)"/.exec((await second.ask('/account/sessions')).body)
    const csrf = tokenIn((await other.browser.ask('/account/sessions')).body)
    await other.browser.ask('/account/sessions', { form: { csrf, end: ids?.[1] ?? 'none' } })
    await other.browser.ask('/account', { form: { csrf, revoke: 'web' } })
    assert.ok(ids !== null && page.status === 200)
    assert.equal(pageOf(await victim.browser.ask('/account')), 'account')
    assert.match((await victim.browser.ask('/account')).body, /revoke-web/)
  })

  test('userinfo takes no cookie: it answers to tokens alone', async () => {
    const { browser } = await enter()
    assert.equal((await browser.ask('/userinfo')).status, 401)
  })

  test('recent activity comes in pages that leave out nothing and repeat nothing', async () => {
    const { browser, who } = await enter()
    for (let i = 0; i < 30; i++) {
      const guest = deployment.browser()
      await guest.press('/account', '/enter', { ...who })
    }
    const pages: number[] = []
    for (let path: string | undefined = '/account/activity'; path !== undefined;) {
      const { body } = await browser.ask(path)
      pages.push([...body.matchAll(/<tr class="[^"]*">/g)].length)
      path = /href="(\/account\/activity\?before=\d+)"/.exec(body)?.[1]
    }
    assert.deepEqual(pages, [25, 6])
    for (const before of ['0', '-1', 'x', '1e9', '99999999999999999999']) {
      assert.equal((await browser.ask(`/account/activity?before=${before}`)).status, 200)
    }
  })
})
