/** What Chromium lets a consent form lead to: it holds `form-action` against every redirect that follows. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, BrowserContext } from 'playwright-core'
import { consentPage, continuePage, pageHeaders } from '@grantor/server/pages'
import { openChromium } from '../chromium.ts'
import { consent } from '../consent-samples.ts'
import * as samples from '../samples.ts'
import { type PageServer, redirectTo, servePages, sendPage } from '../page-server.ts'

interface Flow {
  /** What the page's policy names. */
  readonly named: readonly string[]
  readonly redirect: string
  /** Where the person should end up; the redirect itself unless the client leads on. */
  readonly end?: string
  /** How the last step goes to the client. */
  readonly by: 'redirect' | 'page'
}

describe('form-action in Chromium', { concurrency: false }, () => {
  let browser: Browser
  let context: BrowserContext
  let client: PageServer
  let server: PageServer
  /** The one that is tried just now. */
  let flow: Flow
  before(async () => {
    // Reserved names (RFC 6761) that lead to this machine, so that nothing leaves it.
    browser = await openChromium(['MAP *.test 127.0.0.1'])
    client = await servePages((request, response) => {
      const to = new URL(request.url ?? '/', 'http://client').searchParams.get('to')
      if (to === null) response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Client</title>')
      else redirectTo(response, to)
    })
    server = await servePages((request, response) => {
      if (request.method === 'POST') redirectTo(response, '/hub')
      else if (request.url !== '/hub') {
        const form = { action: '/decide', csrf: 'token' }
        sendPage(response, consentPage(samples.frame(), { ...consent, form }), pageHeaders({ formTargets: flow.named }))
      } else if (flow.by === 'redirect') redirectTo(response, flow.redirect)
      else sendPage(response, continuePage(samples.frame(), { href: flow.redirect }), pageHeaders())
    })
    context = await browser.newContext()
  })
  after(() => Promise.all([browser.close(), client.close(), server.close()]))

  /** Presses Allow; tells whether the browser asked for the end of the way, or refused to go there. */
  async function allow(tried: Flow): Promise<'reached' | 'blocked'> {
    flow = tried
    const page = await context.newPage()
    await page.goto(server.origin)
    const end = flow.end ?? flow.redirect
    const outcome = Promise.race([
      page.waitForRequest((request) => request.url() === end).then(() => 'reached' as const),
      page.waitForEvent('console', (message) => message.text().includes('form-action')).then(() => 'blocked' as const),
    ])
    await page.click('#allow', { noWaitAfter: true })
    const seen = await outcome
    await page.close()
    return seen
  }

  for (const [kind, redirect] of Object.entries({
    https: 'https://client.test/cb?code=1',
    'https with a port': 'https://client.test:8444/cb?code=1',
    'IPv4 loopback': 'http://127.0.0.1:33418/cb?code=1',
    'IPv6 loopback': 'http://[::1]:33418/cb?code=1',
    localhost: 'http://localhost:33418/cb?code=1',
    'private-use scheme': 'cursor://anysphere.cursor-mcp/oauth/callback?code=1',
    'reverse-domain scheme': 'com.example.app:/cb?code=1',
  })) {
    test(`a redirect to ${kind} is reached when the policy names it`, async () => {
      assert.equal(await allow({ named: [redirect], redirect, by: 'redirect' }), 'reached')
    })
    test(`a redirect to ${kind} is blocked when the policy does not name it`, async () => {
      assert.equal(await allow({ named: [], redirect, by: 'redirect' }), 'blocked')
    })
  }

  for (const [kind, end] of Object.entries({
    'another site': 'https://app.test/welcome',
    'an app': 'vscode://vscode.github-authentication/did-authenticate?code=1',
  })) {
    const hop = (): string => `http://client.test:${client.port}/cb?to=${encodeURIComponent(end)}`
    test(`a client that leads on to ${kind} is blocked behind a redirect, though the policy names the client`, async () => {
      assert.equal(await allow({ named: [hop()], redirect: hop(), end, by: 'redirect' }), 'blocked')
    })
    test(`a client that leads on to ${kind} is reached from the page that continues`, async () => {
      assert.equal(await allow({ named: [], redirect: hop(), end, by: 'page' }), 'reached')
    })
  }
})
