/** The page at which a person types the code of their device, and everybody who would rather do it for them. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type PageAnswer, deploy, type Deployment, type HandBrowser, pageOf, tokenIn } from './deployment.ts'

interface Codes {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  readonly error?: string
}

describe('the device page', { concurrency: 4 }, () => {
  let deployment: Deployment
  before(async () => {
    deployment = await deploy()
  })
  after(() => deployment[Symbol.asyncDispose]())

  const post = async (
    path: string,
    form: Readonly<Record<string, string>>,
  ): Promise<Codes & { access_token?: string }> => JSON.parse((await deployment.send(path, { form })).body) as Codes
  const ask = (base = '') => post(`${base}/device_authorization`, { client_id: 'tv', scope: 'openid invoices:read' })
  const poll = (codes: Codes, base = '') =>
    post(`${base}/token`, {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: codes.device_code,
      client_id: 'tv',
    })
  const type = (browser: HandBrowser, code: string, base = ''): Promise<PageAnswer> =>
    browser.press(`${base}/device`, '', { user_code: code })
  const typed = async (browser: HandBrowser, codes: Codes): Promise<string> => {
    const answer = await type(browser, codes.user_code)
    assert.equal(answer.status, 303, answer.body)
    return answer.headers.location ?? ''
  }

  test('RFC 8628 §3.2: the metadata name the endpoint, and the answer the page', async () => {
    const metadata = await deployment.send('/t/acme/.well-known/openid-configuration')
    const { device_authorization_endpoint: endpoint, grant_types_supported: grants } = JSON.parse(metadata.body) as {
      device_authorization_endpoint: string
      grant_types_supported: string[]
    }
    assert.equal(endpoint, `${deployment.issuer}/t/acme/device_authorization`)
    assert.ok(grants.includes('urn:ietf:params:oauth:grant-type:device_code'))
    const answer = await deployment.send('/device_authorization', { form: { client_id: 'tv', scope: 'openid' } })
    assert.equal(answer.headers['cache-control'], 'no-store')
    const codes = JSON.parse(answer.body) as Codes
    assert.equal(codes.verification_uri, `${deployment.issuer}/device`)
    assert.equal(codes.verification_uri_complete, `${deployment.issuer}/device?user_code=${codes.user_code}`)
  })

  test('RFC 8628 §3.3: typed, signed in, asked, allowed; the device has its tokens and the page says so', async () => {
    const [codes, browser] = [await ask(), deployment.browser()]
    const hub = await typed(browser, codes)
    await browser.signIn(hub, deployment.somebody())
    const consent = await browser.ask(hub)
    assert.equal(pageOf(consent), 'consent')
    for (const shown of [codes.user_code, 'Television', '127.0.0.1', 'See invoices'])
      assert.ok(consent.body.includes(shown), shown)
    assert.equal((await poll(codes)).error, 'authorization_pending')
    await browser.allow(hub)
    assert.match((await browser.ask(hub)).body, /id="device-approved"/)
    assert.ok((await poll(codes)).access_token)
    assert.match((await browser.ask(hub)).body, /id="device-approved"/)
  })

  test('RFC 8628 §5.4: a link with the code fills the field, and does nothing until the button is pressed', async () => {
    const [codes, browser] = [await ask(), deployment.browser()]
    const page = await browser.ask(`/device?user_code=${codes.user_code.toLowerCase()}`)
    assert.match(page.body, new RegExp(`value="${codes.user_code}"`))
    assert.match(page.body, /class="notice warning"/)
    assert.match(page.body, new RegExp(`href="\\?lang=de&amp;user_code=${codes.user_code}"`))
    // The code is still anybody's: the link claimed nothing.
    assert.equal((await type(deployment.browser(), codes.user_code)).status, 303)
    const odd = await browser.ask('/device?user_code=%22%3E%3Cscript%3E')
    assert.match(odd.body, /id="user_code"[^>]*value=""/)
    assert.match(odd.body, /href="\?lang=de"/)
  })

  test('a form of another site, without our token or from elsewhere, types nothing', async () => {
    const [codes, browser] = [await ask(), deployment.browser()]
    const csrf = tokenIn((await browser.ask('/device')).body)
    const form = { user_code: codes.user_code, confirm: 'yes' }
    const attempts = [
      { form },
      { form: { ...form, csrf: 'x'.repeat(43) } },
      { form: { ...form, csrf }, headers: { 'sec-fetch-site': 'cross-site' } },
      { form: { ...form, csrf }, headers: { origin: 'https://evil.example' } },
    ]
    for (const attempt of attempts) {
      const answer = await browser.ask('/device', attempt)
      assert.deepEqual([answer.status, pageOf(answer)], [403, 'error'])
    }
    // The token of one browser is worth nothing in another.
    assert.equal((await deployment.browser().ask('/device', { form: { ...form, csrf } })).status, 403)
    assert.equal((await type(browser, codes.user_code)).status, 303)
  })

  test('unknown, taken and other tenants’ codes get one page; no code at all gets another', async () => {
    const [codes, elsewhere] = [await ask(), await ask('/t/acme')]
    await typed(deployment.browser(), codes)
    const pages = []
    for (const code of [codes.user_code, elsewhere.user_code, 'BCDF-GHJK']) {
      const answer = await type(deployment.browser(), code)
      assert.equal(answer.status, 400)
      pages.push(answer.body.replaceAll(code, 'CODE').replace(/name="csrf" value="[^"]*"/g, ''))
    }
    assert.equal(new Set(pages).size, 1)
    const malformed = await type(deployment.browser(), 'hello')
    assert.equal(malformed.status, 400)
    assert.match(malformed.body, /eight letters, such as/)
    assert.equal((await type(deployment.browser(), elsewhere.user_code, '/t/acme')).status, 303)
    assert.equal((await deployment.browser().ask('/t/nobody/device')).status, 404)
  })

  test('the way through is its browser’s: nobody else signs in, decides or looks there', async () => {
    const [codes, browser, thief] = [await ask(), deployment.browser(), deployment.browser()]
    const hub = await typed(browser, codes)
    const csrf = tokenIn((await browser.ask(hub)).body)
    await thief.ask('/device')
    assert.equal(pageOf(await thief.ask(hub)), 'error')
    for (const step of ['sign-in', 'decide']) {
      const answer = await thief.ask(`${hub}/${step}`, { form: { csrf, allow: 'yes', username: 'x', password: 'y' } })
      assert.deepEqual([answer.status, pageOf(answer)], [403, 'error'])
    }
    assert.equal((await poll(codes)).error, 'authorization_pending')
  })

  test('a consent form that was tampered with grants no more than was asked', async () => {
    const [codes, browser] = [await ask(), deployment.browser()]
    const hub = await typed(browser, codes)
    // Deciding before signing in decides nothing.
    await browser.press(hub, '/decide', { allow: 'yes' })
    assert.equal(pageOf(await browser.ask(hub)), 'login')
    await browser.signIn(hub, deployment.somebody())
    await browser.press(hub, '/decide', {
      allow: 'yes',
      'scope:invoices:write': 'yes',
      scope: 'invoices:write',
      client_id: 'web',
    })
    await browser.ask(hub)
    const tokens = (await poll(codes)) as { scope?: string; access_token?: string }
    assert.equal(tokens.scope, 'invoices:read openid')
    // The decision cannot be made again, nor turned around.
    await browser.ask(`${hub}/decide`, { form: { csrf: tokenIn((await browser.ask('/device')).body), deny: 'yes' } })
    assert.match((await browser.ask(hub)).body, /id="device-approved"/)
  })

  test('whoever says no, or says both, has denied', async () => {
    for (const fields of [{ deny: 'yes' }, { allow: 'yes', deny: 'yes' }]) {
      const [codes, browser] = [await ask(), deployment.browser()]
      const hub = await typed(browser, codes)
      await browser.signIn(hub, deployment.somebody())
      await browser.press(hub, '/decide', fields)
      assert.match((await browser.ask(hub)).body, /id="device-denied"/)
      assert.equal((await poll(codes)).error, 'access_denied')
    }
  })

  test('RFC 6749 §3.2: repeated, oversized and JSON requests are refused at the device endpoint', async () => {
    const refused = [
      [{ content: 'client_id=tv&scope=openid&scope=openid' }, 400],
      [{ content: `client_id=tv&scope=${'a'.repeat(70_000)}` }, 413],
      [{ content: '{"client_id":"tv"}', headers: { 'content-type': 'application/json' } }, 415],
      [{ method: 'GET' }, 405],
    ] as const
    for (const [how, status] of refused) {
      const answer = await deployment.send('/device_authorization', how)
      assert.equal(answer.status, status)
      assert.equal((JSON.parse(answer.body) as Codes).error, 'invalid_request')
    }
    const twice = await deployment.browser().ask('/device?user_code=BCDF-GHJK&user_code=WDJB-MJHT')
    assert.equal(twice.status, 400)
  })
})

test('after ten wrong codes the page asks to wait, even for the right one', async () => {
  await using own = await deploy()
  const browser = own.browser()
  const type = (code: string) => browser.press('/device', '', { user_code: code })
  for (let n = 0; n < 10; n++) assert.equal((await type('BCDF-GHJK')).status, 400)
  const answer = await own.send('/device_authorization', { form: { client_id: 'tv', scope: 'openid' } })
  const throttled = await type((JSON.parse(answer.body) as Codes).user_code)
  assert.equal(throttled.status, 429)
  assert.match(throttled.body, /Too many attempts/)
})
