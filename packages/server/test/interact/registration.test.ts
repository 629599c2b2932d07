/** What strangers register, as a person meets it: names that are markup, addresses of apps, and sign-ins begun without end. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { authorizePath, deploy, pageOf, redirectUri, verifier } from './deployment.ts'

const deployment = await deploy({ GRANTOR_LIMIT_AUTHORIZE: '12/10h', GRANTOR_LIMIT_REGISTRATION: '6/10h' })
after(() => deployment[Symbol.asyncDispose]())

interface Registered {
  readonly client_id: string
  readonly registration_access_token: string
  readonly error?: string
}

async function register(body: object, base = ''): Promise<Registered & { readonly status: number }> {
  const headers = { 'content-type': 'application/json' }
  const answer = await deployment.send(`${base}/register`, { method: 'POST', content: JSON.stringify(body), headers })
  return { status: answer.status, ...(JSON.parse(answer.body) as Registered) }
}

const hostile = {
  client_name: '<b>Your bank</b>"\'&',
  client_uri: 'https://bank.example/',
  policy_uri: 'https://evil.example/"><script>alert(1)</script>',
  redirect_uris: [redirectUri],
  token_endpoint_auth_method: 'none',
}

test('what a stranger calls itself is shown as text, as not verified, and never with the host it claims', async () => {
  assert.equal((await register(hostile)).error, 'invalid_client_metadata')
  const { client_id } = await register({ ...hostile, policy_uri: 'https://evil.example/policy' })
  const browser = deployment.browser()
  const hub = await browser.begin({ client_id })
  await browser.signIn(hub, deployment.somebody())
  const page = await browser.ask(hub)
  assert.equal(pageOf(page), 'consent')
  assert.ok(page.body.includes('&lt;b&gt;Your bank&lt;/b&gt;'))
  assert.ok(page.body.includes('Registered itself'))
  assert.doesNotMatch(page.body, /bank\.example/)
  const back = await browser.allow(hub).then(() => browser.ask(hub))
  assert.match(back.headers.location ?? '', /^https:\/\/client\.example\/cb\?code=gc_/)
  const code = new URL(back.headers.location ?? '').searchParams.get('code') ?? ''
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier, client_id }
  assert.equal((await deployment.send('/token', { form })).status, 200)
})

test('the pages of a client that lives in an app let their forms lead back to it', async () => {
  const callback = 'cursor://anysphere.cursor-mcp/oauth/callback'
  const { client_id } = await register({ redirect_uris: [callback], token_endpoint_auth_method: 'none' })
  const browser = deployment.browser()
  const hub = await browser.begin({ client_id, redirect_uri: callback })
  const page = await browser.ask(hub)
  assert.match(String(page.headers['content-security-policy']), /form-action 'self' cursor:/)
})

test('a client of one tenant is nobody in another, and so is the token that manages it', async () => {
  const { client_id, registration_access_token: access } = await register(
    { redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' },
    '/t/acme',
  )
  const headers = { authorization: `Bearer ${access}` }
  assert.equal((await deployment.send(`/t/acme/register/${client_id}`, { headers })).status, 200)
  assert.equal((await deployment.send(`/register/${client_id}`, { headers })).status, 401)
  const lost = await deployment.browser().ask(authorizePath({ client_id }))
  assert.deepEqual([lost.status, pageOf(lost)], [400, 'error'])
})

test('an address that begins without end is told to wait, on a page of ours', async () => {
  let page = await deployment.browser().ask(authorizePath())
  for (let n = 0; n < 20 && page.status === 303; n++) page = await deployment.browser().ask(authorizePath())
  assert.deepEqual([page.status, pageOf(page)], [429, 'error'])
  assert.ok(Number(page.headers['retry-after']) > 0)
})

test('an address that registers without end is told to wait', async () => {
  let last = await register({ redirect_uris: [redirectUri] })
  for (let n = 0; n < 10 && last.status === 201; n++) last = await register({ redirect_uris: [redirectUri] })
  assert.deepEqual([last.status, last.error], [429, 'temporarily_unavailable'])
})
