/** Every limit of the table, gone over: 429, when to come back, and which one it was, in JSON and on pages alike. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type LimitName, limits } from '@grantor/authority'
import { type FeedDeployment, secret, startFeedDeployment } from '../feed/feed-deployment.ts'
import type { CallAnswer } from '../feed/https-client.ts'

/** One step towards the limit; the answer that is looked at is the one after the last that is allowed. */
type Attempt = (it: FeedDeployment, n: number) => Promise<CallAnswer>
/** Reached by a way too long for here: the test that goes it, which names the limit. */
type Elsewhere = `packages/${string}.test.ts`

const basic = (client: string, password = secret) => ({
  authorization: `Basic ${Buffer.from(`${client}:${password}`).toString('base64')}`,
})
const form = { grant_type: 'client_credentials', scope: 'invoices:read' }

/** A browser of its own that sends the form of a page. */
async function submit(it: FeedDeployment, path: string, fields: Readonly<Record<string, string>>): Promise<CallAnswer> {
  const page = await it.ask(path, { headers: { accept: 'text/html' } })
  const cookie = (page.headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0]).join('; ')
  const action = /<form method="post" action="([^"]+)"/.exec(page.body)?.[1] ?? ''
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
  return it.ask(action, { form: { csrf, ...fields }, headers: { cookie, accept: 'text/html' } })
}

const signIn = (it: FeedDeployment, username: string): Promise<CallAnswer> =>
  submit(it, '/account', { username, password: 'wrong-password', 'sign-in': 'yes' })

const attempts: Readonly<Record<LimitName, Attempt | Elsewhere>> = {
  token: (it) => it.ask('/token', { form, headers: basic('svc') }),
  tokenFailures: (it) => it.ask('/token', { form, headers: basic('svc', 'wrong') }),
  tokenFailuresAddress: (it, n) => it.ask('/introspect', { form: { token: 'x' }, headers: basic(`made-up-${n}`) }),
  loginAccount: (it) => signIn(it, 'alice'),
  loginAddress: (it, n) => signIn(it, `somebody-${n}`),
  loginTenant: (it, n) => signIn(it, `somebody-${n}`),
  loginBrowser: 'packages/authority/test/limits/known-browsers.test.ts',
  secondFactor: 'packages/authority/test/interact/second-factor.test.ts',
  registration: (it, n) => it.ask('/register', { json: { redirect_uris: [`https://client.example/${n}`] } }),
  registrationUpdates: 'packages/authority/test/limits/bounds.test.ts',
  clientDocuments: 'packages/authority/test/clients/client-document.test.ts',
  authorize: 'packages/authority/test/limits/bounds.test.ts',
  resetAccount: 'packages/authority/test/background/mail.test.ts',
  resetAddress: 'packages/authority/test/background/mail.test.ts',
  deviceRequests: (it) => it.ask('/device_authorization', { form: { client_id: 'nobody' } }),
  device: (it) => submit(it, '/device', { user_code: 'BCDF-GHJK', confirm: 'yes' }),
  deviceTenant: (it) => submit(it, '/device', { user_code: 'BCDF-GHJK', confirm: 'yes' }),
}

const variableOf = (limit: string): string =>
  `GRANTOR_LIMIT_${limit.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`

for (const [name, attempt] of Object.entries(attempts) as [LimitName, Attempt | Elsewhere][]) {
  if (typeof attempt === 'string') {
    test(`${name}: gone over in ${attempt}`, () => {
      const text = readFileSync(join(import.meta.dirname, '../../../..', attempt), 'utf8')
      assert.match(text, /throttled|limit_reached/)
    })
    continue
  }
  test(`${name}: what is over it is refused with 429 and Retry-After`, { timeout: 120_000 }, async () => {
    const others = Object.keys(limits).filter((other) => other !== name)
    const off = Object.fromEntries(others.map((other) => [variableOf(other), 'off']))
    await using it = await startFeedDeployment('sqlite', { ...off, [variableOf(name)]: '2/10h' })
    for (let n = 0; n < 2; n++) {
      const { status, headers } = await attempt(it, n)
      assert.deepEqual([status === 429, headers['retry-after']], [false, undefined], `${status}`)
    }
    const refused = await attempt(it, 2)
    assert.equal(refused.status, 429, refused.body.slice(0, 300))
    const wait = Number(refused.headers['retry-after'])
    assert.ok(wait > 0 && wait <= 18_000, String(refused.headers['retry-after']))
    assert.match(String(refused.headers['cache-control']), /no-store/)
    if (refused.headers['content-type']?.startsWith('text/html') === true) return
    const { error, error_description: text } = refused.json()
    assert.equal(error, 'temporarily_unavailable')
    assert.ok(String(text).includes(`the limit ${limits[name].name} (2 in 36000 s)`), String(text))
    assert.match(String(refused.headers['ratelimit']), new RegExp(`"${limits[name].name}"`))
  })
}
