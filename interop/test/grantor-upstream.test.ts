/** One Grantor as the identity provider of another: sign-in, account, sign-out there that ends the session here. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { newCertificate } from '../certificates.ts'
import { temporaryDatabase } from '../database.ts'
import { FormBrowser } from '../form-browser.ts'
import { freePort } from '../plain-browser.ts'
import { startRelyingServer } from '../relying-server.ts'

const ada = { username: 'ada', password: 'correct-horse', name: 'Ada Lovelace', email: 'ada@example.com' }
const secret = 'a-secret-of-32-or-more-characters-long'

test('a Grantor on SQLite is the provider of one on PostgreSQL: a sign-in there makes an account here, and a sign-out there ends it', async () => {
  await using stack = new AsyncDisposableStack()
  const signer = await newCertificate({ name: 'Signer', authority: true })
  const [upPort, downPort] = [await freePort(), await freePort()]
  const [up, down] = [`https://localhost:${upPort}`, `https://localhost:${downPort}`]
  const client = {
    client_id: 'downstream',
    client_secret: secret,
    client_name: 'Downstream',
    redirect_uris: [`${down}/callback/up`],
    scope: 'openid profile email',
    backchannel_logout_uri: `${down}/callback/up/backchannel-logout`,
  }
  const provider = {
    id: 'up',
    kind: 'oidc',
    name: 'Upstream',
    issuer: up,
    client_id: 'downstream',
    client_secret: secret,
    create: true,
    trust_email: true,
    trust_amr: true,
  }
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
  const first = await browser.open(`${down}/account`)
  const there = await browser.submit(first, 'id="provider-up"', { provider: 'up' })
  assert.equal(there.url.origin, up)
  const { username, password } = ada
  const asked = await browser.submit(there, 'id="sign-in"', { username, password })
  const account = await browser.submit(asked, 'id="allow"', { allow: 'yes' })
  assert.deepEqual([account.status, account.url.origin, account.url.pathname], [200, down, '/account'])
  const people = JSON.parse(await relying.command('user', 'list', '--json')) as readonly Record<string, unknown>[]
  assert.deepEqual(
    people
      .filter((it) => it['administrator'] === null)
      .map((it) => [it['username'], it['email'], it['email_verified']]),
    [['ada', ada.email, true]],
  )

  // Signed out there: the logout token comes by the back channel, and the session here is over.
  const leaving = await browser.open(`${up}/logout`)
  await browser.submit(leaving, 'id="sign-out"', { 'sign-out': 'yes' })
  for (let tries = 0; tries < 200; tries++) {
    if ((await browser.open(`${down}/account`)).body.includes('id="provider-up"')) return
    await pause(100)
  }
  assert.fail('the session outlived the sign-out at its provider')
})
