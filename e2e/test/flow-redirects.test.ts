/** Where the answer goes, in real Chromium: every kind of redirect URI is reached, by every way that leads there. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openPerson } from '../person.ts'
import { setUp } from '../setup.ts'

describe('the way back to the client', { concurrency: 2 }, async () => {
  const { browser, deployment } = await setUp()
  const tool = { client_id: 'tool', scope: 'openid photos:read' }

  test('RFC 8252 §7.3: a program on this computer gets its answer at the port it named', async () => {
    await using person = await openPerson(browser)
    await person.page.goto(
      deployment.authorizeUrl({ ...tool, redirect_uri: `${deployment.native.origin}/cb`, state: 'loopback' }),
    )
    await person.signIn(deployment.somebody())
    await person.page.waitForSelector('#allow')
    assert.match(await person.page.innerText('main'), /This computer/)
    await person.checkPage('consent-loopback')
    await person.press('allow')
    assert.ok((await person.arrivalAt(deployment.native, 'loopback')).parameters['code'])
  })

  test('RFC 8252 §7.1: an app is opened by its scheme, after a form and without one', async () => {
    await using person = await openPerson(browser)
    const { page } = person
    const opened = () => page.waitForRequest((request) => request.url().startsWith('com.example.tool:/cb?'))
    const app = { ...tool, redirect_uri: 'com.example.tool:/cb' }
    await page.goto(deployment.authorizeUrl({ ...app, state: 'app-1' }))
    await person.signIn(deployment.somebody())
    await page.waitForSelector('#allow')
    assert.match(await page.innerText('main'), /An app on this device/)
    await person.checkPage('consent-app')
    const [afterForm] = await Promise.all([opened(), page.click('#allow', { noWaitAfter: true })])
    assert.match(afterForm.url(), /[?&]code=gc_/)
    assert.deepEqual(
      person.consoleMessages.filter((line) => line.includes('Content Security Policy')),
      [],
    )
    const [silent] = await Promise.all([
      opened(),
      // The page that would be shown is an app's, so the navigation itself never comes to an end.
      page.goto(deployment.authorizeUrl({ ...app, state: 'app-2', prompt: 'none' })).catch(() => null),
    ])
    assert.match(silent.url(), /error=consent_required&.*state=app-2/)
  })

  test('a client that leads on to another origin is reached, and so is where it leads', async () => {
    await using person = await openPerson(browser)
    const state = `${deployment.native.origin}/welcome`
    await person.page.goto(deployment.authorizeUrl({ redirect_uri: `${deployment.web.origin}/hop`, state }))
    await person.signIn(deployment.somebody())
    await person.press('allow')
    await person.page.waitForURL(state)
    assert.ok(deployment.web.arrivals.some((it) => it.path === '/hop' && it.parameters['code']?.startsWith('gc_')))
  })

  for (const outcome of ['allow', 'deny']) {
    test(`Form Post Response Mode §2: ${outcome} arrives by POST`, async () => {
      await using person = await openPerson(browser)
      const state = `post-${outcome}`
      await person.page.goto(deployment.authorizeUrl({ response_mode: 'form_post', state }))
      await person.signIn(deployment.somebody())
      await person.press(outcome)
      const { method, parameters } = await person.arrivalAt(deployment.web, state)
      assert.equal(method, 'POST')
      assert.equal(parameters['iss'], deployment.issuer)
      assert.deepEqual(
        [parameters['error'], parameters['code'] === undefined],
        outcome === 'deny' ? ['access_denied', true] : [undefined, false],
      )
    })
  }

  test('no address of ours ever holds the redirect URI or its answer, and the client sees no referrer', async () => {
    await using person = await openPerson(browser)
    const { page } = person
    const seen: string[] = []
    const referrers: (string | undefined)[] = []
    page.on('request', (request) => {
      const url = request.url()
      if (url.startsWith(deployment.issuer) && !url.startsWith(`${deployment.issuer}/authorize`)) seen.push(url)
      if (url.startsWith(deployment.web.origin)) referrers.push(request.headers()['referer'])
    })
    await page.goto(deployment.authorizeUrl({ state: 'quiet' }))
    await person.signIn(deployment.somebody())
    await person.press('allow')
    await person.arrivalAt(deployment.web, 'quiet')
    assert.ok(seen.length > 4)
    assert.deepEqual(
      seen.filter((url) => /client\.test|redirect|code=|gc_/.test(url)),
      [],
    )
    assert.ok(referrers.length > 0)
    assert.deepEqual(
      referrers.filter((it) => it !== undefined),
      [],
    )
  })

  test('a client that opened a window of its own is still its opener when the answer arrives', async () => {
    await using person = await openPerson(browser)
    const { page, context } = person
    await page.goto(`${deployment.web.origin}/app`)
    const [popup] = await Promise.all([
      context.waitForEvent('page'),
      page.evaluate(`void window.open(${JSON.stringify(deployment.authorizeUrl({ state: 'popup' }))}, 'sign-in')`),
    ])
    const who = deployment.somebody()
    await popup.fill('#username', who.username)
    await popup.fill('#password', who.password)
    await popup.click('#sign-in')
    await popup.click('#allow')
    await popup.waitForURL((url) => url.origin === deployment.web.origin)
    assert.equal(await popup.evaluate(`window.opener !== null && window.opener.location.pathname`), '/app')
  })

  test('none of our pages can be put into a frame', async () => {
    await using person = await openPerson(browser)
    const { page } = person
    await page.goto(`${deployment.native.origin}/evil`)
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
    await page.evaluate(`(() => {
      const frame = document.createElement('iframe')
      frame.src = ${JSON.stringify(deployment.authorizeUrl({ state: 'framed' }))}
      document.body.append(frame)
    })()`)
    await refused
  })
})
