/** The demo web client before an issuer and an Orders API that answer as the test says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fastify, type FastifyInstance } from 'fastify'
import { webClient } from '../src/client/web-client.ts'

const issuer = 'https://issuer.example'
const resource = 'https://orders.example'
const operation = '/v2/operations/op_1'

interface OrdersAnswer {
  readonly status: number
  readonly body?: object
  readonly headers?: Record<string, string>
}

/** What Orders answers, by method and path; everything else is an empty list. */
type Orders = Record<string, OrdersAnswer>

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const json = (body: object, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json', ...headers } })

class Browser {
  readonly orders: Orders = { 'POST /v2/orders/export': { status: 202, headers: { location: operation } } }
  readonly #app: FastifyInstance = fastify()
  #cookie = ''
  #nonce = ''

  async open(): Promise<this> {
    await this.#app.register(webClient, {
      issuer,
      clientId: 'demo',
      clientSecret: 'x',
      redirectUri: `${resource}/client/callback`,
      signedOutUri: `${resource}/client/signed-out`,
      resource,
      fetch: async (url, { method }) => this.#answer(method, new URL(url)),
    })
    const { headers } = await this.send('GET', 'sign-in')
    const asked = new URL(String(headers.location)).searchParams
    this.#nonce = asked.get('nonce') ?? ''
    await this.send('GET', `callback?code=c&state=${asked.get('state')}&iss=${encodeURIComponent(issuer)}`)
    return this
  }

  async send(method: 'GET' | 'POST', path = '') {
    const url = `/client/${path}`
    const answer = await this.#app.inject({ method, url, headers: { cookie: this.#cookie } })
    const [set] = answer.cookies
    if (set !== undefined) this.#cookie = `${set.name}=${set.value}`
    return answer
  }

  /** Presses a button, and shows the page after it. */
  async press(act: string): Promise<string> {
    assert.equal((await this.send('POST', act)).statusCode, 303)
    return (await this.send('GET')).body
  }

  #answer(method: string, { origin, pathname }: URL): Response {
    if (origin === resource) {
      const { status, body = {}, headers = {} } = this.orders[`${method} ${pathname}`] ?? { status: 200 }
      return json(body, status, headers)
    }
    if (pathname === '/userinfo') return json({ sub: 'alice', name: 'Alice' })
    if (pathname !== '/token')
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
      })
    const now = Math.floor(Date.now() / 1000)
    const claims = { iss: issuer, aud: 'demo', sub: 'alice', nonce: this.#nonce, iat: now, exp: now + 600 }
    return json({
      access_token: 'at',
      token_type: 'Bearer',
      expires_in: 600,
      scope: 'openid',
      id_token: `${encode({ alg: 'RS256' })}.${encode(claims)}.c2ln`,
    })
  }
}

const noticeOf = (page: string): string | undefined => /role="status">([^<]*)</.exec(page)?.[1]
const running = { status: 200, body: { status: 'running', progress: { done: 10, total: 120 } } }
const done = { status: 200, body: { status: 'succeeded', progress: { done: 120, total: 120 } } }

test('while an export runs a script keeps its progress fresh; the page does not load itself anew', async () => {
  const browser = await new Browser().open()
  browser.orders[`GET ${operation}`] = running
  const page = await browser.press('export')
  assert.equal(noticeOf(page), 'The export has begun.')
  assert.ok(!page.includes('http-equiv'))
  assert.match(page, /<script src="\/client\/export\.js" defer><\/script>/)
  assert.match(page, /<a id="look-again" href="\/client\/">Look again<\/a>/)
  assert.match(page, /action="\/client\/export" hidden>/)
  const script = await browser.send('GET', 'export.js')
  assert.match(String(script.headers['content-type']), /^text\/javascript/)
  const rules = String((await browser.send('GET')).headers['content-security-policy'])
  for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'self'"]) assert.ok(rules.includes(rule))
  const news = async () => (await browser.send('GET', 'export')).body
  assert.match(await news(), /^<section class="export">.*<progress [^>]*value="10" max="120">/s)
  browser.orders[`GET ${operation}`] = done
  assert.match(await news(), /Download orders\.json/)
  const ended = (await browser.send('GET')).body
  assert.ok(!ended.includes('<script') && !ended.includes('hidden') && ended.includes('orders.json'))
})

test('an export that cannot be looked at for a while is not forgotten; one that is gone is', async () => {
  const browser = await new Browser().open()
  browser.orders[`GET ${operation}`] = { status: 503 }
  assert.match(await browser.press('export'), /Orders does not say now how far it is/)
  assert.equal((await browser.send('GET', 'export')).statusCode, 404)
  browser.orders[`GET ${operation}`] = done
  assert.match((await browser.send('GET')).body, /Download orders\.json/)
  browser.orders[`GET ${operation}`] = { status: 404 }
  assert.ok(!(await browser.send('GET')).body.includes('class="export"'))
  browser.orders[`GET ${operation}`] = done
  assert.ok(!(await browser.send('GET')).body.includes('class="export"'))
  assert.equal((await browser.send('GET', 'export')).statusCode, 404)
})

test('what canceling came to is said as it was, and the export is kept where it was not canceled', async () => {
  for (const [status, words, isKept] of [
    [202, 'The export was canceled.', false],
    [409, 'The export had ended already.', true],
    [503, 'Orders refused to cancel the export with 503.', true],
    [404, 'Orders refused to cancel the export with 404.', false],
  ] as const) {
    const browser = await new Browser().open()
    browser.orders[`GET ${operation}`] = done
    await browser.press('export')
    browser.orders[`DELETE ${operation}`] = { status }
    const page = await browser.press('cancel-export')
    assert.deepEqual([noticeOf(page), page.includes('Download orders.json')], [words, isKept])
  }
})

test('to sign in again is advised where the token was refused, and nowhere else', async () => {
  const browser = await new Browser().open()
  for (const [status, isAdvised] of [
    [401, true],
    [403, false],
    [503, false],
  ] as const) {
    browser.orders['GET /v2/orders'] = { status, body: { detail: 'No.' } }
    const page = (await browser.send('GET')).body
    assert.match(page, new RegExp(`Orders refused with ${status}: No\\.`))
    assert.deepEqual([page.includes('Sign in again'), page.includes('Look again')], [isAdvised, !isAdvised])
  }
})
