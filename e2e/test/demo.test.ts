/** The demo of `npm start` in a real browser: sign in, call Orders, take it back; and answers that were tampered with. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { grantorCommand } from '../../interop/server.ts'
import { withoutCertutil } from '../certutil.ts'
import { openChromium } from '../chromium.ts'
import { inspect } from '../inspection.ts'

interface Ready {
  readonly issuer: string
  readonly demo_port: number
}

describe('the demo', () => {
  let folder: string
  let server: ChildProcess
  let ready: Ready
  let browser: Browser

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'grantor-demo-'))
    const env = {
      ...process.env,
      GRANTOR_DATA: folder,
      GRANTOR_PORT: '0',
      GRANTOR_DEMO_PORT: '0',
      GRANTOR_MANAGEMENT_PORT: '0',
    }
    server = spawn(process.execPath, [grantorCommand, 'start', '--demo'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
    assert.ok(server.stdout)
    for await (const line of createInterface(server.stdout)) {
      ready = JSON.parse(line) as Ready
      break
    }
    browser = await openChromium()
  })
  after(async () => {
    await browser.close()
    server.kill('SIGTERM')
    await once(server, 'exit')
    await rm(folder, { recursive: true })
  })

  const client = (path = '') => `https://localhost:${ready.demo_port}/client/${path}`

  async function visit(): Promise<Page> {
    const context = await browser.newContext({ ignoreHTTPSErrors: true })
    const page = await context.newPage()
    await page.goto(client())
    return page
  }

  async function signIn(page: Page): Promise<void> {
    await page.click('#sign-in')
    await fillIn(page)
  }

  async function fillIn(page: Page): Promise<void> {
    await page.fill('#username', 'alice')
    await page.fill('#password', 'alice')
    await page.click('button#sign-in')
  }

  test('under one name everywhere a person signs in, allows, sees orders, and takes the access back at the account: the next call is refused', async () => {
    const page = await visit()
    const name = await page.title()
    const names = async (on: Page) => assert.ok((await on.innerText('main')).includes(name), `${name} at ${on.url()}`)
    await page.click('#sign-in')
    await names(page)
    await fillIn(page)
    await page.waitForSelector('#allow')
    await names(page)
    await page.click('#allow')
    await page.click('#order')
    await page.waitForSelector('table')
    assert.equal(await page.textContent('#orders-status'), '200')
    await page.click('#refresh')
    assert.match((await page.textContent('.notice')) ?? '', /fresh/)
    const account = await page.context().newPage()
    await account.goto(`${ready.issuer}/account`)
    await names(account)
    // OIDC Core §4: the account page asks the client to begin a sign-in, and nobody is asked anything again.
    await account.click('.tile-open')
    await account.waitForURL(client())
    assert.equal(await account.textContent('#orders-status'), '200')
    await account.goto(`${ready.issuer}/account`)
    await account.click('summary')
    await account.click('button[name=revoke]')
    await account.waitForSelector('.empty')
    // Revocation is pushed; a reload a moment later must find it there.
    await assert.doesNotReject(async () => {
      for (let tries = 0; tries < 50; tries++) {
        await page.reload()
        if ((await page.textContent('#orders-status')) === '401') return
      }
      throw new Error('Orders still accepts the token')
    })
    await page.context().close()
  })

  test('OIDC Core §4: a sign-in that another issuer asks for is not begun', async () => {
    const page = await visit()
    for (const query of ['', '?iss=https://evil.example', `?iss=${ready.issuer}/`]) {
      await page.goto(client(`login${query}`))
      assert.match((await page.textContent('#error')) ?? '', /unknown service/)
    }
    await page.context().close()
  })

  test('Deny shares nothing', async () => {
    const page = await visit()
    await signIn(page)
    await page.click('#deny')
    assert.match((await page.textContent('#error')) ?? '', /did not allow/)
    await page.context().close()
  })

  for (const [what, tamper] of [
    ['state', (url: URL) => url.searchParams.set('state', 'forged')],
    ['iss', (url: URL) => url.searchParams.set('iss', 'https://evil.example')],
    ['a missing iss', (url: URL) => url.searchParams.delete('iss')],
  ] as const) {
    test(`RFC 9207, RFC 6749 §10.12: an answer with ${what} tampered with is rejected`, async () => {
      const page = await visit()
      await page.route(
        '**/client/callback?*',
        async (route) => {
          const url = new URL(route.request().url())
          tamper(url)
          await route.fulfill({ status: 302, headers: { location: url.href } })
        },
        { times: 1 },
      )
      await signIn(page)
      await page.waitForSelector('#allow, #error, #order')
      if ((await page.$('#allow')) !== null) await page.click('#allow')
      await page.waitForSelector('#error, #order')
      assert.match((await page.textContent('#error')) ?? '', /did not belong/)
      await page.goto(client())
      assert.equal(await page.$('#order'), null, 'nobody is signed in')
      await page.context().close()
    })
  }

  test('RP-Initiated Logout §2, §3: signing out ends the session at the server too, and comes back with our state', async () => {
    const page = await visit()
    await signIn(page)
    await page.waitForSelector('#allow, #order')
    if ((await page.$('#allow')) !== null) await page.click('#allow')
    await page.click('#sign-out')
    await page.waitForURL(client())
    assert.match((await page.textContent('.notice')) ?? '', /signed out/)
    assert.equal(await page.$('#order'), null, 'nobody is signed in')
    await page.goto(`${ready.issuer}/account`)
    await page.waitForSelector('#username')
    for (const query of ['', '?state=forged']) {
      await page.goto(client(`signed-out${query}`))
      assert.match((await page.textContent('#error')) ?? '', /not begun here/)
    }
    await page.context().close()
  })

  test(
    'a browser refuses the local CA until `grantor trust`, and shows its pages from then on',
    { skip: withoutCertutil },
    async () => {
      const strict = await browser.newPage()
      await assert.rejects(strict.goto(client()), /ERR_CERT_AUTHORITY_INVALID/)
      await strict.close()
      const home = join(folder, 'home')
      const env = { ...process.env, GRANTOR_DATA: folder, HOME: home, XDG_DATA_HOME: '', SUDO_UID: '' }
      await promisify(execFile)(process.execPath, [grantorCommand, 'trust', '--store', 'browsers'], { env })
      const trusting = await openChromium([], home)
      try {
        const page = await trusting.newPage()
        assert.equal((await page.goto(client()))?.status(), 200)
        assert.equal((await page.goto(ready.issuer))?.status(), 200)
      } finally {
        await trusting.close()
      }
    },
  )

  test('an answer that nobody asked for is rejected', async () => {
    const page = await visit()
    await page.goto(client('callback?code=gc_x&state=y'))
    assert.match((await page.textContent('#error')) ?? '', /not begun here/)
    await page.context().close()
  })

  test('what a person ordered is there at the first start, and an export of it is watched and fetched', async () => {
    const page = await visit()
    await signIn(page)
    await page.waitForSelector('#allow, #order')
    if ((await page.$('#allow')) !== null) await page.click('#allow')
    await page.waitForSelector('tbody tr')
    await page.click('#export')
    // The page looks again by itself until the work is done.
    await page.waitForSelector('progress')
    await page.waitForSelector('a[download]', { timeout: 60_000 })
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('a[download]')])
    const { items } = JSON.parse(await readFile(await file.path(), 'utf8')) as { items: { owner: string }[] }
    assert.ok(items.length >= 120)
    assert.equal(new Set(items.map(({ owner }) => owner)).size, 1)
    await page.context().close()
  })

  test('its pages have nothing that axe objects to', async () => {
    const page = await visit()
    assert.deepEqual(await inspect(page), [])
    await page.context().close()
  })
})
