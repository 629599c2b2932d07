/** `oidc-client-ts`, unmodified, in Chromium: a single-page app signs in and renews in a frame, of the same site and of another. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { issueCertificate } from '@grantor/server'
import { openChromium } from '../../e2e/chromium.ts'
import { startServer, temporaryFolder } from '../server.ts'
import { shownSettings } from '../shown-settings.ts'

const alice = { username: 'alice', password: 'correct-horse' }
const main = createRequire(import.meta.url).resolve('oidc-client-ts')
const library = readFileSync(join(dirname(main), '..', 'browser', 'oidc-client-ts.min.js'))
const page =
  '<!doctype html><html lang="en"><title>App</title><script src="/oidc.js"></script><script src="/app.js"></script>'

/** The whole app: the library with its settings, and its own answer to the frame. */
const app = (issuer: string) => `
  // As docs/works-with.md shows it, and with a frame to renew in.
  class UserManager extends oidc.UserManager {
    constructor(shown) {
      super({ ...shown, silent_redirect_uri: location.origin + '/silent', automaticSilentRenew: false, monitorSession: false })
    }
  }
  const manager = ${shownSettings('new UserManager(', { 'https://login.example.com': issuer })}
  if (location.pathname === '/silent') manager.signinCallback()
`

/** An app at a port of its own, and the forms that were posted to it. */
async function openApp(host: string) {
  const validity = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) }
  const pair = await issueCertificate({ name: `CN=${host}`, validity, names: [host], signer: null })
  const posted: URLSearchParams[] = []
  let issuer = ''
  const server = createServer(pair, (request, response) => {
    void (async () => {
      if (request.method === 'POST') posted.push(new URLSearchParams(await text(request)))
      const script = request.url === '/oidc.js' ? library : request.url === '/app.js' ? app(issuer) : null
      response.writeHead(200, { 'content-type': script === null ? 'text/html' : 'text/javascript' }).end(script ?? page)
    })()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `https://${host}:${(server.address() as AddressInfo).port}`,
    posted,
    trust: (of: string) => void (issuer = of),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

// Of the file, not of the suite: a suite of which a name pattern leaves no test runs its body, but not its hooks.
const stack = new AsyncDisposableStack()
after(() => stack.disposeAsync())

describe('oidc-client-ts in Chromium', async () => {
  const folder = stack.use(temporaryFolder())
  const [near, far] = [stack.use(await openApp('localhost')), stack.use(await openApp('app.test'))]
  const client = {
    client_id: 'app',
    token_endpoint_auth_method: 'none',
    redirect_uris: [near, far].flatMap(({ origin }) => [`${origin}/callback`, `${origin}/silent`]),
    scope: 'openid profile',
  }
  const seed = folder.write('seed.json', { users: [alice], clients: [client] })
  const server = stack.use(await startServer({ data: folder.path, seed, env: { GRANTOR_LOG: 'warn' } }))
  for (const one of [near, far]) one.trust(server.issuer)
  const browser = await openChromium(['MAP *.test 127.0.0.1'])
  stack.defer(() => browser.close())

  /** Signs in by the library's redirect, and says what its silent renewal comes to. */
  async function renewed(origin: string) {
    const context = await browser.newContext({ ignoreHTTPSErrors: true })
    const tab = await context.newPage()
    await tab.goto(`${origin}/`)
    // Not waited for: the page is left before it could say that it is.
    await tab.evaluate('void manager.signinRedirect()')
    await tab.fill('#username', alice.username)
    await tab.fill('#password', alice.password)
    await tab.click('#sign-in')
    // Whoever has allowed it before is not asked.
    await Promise.race([tab.waitForSelector('#allow').then(() => tab.click('#allow')), tab.waitForURL(/\/callback\?/)])
    await tab.waitForURL(/\/callback\?/)
    const subject = await tab.evaluate('manager.signinCallback().then((user) => user.profile.sub)')
    const silent = await tab.evaluate(
      'manager.signinSilent().then((user) => user.profile.sub, (refused) => refused.error ?? String(refused))',
    )
    return { tab, subject, silent }
  }

  test('an app of the same site renews its sign-in in a frame', async () => {
    const { subject, silent } = await renewed(near.origin)
    assert.equal(typeof subject, 'string')
    assert.equal(silent, subject)
  })

  test('OIDC Core §3.1.2.6: in a frame of another site, which brings no cookies, it hears login_required', async () => {
    const { tab, silent } = await renewed(far.origin)
    assert.equal(silent, 'login_required')
    const query = new URLSearchParams({
      client_id: 'app',
      response_type: 'code',
      response_mode: 'form_post',
      prompt: 'none',
      scope: 'openid',
      state: 'posted',
      redirect_uri: `${far.origin}/silent`,
      code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
      code_challenge_method: 'S256',
    })
    const arrived = tab.waitForResponse((it) => it.request().method() === 'POST' && it.url() === `${far.origin}/silent`)
    const src = JSON.stringify(`${server.issuer}/authorize?${query.toString()}`)
    await tab.evaluate(`void document.body.append(Object.assign(document.createElement('iframe'), { src: ${src} }))`)
    await arrived
    assert.deepEqual(
      far.posted.map((form) => [form.get('error'), form.get('state')]),
      [['login_required', 'posted']],
    )
  })
})
