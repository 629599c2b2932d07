/** One Grantor as the identity provider of another: sign-in, account, sign-out there that ends the session here, told or fetched. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { json } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { newCertificate } from '../certificates.ts'
import { temporaryDatabase } from '../database.ts'
import { FormBrowser } from '../form-browser.ts'
import { freePort } from '../plain-browser.ts'
import { startRelyingServer } from '../relying-server.ts'

const ada = { username: 'ada', password: 'correct-horse', name: 'Ada Lovelace', email: 'ada@example.com' }
const secret = 'a-secret-of-32-or-more-characters-long'

/** Where the two are: each must be told of the other before it begins. */
async function places() {
  const signer = await newCertificate({ name: 'Signer', authority: true })
  const [upPort, downPort] = [await freePort(), await freePort()]
  return { signer, upPort, downPort, up: `https://localhost:${upPort}`, down: `https://localhost:${downPort}` }
}

const credentials = { client_id: 'downstream', client_secret: secret }
const clientAt = (down: string) => ({
  ...credentials,
  client_name: 'Downstream',
  redirect_uris: [`${down}/callback/up`],
})
const providerAt = (up: string) => ({
  ...credentials,
  id: 'up',
  kind: 'oidc',
  name: 'Upstream',
  issuer: up,
  create: true,
})

test('a Grantor on SQLite is the provider of one on PostgreSQL: a sign-in there makes an account here, and a sign-out there ends it', async () => {
  await using stack = new AsyncDisposableStack()
  const { signer, upPort, downPort, up, down } = await places()
  const client = {
    ...clientAt(down),
    scope: 'openid profile email',
    backchannel_logout_uri: `${down}/callback/up/backchannel-logout`,
  }
  const provider = { ...providerAt(up), trust_email: true, trust_amr: true }
  stack.use(
    await startRelyingServer({
      signer,
      port: upPort,
      allow: [`localhost:${downPort}`],
      seed: { users: [{ ...ada, email_verified: true }], clients: [client] },
    }),
  )
  const database = stack.use(await temporaryDatabase())
  const relying = stack.use(
    await startRelyingServer({
      signer,
      port: downPort,
      allow: [`localhost:${upPort}`],
      seed: { providers: [provider] },
      env: { ...database.settings, GRANTOR_MASTER_KEY: 'a-master-key-for-interop-tests-0123456789' },
    }),
  )

  const browser = stack.use(new FormBrowser([signer.cert]))
  await signIn(browser, { up, down })
  const people = JSON.parse(await relying.command('user', 'list', '--json')) as readonly Record<string, unknown>[]
  assert.deepEqual(
    people
      .filter((it) => it['administrator'] === null)
      .map((it) => [it['username'], it['email'], it['email_verified']]),
    [['ada', ada.email, true]],
  )

  // Signed out there: the logout token comes by the back channel, and the session here is over.
  await signOut(browser, up)
  await ended(browser, down)
})

test('a Grantor on PostgreSQL is the transmitter of one on SQLite, which fetches what became of its sessions', async () => {
  await using stack = new AsyncDisposableStack()
  const { signer, upPort, downPort, up, down } = await places()
  const client = {
    ...clientAt(down),
    grant_types: ['authorization_code', 'client_credentials'],
    scope: 'openid profile email ssf.read ssf.manage',
  }
  const database = stack.use(await temporaryDatabase())
  stack.use(
    await startRelyingServer({
      signer,
      port: upPort,
      allow: [],
      seed: { users: [{ ...ada, email_verified: true }], clients: [client] },
      env: { ...database.settings, GRANTOR_MASTER_KEY: 'a-master-key-for-interop-tests-0123456789' },
    }),
  )
  const signals_url = await pollAddress(up, signer.cert)
  const provider = { ...providerAt(up), signals_url, signals_scope: 'ssf.read' }
  const relying = stack.use(
    await startRelyingServer({
      signer,
      port: downPort,
      allow: [`localhost:${upPort}`],
      seed: { providers: [provider] },
    }),
  )
  const browser = stack.use(new FormBrowser([signer.cert]))
  await signIn(browser, { up, down })
  await signOut(browser, up)
  await ended(browser, down)
  const shown = JSON.parse(await relying.command('provider', 'show', 'up', '--json')) as Record<string, unknown>
  assert.deepEqual(
    [shown['signals_url'], shown['signals_error'], typeof shown['signals_received_at']],
    [signals_url, undefined, 'string'],
  )
})

/** Here, by the way of there. */
async function signIn(browser: FormBrowser, { up, down }: { readonly up: string; readonly down: string }) {
  const there = await browser.submit(await browser.open(`${down}/account`), 'id="provider-up"', { provider: 'up' })
  assert.equal(there.url.origin, up)
  const { username, password } = ada
  const asked = await browser.submit(there, 'id="sign-in"', { username, password })
  const account = await browser.submit(asked, 'id="allow"', { allow: 'yes' })
  assert.deepEqual([account.status, account.url.origin, account.url.pathname], [200, down, '/account'])
}

async function signOut(browser: FormBrowser, at: string): Promise<void> {
  const leaving = await browser.open(`${at}/logout`)
  await browser.submit(leaving, 'id="sign-out"', { 'sign-out': 'yes' })
}

async function ended(browser: FormBrowser, at: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if ((await browser.open(`${at}/account`)).body.includes('id="provider-up"')) return
    await pause(100)
  }
  assert.fail('the session outlived the sign-out at its provider')
}

/** Makes a stream there, as its receiver does once; where what it tells is fetched. */
async function pollAddress(at: string, ca: string): Promise<string> {
  const ask = async (path: string, type: string, body: string, authorization: string) => {
    const [answer] = (await once(
      request(`${at}${path}`, { method: 'POST', ca, headers: { authorization, 'content-type': type } }).end(body),
      'response',
    )) as [IncomingMessage]
    return (await json(answer)) as { access_token: string; delivery: { endpoint_url: string } }
  }
  const basic = `Basic ${Buffer.from(`downstream:${secret}`).toString('base64')}`
  const form = 'grant_type=client_credentials&scope=ssf.manage'
  const { access_token: token } = await ask('/token', 'application/x-www-form-urlencoded', form, basic)
  const stream = {
    delivery: { method: 'urn:ietf:rfc:8936' },
    events_requested: ['https://schemas.openid.net/secevent/caep/event-type/session-revoked'],
  }
  const made = await ask('/ssf/streams', 'application/json', JSON.stringify(stream), `Bearer ${token}`)
  return made.delivery.endpoint_url
}
