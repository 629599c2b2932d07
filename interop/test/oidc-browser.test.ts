/** What surrounds the certification modules: the browsers the suite drives, requests from other sites, and our own pages. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { callback, first, openDeployment, tenant } from '../suite/deployment.ts'
import { textOf } from '../suite/html.ts'
import { configure } from '../suite/relying-party.ts'

const deployment = await openDeployment({ people: 12, tenant: true })
after(() => deployment[Symbol.asyncDispose]())

for (const mode of ['query', 'form_post'] as const) {
  test(`a browser with the headers of HtmlUnit and with scripts arrives by ${mode}, again without a question, and signs in anew when told to`, async () => {
    const party = await configure({ deployment, mode, kind: 'htmlunit' })
    assert.deepEqual((await party.flow()).asked, ['login', 'consent'])
    assert.deepEqual((await party.flow()).asked, [])
    assert.deepEqual((await party.flow({ prompt: 'login' })).asked, ['login'])
  })
}

test("oidcc-server at a tenant's issuer: every address and every claim is the tenant's", async () => {
  const party = await configure({ deployment, path: `/t/${tenant}` })
  const { claims } = await party.flow({ scope: 'openid profile' })
  assert.equal(claims.iss, `${deployment.origin}/t/${tenant}`)
})

test('OIDC Core §3.1.2.1: another site may send the request by POST, and the person finds the sign-in', async () => {
  const party = await configure({ deployment })
  const request = party.request()
  const from = { origin: 'https://localhost:8443', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }
  const begin = await party.context.browser.post(
    party.server.authorization_endpoint,
    new URLSearchParams({ ...request }),
    from,
  )
  assert.ok(begin.at === 'page' && !begin.url.href.includes('callback'), 'no redirect URI is in an address of ours')
  const visit = await party.walk(begin)
  assert.deepEqual(visit.asked, ['login', 'consent'])
  party.code(visit, request)
})

const refusals: readonly (readonly [
  what: string,
  more: Readonly<Record<string, string | undefined>>,
  error: string,
])[] = [
  ['a response type that is not offered', { response_type: 'id_token' }, 'unsupported_response_type'],
  ['prompt=none beside another', { prompt: 'none login' }, 'invalid_request'],
  ['a max_age that is no number', { max_age: 'soon' }, 'invalid_request'],
  ['claims that are no JSON', { claims: '{' }, 'invalid_request'],
  ['a hint that is not ours', { id_token_hint: 'e30.e30.', prompt: 'none' }, 'invalid_request'],
  ['a scope it was not registered for', { scope: 'openid metrics:read' }, 'invalid_scope'],
]
for (const [what, more, error] of refusals) {
  test(`OIDC Core §3.1.2.6: ${what} goes back to the client with its state as ${error}`, async () => {
    const party = await configure({ deployment })
    const request = party.request({ ...more, state: 'a state & more=%20 +ü' })
    assert.equal(party.refused(await party.visit(request), request), error)
  })
}

const ownPages: readonly (readonly [what: string, query: Readonly<Record<string, string>>])[] = [
  ['an unknown client', { client_id: 'nobody', redirect_uri: callback, response_type: 'code' }],
  ['no client', { redirect_uri: callback, response_type: 'code' }],
  ['no redirect URI in an OIDC request', { client_id: first.id, response_type: 'code', scope: 'openid' }],
  ['a redirect URI with a query added', { client_id: first.id, redirect_uri: `${callback}?more=1`, scope: 'openid' }],
]
for (const [what, query] of ownPages) {
  test(`RFC 6749 §4.1.2.1: ${what} ends on a page of ours that says so, and nobody is sent anywhere`, async () => {
    const page = await deployment
      .browser()
      .get(`${deployment.origin}/authorize?${new URLSearchParams(query).toString()}`)
    assert.ok(page.at === 'page')
    assert.equal(page.status, 400)
    assert.ok((textOf(page.body, 'error') ?? '').length > 10)
    // On loopback it is shown, as text: nothing leads there.
    assert.doesNotMatch(page.body, /="[^"]*callback/)
  })
}

test('OIDC RP-Initiated Logout §2: the page asks, and after the button nobody is signed in', async () => {
  const party = await configure({ deployment })
  await party.flow()
  const { browser } = party.context
  const asks = await browser.get(`${deployment.origin}/logout`)
  assert.ok(asks.at === 'page')
  const done = await browser.press(asks, 'sign-out')
  assert.ok(done.at === 'page' && (textOf(done.body, 'signed-out') ?? '') !== '')
  const request = party.request({ prompt: 'none' })
  assert.equal(party.refused(await party.visit(request), request), 'login_required')
})
