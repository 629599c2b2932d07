/** Other ways to the same end, in real Chromium: without script, by keyboard, in German, on a phone, with blocked cookies. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { deploy } from '../deployment.ts'
import { openPerson } from '../person.ts'
import { setUp } from '../setup.ts'

describe('other ways', { concurrency: 2 }, async () => {
  const { browser, deployment } = await setUp()

  for (const mode of ['query', 'form_post']) {
    test(`without JavaScript the whole way works, ${mode}`, async () => {
      await using person = await openPerson(browser, { javaScriptEnabled: false })
      const { page } = person
      const state = `plain-${mode}`
      await page.goto(deployment.authorizeUrl({ state, response_mode: mode }))
      await person.signIn(deployment.somebody())
      await person.press('allow')
      await person.checkPage(`continue-${mode}`)
      // No script leads on: the one button of the page does.
      await page.click('main .button.primary')
      const { method, parameters } = await person.arrivalAt(deployment.web, state)
      assert.equal(method, mode === 'query' ? 'GET' : 'POST')
      assert.ok(parameters['code'])
      await page.goto(`${deployment.issuer}/account`)
      await page.click('details.confirm summary')
      await page.click('#revoke-printer')
      await page.waitForURL(/done=access_removed/)
      await person.press('sign-out')
      await page.waitForSelector('#signed-out')
    })
  }

  test('WCAG 2.2 §2.1.1: by keyboard alone; Enter in the consent page refuses nothing and allows nothing by itself', async () => {
    await using person = await openPerson(browser)
    const { page } = person
    const who = deployment.somebody()
    const focused = (): Promise<string> => page.evaluate(`document.activeElement.id`)
    const tabTo = async (id: string): Promise<void> => {
      for (let i = 0; i < 30 && (await focused()) !== id; i++) await page.keyboard.press('Tab')
      assert.equal(await focused(), id)
    }
    await page.goto(deployment.authorizeUrl({ state: 'keys', scope: 'openid photos:read photos:write' }))
    // The first field is ready to be typed into.
    assert.equal(await focused(), 'username')
    await page.keyboard.type(who.username)
    await page.keyboard.press('Tab')
    await page.keyboard.type(who.password)
    await page.keyboard.press('Enter')
    await page.waitForSelector('#allow')
    assert.notEqual(await focused(), 'allow')
    await page.keyboard.press('Enter')
    assert.ok(await page.isVisible('#allow'))
    await tabTo('scope:photos:write')
    await page.keyboard.press('Space')
    assert.equal(await page.isChecked('[id="scope:photos:write"]'), false)
    await tabTo('allow')
    await page.keyboard.press('Enter')
    assert.ok((await person.arrivalAt(deployment.web, 'keys')).parameters['code'])
  })

  test('OIDC Core §3.1.2.1: ui_locales choose the language, the link changes it, and it is remembered', async () => {
    await using person = await openPerson(browser, { locale: 'fi' })
    const { page } = person
    const language = () => page.getAttribute('html', 'lang')
    await page.goto(deployment.authorizeUrl({ state: 'german', ui_locales: 'fi-FI de-AT' }))
    assert.equal(await language(), 'de')
    await person.checkPage('login-german')
    const change = async (tag: string): Promise<void> => {
      await page.click('nav.languages summary')
      await page.click(`nav.languages a[lang=${tag}]`)
      await page.waitForSelector(`html[lang=${tag}]`)
    }
    await change('en')
    await change('de')
    await person.signIn(deployment.somebody())
    await page.waitForSelector('#allow')
    assert.equal(await language(), 'de')
    assert.match(await page.innerText('main'), /Ihre Fotos sehen/)
    await person.checkPage('consent-german')
    await page.goto(`${deployment.issuer}/account`)
    assert.equal(await language(), 'de')
    await page.goto(deployment.authorizeUrl({ client_id: 'nobody' }))
    assert.equal(await language(), 'de')
    await person.checkPage('error-german')
  })

  test('on a phone, in the dark, everything fits', async () => {
    await using person = await openPerson(browser, { colorScheme: 'dark', viewport: { width: 360, height: 740 } })
    await person.page.goto(
      deployment.authorizeUrl({ state: 'phone', scope: 'openid email photos:read photos:write photos:delete' }),
    )
    await person.checkPage('login-phone')
    await person.signIn(deployment.somebody())
    await person.page.waitForSelector('#allow')
    await person.checkPage('consent-phone')
    await person.press('deny')
    assert.equal((await person.arrivalAt(deployment.web, 'phone')).parameters['error'], 'access_denied')
  })

  test('a deployment with its own name and colours shows them, light and dark', async () => {
    await using acme = await deploy({
      GRANTOR_THEME_NAME: 'Acme Water & Power',
      GRANTOR_THEME_ACCENT: '#8a1f5c',
      GRANTOR_THEME_BACKGROUND: '#faf6f8',
      GRANTOR_THEME_BACKGROUND_DARK: '#160f13',
    })
    for (const colorScheme of ['light', 'dark'] as const) {
      await using person = await openPerson(browser, { colorScheme })
      await person.page.goto(acme.authorizeUrl({ state: `theme-${colorScheme}` }))
      assert.match(await person.page.innerText('header'), /Acme Water & Power/)
      await person.checkPage(`login-themed-${colorScheme}`)
      await person.signIn(acme.somebody())
      await person.page.waitForSelector('#allow')
      await person.checkPage(`consent-themed-${colorScheme}`)
    }
  })

  test('a browser that keeps no cookies is told so, and is not led in circles', async () => {
    await using person = await openPerson(browser)
    const { page, context } = person
    await context.route(`${deployment.issuer}/**`, async (route) => {
      const { status, headers, body } = await withoutCookies(route.request().url(), route.request().headers())
      await route.fulfill({ status, headers, body })
    })
    await page.goto(deployment.authorizeUrl({ state: 'cookieless' }))
    await page.waitForSelector('#error')
    assert.match(await page.innerText('main'), /cookies/)
    await page.goto(`${deployment.issuer}/account`)
    await page.waitForSelector('#username')
  })
})

/** Asked past the browser, whose own ways of fetching keep cookies: one that never arrives is none. */
async function withoutCookies(url: string, sent: Record<string, string>) {
  const headers = Object.fromEntries(Object.entries(sent).filter(([name]) => name !== 'cookie'))
  const asked = request(url, { headers, rejectUnauthorized: false }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const told = Object.entries(answer.headers)
    .filter(([name]) => name !== 'set-cookie')
    .map(([name, value]): [string, string] => [name, String(value)])
  return { status: answer.statusCode ?? 500, headers: Object.fromEntries(told), body: await buffer(answer) }
}
