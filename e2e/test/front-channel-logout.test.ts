/** Signing out in real Chromium: two clients on sites of their own forget them by way of frames, with and without script. */
import assert from 'node:assert/strict'
import { createServer, request as ask } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type Server, startServer, temporaryFolder } from '../../interop/server.ts'
import { issueCertificate } from '@grantor/server'
import { openChromium } from '../chromium.ts'
import { type Person, openPerson } from '../person.ts'

interface Site extends AsyncDisposable {
  readonly id: string
  readonly origin: string
  /** The queries that came to its logout address. */
  readonly left: URLSearchParams[]
}

const secret = 'a-secret-of-32-or-more-characters-long'

/**
 * A client that knows its visitors by the `sid` of their ID token, and forgets one when it is told that they left. What
 * is in the browser it need not touch: a frame of another site may not.
 */
async function openSite(id: string, op: () => Server): Promise<Site> {
  const life = { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + 3_600_000) }
  const host = `${id}.test`
  const pair = await issueCertificate({ name: `CN=${host}`, validity: life, names: [host], signer: null })
  const left: URLSearchParams[] = []
  const known = new Set<string>()
  const server = createServer(pair, (request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', `https://${host}`)
      const headers: Record<string, string> = { 'content-type': 'text/html' }
      if (url.pathname === '/out') {
        left.push(url.searchParams)
        known.delete(url.searchParams.get('sid') ?? '')
      }
      if (url.pathname === '/cb') {
        const origin = `https://${request.headers.host}`
        const sid = await sidFrom(op(), { id, code: url.searchParams.get('code') ?? '', redirectUri: `${origin}/cb` })
        known.add(sid)
        headers['set-cookie'] = `sid=${sid}; Path=/; Secure; HttpOnly; SameSite=Lax`
      }
      const sid = /sid=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
      const state = known.has(sid) ? 'signed in' : 'signed out'
      response.writeHead(200, headers).end(`<!doctype html><html lang="en"><title>${id}</title><h1>${state}</h1>`)
    })()
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    id,
    origin: `https://${host}:${(server.address() as AddressInfo).port}`,
    left,
    [Symbol.asyncDispose]: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

interface Redeeming {
  readonly id: string
  readonly code: string
  readonly redirectUri: string
}

/** Redeems the code and reads the `sid`; that it comes from the issuer over TLS must do for a shop in a test. */
async function sidFrom({ issuer, ca }: Server, { id, code, redirectUri }: Redeeming): Promise<string> {
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
  const body = await new Promise<string>((resolve, reject) => {
    const asking = ask(`${issuer}/token`, { method: 'POST', ca: ca ?? '', auth: `${id}:${secret}`, headers: formed })
    asking.on('response', (response) => void text(response).then(resolve, reject)).on('error', reject)
    asking.end(new URLSearchParams(form).toString())
  })
  const { id_token: token } = JSON.parse(body) as { id_token: string }
  return (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }).sid
}

const formed = { 'content-type': 'application/x-www-form-urlencoded' }

const people = ['alice', 'bob'].map((username) => ({ username, password: 'correct-horse-battery', name: username }))

const seedFor = (sites: readonly Site[]): object => ({
  users: people,
  clients: sites.map(({ id, origin }) => ({
    client_id: id,
    client_name: `The ${id} shop`,
    client_secret: secret,
    redirect_uris: [`${origin}/cb`],
    frontchannel_logout_uri: `${origin}/out`,
    scope: 'openid',
    pkce: 'public_clients',
  })),
})

describe('signing out of several clients', () => {
  const stack = new AsyncDisposableStack()
  let browser: Browser
  let server: Server
  let sites: readonly [Site, Site]
  before(async () => {
    const opening = openChromium(['MAP *.test 127.0.0.1'])
    sites = [stack.use(await openSite('books', () => server)), stack.use(await openSite('music', () => server))]
    const folder = stack.use(temporaryFolder())
    const seed = folder.write('seed.json', seedFor(sites))
    server = stack.use(await startServer({ data: folder.path, seed, env: { GRANTOR_LOG: 'warn' } }))
    browser = await opening
    stack.defer(() => browser.close())
  })
  after(() => stack.disposeAsync())

  async function visitAll({ page, press, signIn }: Person, who: (typeof people)[number], scripted: boolean) {
    for (const { id, origin } of sites) {
      const query = { client_id: id, redirect_uri: `${origin}/cb`, response_type: 'code', scope: 'openid' }
      await page.goto(`${server.issuer}/authorize?${new URLSearchParams(query).toString()}`)
      if ((await page.locator('#username').count()) > 0) await signIn(who)
      await press('allow')
      // Without script a person presses the link of the page that leads on.
      if (!scripted) await press('onward')
      await page.waitForURL((url) => url.origin === origin)
    }
    for (const { origin } of sites) assert.equal(await saidBy(origin, page), 'signed in')
  }

  async function saidBy(origin: string, page: Person['page']): Promise<string> {
    await page.goto(`${origin}/`)
    return page.innerText('h1')
  }

  for (const [index, javaScriptEnabled] of [true, false].entries()) {
    const manner = javaScriptEnabled ? 'with script' : 'without script'
    test(`Front-Channel Logout §2, §3: every client of the session hears in a frame, ${manner}`, async () => {
      await using person = await openPerson(browser, { javaScriptEnabled })
      const { page } = person
      await visitAll(person, people[index] ?? assert.fail(), javaScriptEnabled)
      const before = sites.map(({ left }) => left.length)
      // The page goes on when its frames have answered; that it would not wait for ever is not what is shown here.
      if (javaScriptEnabled) await page.clock.install()
      await page.goto(`${server.issuer}/logout`)
      await person.press('sign-out')
      if (!javaScriptEnabled) {
        await page.waitForSelector('iframe')
        await page.waitForLoadState('load')
        await person.checkPage('front-channel-logout')
        await page.click('#onward')
      }
      await page.waitForURL(`${server.issuer}/signed-out`)
      assert.equal(await page.locator('#signed-out').count(), 1)
      assert.deepEqual(person.consoleMessages, [])
      for (const [i, { origin, left }] of sites.entries()) {
        assert.equal(left.length, (before[i] ?? 0) + 1, origin)
        assert.deepEqual([...(left.at(-1)?.keys() ?? [])], ['iss', 'sid'])
        assert.equal(left.at(-1)?.get('iss'), server.issuer)
        assert.equal(await saidBy(origin, page), 'signed out')
      }
    })
  }
})
