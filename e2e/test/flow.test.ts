/** The whole way in real Chromium against the real command: signing in, choosing, consenting, refusing, coming back. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Deployment, verifier } from '../deployment.ts'
import { type Person, openPerson } from '../person.ts'
import { setUp } from '../setup.ts'

describe('the way through an authorization', { concurrency: 2 }, async () => {
  const { browser, deployment } = await setUp()

  /** Signed in and consented once, as most people are most of the time. */
  async function regular(state: string): Promise<Person & { who: ReturnType<Deployment['somebody']> }> {
    const person = await openPerson(browser)
    const who = deployment.somebody()
    await person.page.goto(deployment.authorizeUrl({ state }))
    await person.signIn(who)
    await person.press('allow')
    await person.arrivalAt(deployment.web, state)
    return Object.assign(person, { who })
  }

  test('RFC 6749 §4.1: sign-in, consent, code, token, userinfo; the next time nothing is asked', async () => {
    await using person = await openPerson(browser)
    const who = deployment.somebody()
    const { page, context } = person
    await page.goto(deployment.authorizeUrl({ state: 'whole' }))
    assert.equal(new URL(page.url()).origin, deployment.issuer)
    await person.checkPage('login')
    await person.signIn(who)
    await page.waitForSelector('#allow')
    await person.checkPage('consent')
    await person.press('allow')
    const { parameters, method } = await person.arrivalAt(deployment.web, 'whole')
    assert.equal(method, 'GET')
    assert.equal(parameters['iss'], deployment.issuer)
    const token = await context.request.post(`${deployment.issuer}/token`, {
      headers: { authorization: `Basic ${btoa('printer:printer-secret-of-32-or-more-characters')}` },
      form: {
        grant_type: 'authorization_code',
        code: parameters['code'] ?? '',
        redirect_uri: `${deployment.web.origin}/cb`,
        code_verifier: verifier,
      },
    })
    assert.equal(token.status(), 200)
    const { access_token } = (await token.json()) as { access_token: string }
    // The userinfo endpoint takes the token, and cookies mean nothing there.
    const userinfo = await context.request.get(`${deployment.issuer}/userinfo`, {
      headers: { authorization: `Bearer ${access_token}` },
    })
    assert.equal(userinfo.status(), 200)

    await page.goto(deployment.authorizeUrl({ state: 'again' }))
    assert.ok((await person.arrivalAt(deployment.web, 'again')).parameters['code'])
  })

  test('a wrong password says nothing about the account, and the right one goes on from there', async () => {
    await using person = await openPerson(browser)
    const who = deployment.somebody()
    await person.page.goto(deployment.authorizeUrl({ state: 'wrong' }))
    await person.signIn(who, 'not-the-password')
    const shown = await person.page.innerText('main')
    await person.checkPage('login-wrong-password')
    await person.signIn({ ...who, username: 'nobody-at-all' })
    assert.equal((await person.page.innerText('main')).trim(), shown.trim())
    // The address of the failed attempt, opened anew, leads back to the page it belongs to.
    await person.page.goto(person.page.url())
    await person.signIn(who)
    await person.press('allow')
    assert.ok((await person.arrivalAt(deployment.web, 'wrong')).parameters['code'])
  })

  test('the eleventh attempt on one account waits, the right password too', async () => {
    await using person = await openPerson(browser)
    const who = deployment.somebody()
    await person.page.goto(deployment.authorizeUrl({ state: 'throttled' }))
    const csrf = (await person.page.getAttribute('input[name=csrf]', 'value')) ?? ''
    const form = { csrf, username: who.username, password: 'not-the-password' }
    for (let i = 0; i < 10; i++) await person.context.request.post(`${person.page.url()}/sign-in`, { form })
    const [answer] = await Promise.all([
      person.page.waitForResponse((it) => it.request().method() === 'POST'),
      person.signIn(who),
    ])
    assert.equal(answer.status(), 429)
    await person.page.waitForSelector('h1')
    await person.checkPage('login-throttled')
  })

  test('several accounts in one browser: one is chosen, or another is added', async () => {
    await using person = await openPerson(browser)
    const [one, two] = [deployment.somebody(), deployment.somebody()]
    const { page } = person
    await page.goto(deployment.authorizeUrl({ state: 'choose' }))
    await person.signIn(one)
    await person.press('switch-account')
    await person.signIn(two)
    await page.waitForSelector('#allow')
    assert.match(await page.innerText('main'), new RegExp(two.username))
    // Now that there are two, switching is choosing.
    await person.press('switch-account')
    await page.waitForSelector('#another')
    await person.checkPage('choose-account')
    await page.click(`button.account:has-text("${one.username}")`)
    await page.waitForSelector('#allow')
    assert.match(await page.innerText('main'), new RegExp(one.username))
    await person.press('allow')
    await person.arrivalAt(deployment.web, 'choose')
    await page.goto(deployment.authorizeUrl({ state: 'choose-2' }))
    await page.waitForSelector('#another')
    await person.press('another')
    await page.waitForSelector('#username')
  })

  test('optional scopes can be left out, sensitive ones are marked, and stepping up asks only for what is new', async () => {
    await using person = await regular('step-0')
    const { page } = person
    await page.goto(
      deployment.authorizeUrl({ state: 'step-1', scope: 'openid photos:read photos:write photos:delete' }),
    )
    await person.checkPage('consent-stepping-up')
    assert.match(await page.innerText('main'), /Delete photos for good.*Sensitive/s)
    await page.uncheck('[id="scope:photos:write"]')
    await person.press('allow')
    const { parameters } = await person.arrivalAt(deployment.web, 'step-1')
    const token = await person.context.request.post(`${deployment.issuer}/token`, {
      headers: { authorization: `Basic ${btoa('printer:printer-secret-of-32-or-more-characters')}` },
      form: {
        grant_type: 'authorization_code',
        code: parameters['code'] ?? '',
        redirect_uri: `${deployment.web.origin}/cb`,
        code_verifier: verifier,
      },
    })
    const { scope } = (await token.json()) as { scope: string }
    assert.deepEqual(scope.split(' ').toSorted(), ['openid', 'photos:delete', 'photos:read'])
  })

  test('RFC 6749 §4.1.2.1: a refusal goes to the client as access_denied', async () => {
    await using person = await openPerson(browser)
    await person.page.goto(deployment.authorizeUrl({ state: 'deny' }))
    await person.signIn(deployment.somebody())
    await person.press('deny')
    const { parameters } = await person.arrivalAt(deployment.web, 'deny')
    assert.deepEqual([parameters['error'], parameters['iss']], ['access_denied', deployment.issuer])
    assert.equal(parameters['code'], undefined)
  })

  test('OIDC Core §3.1.2.1: prompt=none never shows a page', async () => {
    await using stranger = await openPerson(browser)
    await stranger.page.goto(deployment.authorizeUrl({ state: 'none-1', prompt: 'none' }))
    assert.equal((await stranger.arrivalAt(deployment.web, 'none-1')).parameters['error'], 'login_required')
    await using person = await regular('none-2')
    await person.page.goto(
      deployment.authorizeUrl({ state: 'none-3', prompt: 'none', scope: 'openid email photos:read' }),
    )
    assert.equal((await person.arrivalAt(deployment.web, 'none-3')).parameters['error'], 'consent_required')
    await person.page.goto(deployment.authorizeUrl({ state: 'none-4', prompt: 'none' }))
    assert.ok((await person.arrivalAt(deployment.web, 'none-4')).parameters['code'])
  })

  for (const [what, wish] of Object.entries({ 'prompt=login': { prompt: 'login' }, 'max_age=0': { max_age: '0' } })) {
    test(`OIDC Core §3.1.2.1: ${what} asks for the password once more, and once`, async () => {
      await using person = await regular(`${what}-1`)
      await person.page.goto(deployment.authorizeUrl({ state: `${what}-2`, ...wish }))
      await person.page.waitForSelector('#password')
      assert.equal(await person.page.inputValue('#username'), person.who.username)
      if (what === 'prompt=login') await person.checkPage('login-again')
      await person.signIn(person.who)
      assert.ok((await person.arrivalAt(deployment.web, `${what}-2`)).parameters['code'])
    })
  }

  test('OIDC Core §3.1.2.1: prompt=consent and prompt=select_account ask again', async () => {
    await using person = await regular('again-1')
    await person.page.goto(deployment.authorizeUrl({ state: 'again-2', prompt: 'consent' }))
    await person.press('allow')
    await person.arrivalAt(deployment.web, 'again-2')
    await person.page.goto(deployment.authorizeUrl({ state: 'again-3', prompt: 'select_account' }))
    await person.page.click(`button.account:has-text("${person.who.username}")`)
    assert.ok((await person.arrivalAt(deployment.web, 'again-3')).parameters['code'])
  })

  test('an answered interaction, opened again, has expired', async () => {
    await using person = await openPerson(browser)
    await person.page.goto(deployment.authorizeUrl({ state: 'over' }))
    const address = person.page.url()
    await person.signIn(deployment.somebody())
    await person.press('allow')
    await person.arrivalAt(deployment.web, 'over')
    await person.page.goto(address)
    await person.page.waitForSelector('#error')
    await person.checkPage('error-expired')
  })

  test('an interaction belongs to the browser that began it', async () => {
    await using attacker = await openPerson(browser)
    await attacker.page.goto(deployment.authorizeUrl({ state: 'foreign' }))
    await using victim = await openPerson(browser)
    await victim.page.goto(attacker.page.url())
    await victim.page.waitForSelector('#error')
    await victim.checkPage('error-another-browser')
  })

  test('a form that another site sends is refused, though the browser adds no cookie of ours to it', async () => {
    await using person = await regular('forged')
    await person.page.goto(deployment.authorizeUrl({ state: 'forged-2', prompt: 'consent' }))
    const action = `${person.page.url()}/decide`
    await person.page.goto(`${deployment.native.origin}/evil`)
    await person.page.evaluate(`(() => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action: ${JSON.stringify(action)} })
      form.append(Object.assign(document.createElement('input'), { name: 'allow', value: 'yes' }))
      document.body.append(form)
      form.submit()
    })()`)
    await person.page.waitForSelector('#error')
    await person.checkPage('error-forged-form')
    assert.equal(
      deployment.web.arrivals.some((it) => it.parameters['state'] === 'forged-2'),
      false,
    )
  })

  test('RFC 6749 §4.1.2.1: an unknown client or address stays on our page', async () => {
    await using person = await openPerson(browser)
    for (const wish of [{ client_id: 'nobody' }, { redirect_uri: `${deployment.web.origin}/other` }]) {
      await person.page.goto(deployment.authorizeUrl({ state: 'stay', ...wish }))
      await person.page.waitForSelector('#error')
      assert.equal(new URL(person.page.url()).origin, deployment.issuer)
    }
    await person.checkPage('error-client')
  })

  test('two presses on Allow are one answer', async () => {
    await using person = await openPerson(browser)
    await person.page.goto(deployment.authorizeUrl({ state: 'twice' }))
    await person.signIn(deployment.somebody())
    await person.page.waitForSelector('#allow')
    await person.page.dblclick('#allow')
    assert.ok((await person.arrivalAt(deployment.web, 'twice')).parameters['code'])
  })
})
