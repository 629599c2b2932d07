/** The second step over HTTP: forged, skipped, carried elsewhere, guessed; and the account pages that change it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { deploy, type Deployment, pageOf, tokenIn } from './deployment.ts'
import { type Enrolled, enrolApp, methods } from './enrolled.ts'

const half = '__Host-grantor-halfway'
const session = '__Host-grantor-session'
const trusted = '__Host-grantor-remembered'

describe('the second step over HTTP', { concurrency: 2 }, () => {
  let deployment: Deployment
  before(async () => {
    deployment = await deploy()
  })
  after(() => deployment[Symbol.asyncDispose]())

  const enrolled = (base = ''): Promise<Enrolled> => enrolApp(deployment, base)

  /** Another browser, that has shown the password in an interaction. */
  async function halfway({ who }: Enrolled, more = {}) {
    const browser = deployment.browser()
    const hub = await browser.begin(more)
    const answer = await browser.signIn(hub, who)
    assert.equal(answer.status, 303)
    assert.ok(browser.cookies.has(half) && !browser.cookies.has(session))
    return { browser, hub }
  }
  const isSecondStep = (body: string) => body.includes('id="start-over"')

  test('a code completes the sign-in, once; the cookie in between is gone', async () => {
    const it = await enrolled()
    const { browser, hub } = await halfway(it)
    assert.ok(isSecondStep((await browser.ask(hub)).body))
    assert.equal(pageOf(await browser.ask('/account')), 'login', 'half way opens nothing')
    const otp = it.otp()
    assert.equal((await browser.press(hub, '/second-factor', { otp })).status, 303)
    assert.ok(browser.cookies.has(session) && !browser.cookies.has(half))
    assert.equal(pageOf(await browser.ask(hub)), 'consent')
    const again = await halfway(it)
    const refused = await again.browser.press(again.hub, '/second-factor', { otp })
    assert.equal(refused.status, 401)
    assert.ok(isSecondStep(refused.body))
    assert.ok(!again.browser.cookies.has(session))
  })

  test('forms of the second step that we did not give are refused, wherever they are sent', async () => {
    const it = await enrolled()
    const { browser, hub } = await halfway(it)
    const forged = async (path: string, form: Readonly<Record<string, string>>, headers = {}) => {
      const answer = await browser.ask(path, { form, headers })
      assert.equal(answer.status, 403, path)
      assert.equal(pageOf(answer), 'error')
    }
    const csrf = tokenIn((await browser.ask(hub)).body)
    const [code = ''] = it.codes
    for (const path of [`${hub}/second-factor`, `${hub}/passkey`, '/account/enter/second-factor', '/account/confirm']) {
      await forged(path, { recovery_code: code })
      await forged(path, { csrf: 'x'.repeat(43), recovery_code: code })
    }
    await forged(`${hub}/second-factor`, { csrf, recovery_code: code }, { 'sec-fetch-site': 'cross-site' })
    await forged(`${hub}/second-factor`, { csrf, recovery_code: code }, { origin: 'https://evil.example' })
    await forged('/account/enter/second-factor', { csrf, recovery_code: code })
    assert.equal((await browser.ask(`${hub}/second-factor`, { form: { csrf, recovery_code: code } })).status, 303)
  })

  test('neither consent nor the account opens half way, and the steps are shown at no address of their own', async () => {
    const it = await enrolled()
    const { browser, hub } = await halfway(it)
    const csrf = tokenIn((await browser.ask(hub)).body)
    await browser.ask(`${hub}/decide`, { form: { csrf, allow: 'yes' } })
    assert.ok(isSecondStep((await browser.ask(hub)).body))
    for (const path of [methods, `${methods}/authenticator`, '/account/sessions', '/account/password']) {
      assert.equal(pageOf(await browser.ask(path)), 'login', path)
      const sent = await browser.ask(path, { form: { csrf, 'remove-authenticator': 'yes' } })
      assert.equal(pageOf(sent), 'login', path)
    }
    for (const step of ['second-factor', 'passkey']) {
      assert.equal((await browser.ask(`${hub}/${step}`)).headers.location, hub)
    }
    const stranger = deployment.browser()
    assert.equal((await stranger.ask('/account/enter/second-factor')).headers.location, '/account')
    assert.equal((await stranger.ask('/account/confirm/second-factor')).headers.location, '/account/confirm')
  })

  test('half way in one browser or tenant is not half way in another', async () => {
    const it = await enrolled()
    const { browser } = await halfway(it)
    const carried = deployment.browser()
    await carried.ask('/account')
    carried.cookies.set(half, browser.cookies.get(half) ?? '')
    assert.equal((await carried.ask('/account/enter/second-factor')).headers.location, '/account')
    const tenant = deployment.browser()
    for (const [name, value] of browser.cookies) tenant.cookies.set(`${name}-acme`, value)
    const answer = await tenant.ask('/t/acme/account/enter/second-factor')
    assert.equal(answer.headers.location, '/t/acme/account')
    for (const junk of ['', 'x', 'A'.repeat(100), 'A'.repeat(5000), '../..', '%00']) {
      carried.cookies.set(half, junk)
      assert.equal((await carried.ask('/account/enter/second-factor')).status, 303, junk.slice(0, 10))
    }
  })

  test('malformed, repeated and oversized answers are refused and break nothing', async () => {
    const it = await enrolled()
    const { browser, hub } = await halfway(it)
    const csrf = tokenIn((await browser.ask(hub)).body)
    const send = (content: string, to = 'second-factor') =>
      browser.ask(`${hub}/${to}`, { content: `csrf=${csrf}&${content}` })
    assert.equal((await send(`otp=1&otp=${it.otp()}`)).status, 400, 'repeated')
    assert.equal((await send(`otp=${'1'.repeat(70_000)}`)).status, 413, 'oversized')
    const wrong = [
      '',
      'otp=',
      `otp=${encodeURIComponent('１２３４５６')}`,
      'recovery_code=%F0%9F%94%91',
      'passkey=%7B%7D',
      'passkey=x',
    ]
    for (const content of wrong) assert.equal((await send(content)).status, 401, content)
    assert.equal((await send('passkey=%5B%5D', 'passkey')).status, 303, 'not asked for here: the hub knows')
    assert.equal((await send(`otp=${it.otp()}`)).status, 303, 'and the right one still works')
  })

  test('codes are guessed ten times, then nobody may try for a while', async () => {
    const it = await enrolled()
    const { browser, hub } = await halfway(it)
    const csrf = tokenIn((await browser.ask(hub)).body)
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) {
      statuses.push((await browser.ask(`${hub}/second-factor`, { form: { csrf, otp: '000000' } })).status)
    }
    assert.deepEqual(new Set(statuses.slice(0, 10)), new Set([401]))
    assert.equal(statuses[10], 429)
    const recovery = { csrf, recovery_code: it.codes[0] ?? '' }
    assert.equal((await browser.ask(`${hub}/second-factor`, { form: recovery })).status, 429)
  })

  test('a session that is weaker than its person can be changes no factor, whatever it sends', async () => {
    const [browser, who] = [deployment.browser(), deployment.somebody()]
    assert.equal((await browser.press('/account', '/enter', { ...who })).status, 303)
    const it = await enrolApp(deployment, '', who)
    // Where it was set up both were just shown: nobody is asked again. Elsewhere they were not.
    const there = await it.browser.ask(methods)
    assert.match(there.body, /remove-authenticator/)
    assert.doesNotMatch(there.body, /href="\/account\/confirm"/)
    const page = await browser.ask(methods)
    assert.equal(pageOf(page), 'account')
    assert.match(page.body, /href="\/account\/confirm"/)
    assert.doesNotMatch(page.body, /remove-authenticator|new-codes|add-passkey/)
    const csrf = tokenIn(page.body)
    for (const form of [{ 'remove-authenticator': 'yes' }, { 'new-codes': 'yes' }, { passkey: '{}', name: 'x' }]) {
      const answer = await browser.ask(methods, { form: { csrf, ...form } })
      assert.equal(answer.headers.location, '/account/confirm', JSON.stringify(form))
    }
    // Confirming takes both factors, and the tick of the first time does not spare it.
    assert.equal((await browser.press('/account/confirm', '', { ...it.who })).status, 303)
    const done = await browser.press('/account/confirm/second-factor', '', { otp: it.otp(), remember: 'yes' })
    assert.equal(done.headers.location, methods)
    assert.ok(browser.cookies.has(trusted))
    const strong = await browser.press(methods, '', { 'new-codes': 'yes' })
    assert.equal(strong.status, 200)
    assert.match(strong.body, /class="codes"/)
    assert.equal(
      (await browser.press('/account/confirm', '', { ...it.who })).headers.location,
      '/account/confirm/second-factor',
    )
    const removed = await browser.press(methods, '', { 'remove-authenticator': 'yes' })
    assert.match(removed.headers.location ?? '', /done=authenticator_removed/)
    const free = deployment.browser()
    assert.equal((await free.press('/account', '/enter', { ...it.who })).headers.location, '/account')
  })

  test('a wrong code leaves the tick that spares this browser; no link sets it', async () => {
    const it = await enrolled()
    const { browser, hub } = await halfway(it)
    const ticked = /<input[^>]*id="remember"[^>]* checked/
    const wrong = await browser.press(hub, '/second-factor', { otp: '000000', remember: 'yes' })
    assert.match(wrong.body, ticked)
    assert.doesNotMatch((await browser.press(hub, '/second-factor', { otp: '000000' })).body, ticked)
    const atAccount = deployment.browser()
    await atAccount.press('/account', '/enter', { ...it.who })
    const path = '/account/enter/second-factor'
    assert.match((await atAccount.press(path, '', { otp: '000000', remember: 'yes' })).body, ticked)
    assert.doesNotMatch((await atAccount.ask(`${path}?remember=yes`)).body, ticked)
  })

  test('another person’s references change nothing of theirs', async () => {
    const [alice, bob] = [await enrolled(), await enrolled()]
    const trusting = await halfway(alice)
    await trusting.browser.press(trusting.hub, '/second-factor', { otp: alice.otp(), remember: 'yes' })
    const reference = /name="forget"\s+value="([^"]+)"/.exec((await trusting.browser.ask(methods)).body)?.[1] ?? ''
    assert.notEqual(reference, '')
    const csrf = tokenIn((await bob.browser.ask(methods)).body)
    await bob.browser.ask(methods, { form: { csrf, forget: reference } })
    const csrfOut = tokenIn((await trusting.browser.ask('/account')).body)
    await trusting.browser.ask('/account/sign-out', { form: { csrf: csrfOut } })
    const back = await trusting.browser.press('/account', '/enter', { ...alice.who })
    assert.equal(back.headers.location, '/account', 'still trusted')
    // Trust is for the one person who gave it.
    const carried = deployment.browser()
    await carried.ask('/account')
    carried.cookies.set(trusted, trusting.browser.cookies.get(trusted) ?? '')
    const answer = await carried.press('/account', '/enter', { ...bob.who })
    assert.equal(answer.headers.location, '/account/enter/second-factor')
  })
})
