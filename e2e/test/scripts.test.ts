/** The scripts that lead on from a page, and the same ways without script. */
import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import {
  consentPage,
  formPostPage,
  frontChannelLogoutPage,
  loginPage,
  logoutPage,
  pageHeaders,
  recoveryCodesPage,
  secondFactorPage,
} from '@grantor/server/pages'
import { consentLong } from '../consent-samples.ts'
import { openChromium } from '../chromium.ts'
import { accountFrame, frame, recoveryCodes, secondFactor, target } from '../samples.ts'
import { type PageServer, redirectTo, servePages, sendPage } from '../page-server.ts'

describe('the pages that lead on', () => {
  let browser: Browser
  before(async () => {
    browser = await openChromium(['MAP *.test 127.0.0.1'])
  })
  after(() => browser.close())

  /** A client that answers anything and keeps what it was sent. */
  async function openClient(): Promise<PageServer & { readonly heard: string[] }> {
    const heard: string[] = []
    const pages = await servePages(async (request, response) => {
      const body = await text(request)
      const to = new URL(request.url ?? '/', 'http://client').searchParams.get('to')
      if (request.url !== '/favicon.ico') heard.push(`${request.method} ${request.url} ${body}`)
      if (to === null) response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Client</title>')
      else redirectTo(response, to)
    })
    return { ...pages, heard }
  }

  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? 'by itself' : 'by its button where script is off'
    test(`OAuth 2.0 Form Post Response Mode §2: the answer is posted to the client ${how}`, async () => {
      const client = await openClient()
      const action = `http://client.test:${client.port}/cb`
      const parameters = [
        ['code', 'gc_1'],
        ['state', '"<&>"'],
      ] as const
      const server = await servePages((_request, response) =>
        sendPage(response, formPostPage(frame(), { action, parameters }), pageHeaders({ formTargets: 'anywhere' })),
      )
      const context = await browser.newContext({ javaScriptEnabled })
      const page = await context.newPage()
      const arrived = page.waitForURL(action)
      await page.goto(server.origin, { waitUntil: 'commit' })
      if (!javaScriptEnabled) await page.click('button')
      await arrived
      assert.deepEqual(client.heard, ['POST /cb code=gc_1&state=%22%3C%26%3E%22'])
      await context.close()
      await Promise.all([client.close(), server.close()])
    })

    test(`OIDC Front-Channel Logout §3: every client is told, then the page goes on ${how}`, async () => {
      const client = await openClient()
      const frames = [`http://client.test:${client.port}/out?sid=1`, `http://other.test:${client.port}/out?sid=2`]
      const onward = `http://client.test:${client.port}/bye`
      const server = await servePages((_request, response) =>
        sendPage(
          response,
          frontChannelLogoutPage(frame(), { frames: frames, onward }),
          pageHeaders({ frames: frames }),
        ),
      )
      const context = await browser.newContext({ javaScriptEnabled })
      const page = await context.newPage()
      const arrived = page.waitForURL(onward)
      await page.goto(server.origin, { waitUntil: javaScriptEnabled ? 'commit' : 'load' })
      if (!javaScriptEnabled) await page.click('#onward')
      await arrived
      assert.deepEqual(client.heard.toSorted(), ['GET /bye ', 'GET /out?sid=1 ', 'GET /out?sid=2 '])
      await context.close()
      await Promise.all([client.close(), server.close()])
    })
  }

  test('a client that is posted its answer may lead on to another site', async () => {
    const client = await openClient()
    const end = `http://app.test:${client.port}/welcome`
    const action = `http://client.test:${client.port}/cb?to=${encodeURIComponent(end)}`
    const server = await servePages((_request, response) =>
      sendPage(response, formPostPage(frame(), { action, parameters: [] }), pageHeaders({ formTargets: 'anywhere' })),
    )
    const page = await browser.newPage()
    const arrived = page.waitForURL(end)
    await page.goto(server.origin, { waitUntil: 'commit' })
    await arrived
    await page.close()
    await Promise.all([client.close(), server.close()])
  })

  for (const opened of [true, false]) {
    test(`a window that a client opened ${opened ? 'keeps' : 'loses'} its opener ${opened ? 'where' : 'unless'} the page says so`, async () => {
      const client = await openClient()
      const back = `http://client.test:${client.port}/cb`
      const server = await servePages((request, response) => {
        if (request.method === 'POST') redirectTo(response, back)
        else
          sendPage(
            response,
            logoutPage(frame(), { form: { action: '/', csrf: 'x' }, client: null }),
            pageHeaders({ formTargets: [back], opened }),
          )
      })
      const page = await browser.newPage()
      await page.goto(`http://client.test:${client.port}/`)
      // An opener policy counts only where the browser trusts the origin: on loopback by address it does.
      const opening = page.context().waitForEvent('page')
      await page.evaluate(`void window.open(${JSON.stringify(server.origin)})`)
      const popup = await opening
      await popup.click('#sign-out')
      await popup.waitForURL(back)
      assert.equal(await popup.evaluate('window.opener !== null'), opened)
      await Promise.all([popup.close(), page.close()])
      await Promise.all([client.close(), server.close()])
    })
  }

  test('a password can be shown and a wait is counted down; without script there is no button, and the wait is in words', async () => {
    const data = { form: target, client: null, username: '', again: false, passkey: null } as const
    const login = loginPage(frame(), { ...data, error: { kind: 'throttled', seconds: 119 } })
    const server = await servePages((_request, response) => sendPage(response, login, pageHeaders()))
    for (const javaScriptEnabled of [true, false]) {
      const context = await browser.newContext({ javaScriptEnabled })
      const page = await context.newPage()
      await page.goto(server.origin)
      const show = page.getByRole('button', { name: 'Show' })
      assert.equal(await show.isVisible(), javaScriptEnabled)
      const alert = await page.locator('[role=alert]').innerText()
      assert.match(alert, javaScriptEnabled ? /1:\d\d/ : /2 minutes/)
      if (javaScriptEnabled) {
        await show.click()
        assert.equal(await page.getAttribute('#password', 'type'), 'text')
        await show.click()
        assert.equal(await page.getAttribute('#password', 'type'), 'password')
      }
      await context.close()
    }
    await server.close()
  })

  test('a code that is typed sends itself, once; what a program fills in waits for its button', async () => {
    const sent: string[] = []
    const form = { ...target, action: '/sent' }
    const asked = secondFactorPage(frame(), { ...secondFactor, form, passkey: null })
    const server = await servePages(async (request, response) => {
      if (request.method === 'POST') sent.push(await text(request))
      sendPage(response, asked, pageHeaders())
    })
    const page = await browser.newPage()
    await page.goto(server.origin)
    await page.fill('#otp', '123456')
    await page.fill('#otp', '')
    assert.deepEqual(sent, [])
    const leaving = page.waitForURL('**/sent')
    await page.type('#otp', '654321')
    await leaving
    assert.deepEqual(sent, ['csrf=sample-token&otp=654321&sign-in=yes'])
    await page.close()
    await server.close()
  })

  test('the decision stays in view at 800 pixels whatever the length, and codes are saved as they are shown', async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true })
    const page = await context.newPage()
    const server = await servePages((request, response) =>
      sendPage(
        response,
        request.url === '/codes' ? recoveryCodesPage(accountFrame(), recoveryCodes) : consentPage(frame(), consentLong),
        pageHeaders(),
      ),
    )
    await page.goto(server.origin)
    for (const id of ['deny', 'allow']) {
      const box = await page.locator(`#${id}`).boundingBox()
      assert.ok(box !== null && box.y >= 0 && box.y + box.height <= 800, id)
    }
    await page.goto(`${server.origin}/codes`)
    const saving = page.waitForEvent('download')
    await page.click('#save-codes')
    const saved = await text(await (await saving).createReadStream())
    assert.deepEqual(saved.trim().split('\n'), recoveryCodes.codes)
    await context.close()
    await server.close()
  })
})
