/** Every limit of the table, gone over: 429, when to come back, and which one it was, in JSON and on pages alike. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LimitName, limits } from '@grantor/authority'
import { type FeedDeployment, machine, operator, secret, startFeedDeployment } from '../feed/feed-deployment.ts'
import type { CallAnswer } from '../feed/https-client.ts'
import { deploy } from '../interact/deployment.ts'
import { longWays, type LongWay } from '../interact/limit-attempts.ts'

/** One step towards the limit; the answer that is looked at is the one after the last that is allowed. */
type Attempt = (it: FeedDeployment, n: number) => Promise<CallAnswer>
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

const attempts: Readonly<Record<Exclude<LimitName, keyof typeof longWays>, Attempt>> = {
  token: (it) => it.ask('/token', { form, headers: basic('svc') }),
  tokenFailures: (it) => it.ask('/token', { form, headers: basic('svc', 'wrong') }),
  tokenFailuresAddress: (it, n) => it.ask('/introspect', { form: { token: 'x' }, headers: basic(`made-up-${n}`) }),
  loginAccount: (it) => signIn(it, 'alice'),
  loginAddress: (it, n) => signIn(it, `somebody-${n}`),
  loginTenant: (it, n) => signIn(it, `somebody-${n}`),
  scim: async (it) => {
    await it.deployment.authority.admin.declared.apply(operator, { clients: [machine('directory', 'scim:read')] })
    const token = await it.token('directory', { scope: 'scim:read' })
    return it.ask('/scim/v2/Users?count=0', { headers: { authorization: `Bearer ${token}` } })
  },
  ssf: async (it) => {
    await it.deployment.authority.admin.declared.apply(operator, { clients: [machine('receiver', 'ssf.read')] })
    const token = await it.token('receiver', { scope: 'ssf.read' })
    return it.ask('/ssf/streams', { headers: { authorization: `Bearer ${token}` } })
  },
  registration: (it, n) => it.ask('/register', { json: { redirect_uris: [`https://client.example/${n}`] } }),
  deviceRequests: (it) => it.ask('/device_authorization', { form: { client_id: 'nobody' } }),
  device: (it) => submit(it, '/device', { user_code: 'BCDF-GHJK', confirm: 'yes' }),
  deviceTenant: (it) => submit(it, '/device', { user_code: 'BCDF-GHJK', confirm: 'yes' }),
}

const variableOf = (limit: string): string =>
  `GRANTOR_LIMIT_${limit.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`

/** Two are allowed of this one; all others are off. */
const onlyTwoOf = (name: LimitName): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.keys(limits).map((other) => [variableOf(other), 'off'])),
  [variableOf(name)]: '2/10h',
})

type Answered = Pick<CallAnswer, 'status' | 'headers' | 'body'>

async function goOver(name: LimitName, attempt: (n: number) => Promise<Answered>): Promise<void> {
  for (let n = 0; n < 2; n++) {
    const { status, headers, body } = await attempt(n)
    assert.deepEqual([status === 429, status >= 500, headers['retry-after']], [false, false, undefined], body)
  }
  const refused = await attempt(2)
  assert.equal(refused.status, 429, refused.body.slice(0, 300))
  const wait = Number(refused.headers['retry-after'])
  assert.ok(wait > 0 && wait <= 18_000, String(refused.headers['retry-after']))
  assert.match(String(refused.headers['cache-control']), /no-store/)
  if (refused.headers['content-type']?.startsWith('text/html') === true) return
  const {
    error,
    error_description,
    description = error_description,
    detail = description,
  } = JSON.parse(refused.body) as Record<string, unknown>
  assert.equal(error, name === 'scim' || name === 'ssf' ? undefined : 'temporarily_unavailable')
  assert.ok(String(detail).includes(`the limit ${limits[name].name} (2 in 36000 s)`), String(detail))
  assert.match(String(refused.headers['ratelimit']), new RegExp(`"${limits[name].name}"`))
}

const title = (name: string): string => `${name}: what is over it is refused with 429 and Retry-After`
const bounded = { timeout: 120_000 }

for (const [name, attempt] of Object.entries(attempts) as [LimitName, Attempt][]) {
  test(title(name), bounded, async () => {
    await using it = await startFeedDeployment('sqlite', onlyTwoOf(name))
    await goOver(name, (n) => attempt(it, n))
  })
}

for (const [name, { env = {}, begin }] of Object.entries(longWays) as [LimitName, LongWay][]) {
  test(title(name), bounded, async () => {
    await using it = await deploy({ ...onlyTwoOf(name), ...env }, 1)
    await goOver(name, await begin(it))
  })
}
