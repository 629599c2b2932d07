/** The renewal of a session: only a refusal ends it, an outage or a limit does not; and who said "Not now" is left alone. */
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import * as oauth from 'oauth4webapi'
import { ApiProblem, isTemporary } from '../src/api/problem.ts'
import type { Authorization, SignedIn } from '../src/app/session/authorization.ts'
import { Session, SignInNeeded } from '../src/app/session/session.ts'

const issuer: oauth.AuthorizationServer = { issuer: 'https://as.example', token_endpoint: 'https://as.example/token' }
const client: oauth.Client = { client_id: 'grantor-console' }
const json = { 'content-type': 'application/json' }

/** A session whose token is over, at a token endpoint that answers so. */
async function overdue(t: TestContext, answer: () => Response): Promise<{ session: Session; asked: () => number }> {
  let asked = 0
  t.mock.method(globalThis, 'fetch', async (address: string) => {
    assert.equal(address, issuer.token_endpoint)
    asked += 1
    return answer()
  })
  const authorization = {
    proof: oauth.DPoP(client, await oauth.generateKeyPair('ES256')),
    async refresh(before: SignedIn) {
      const response = await oauth.refreshTokenGrantRequest(issuer, client, oauth.None(), before.refreshToken ?? '')
      await oauth.processRefreshTokenResponse(issuer, client, response)
      return before
    },
  } as Partial<Authorization> as Authorization
  const signedIn = { accessToken: 'a', refreshToken: 'r', expiresAt: 0, scope: new Set() } as unknown as SignedIn
  return { session: new Session(authorization, signedIn), asked: () => asked }
}

const call = (method: string, path = 'clients'): Request => new Request(`https://as.example/v1/${path}`, { method })

for (const [what, answer, status] of [
  ['a limit', () => new Response('{"error":"slow_down"}', { status: 429, headers: json }), 429],
  ['an outage', () => new Response('{"error":"temporarily_unavailable"}', { status: 503, headers: json }), 503],
  ['an outage that a proxy answers for', () => new Response('<h1>Bad Gateway</h1>', { status: 502 }), 502],
] as const)
  test(`${what} of the token endpoint is no end of the session, and worth another try`, async (t) => {
    const { session } = await overdue(t, answer)
    await assert.rejects(session.fetch(call('GET')), (error: unknown) => {
      assert.ok(error instanceof ApiProblem && isTemporary(error), String(error))
      assert.equal(error.status, status)
      return true
    })
    assert.equal(session.interruption, null)
  })

test('RFC 6749 §5.2: a refusal ends the session; its refresh token is not tried again', async (t) => {
  const { session, asked } = await overdue(
    t,
    () => new Response('{"error":"invalid_grant"}', { status: 400, headers: json }),
  )
  await assert.rejects(session.fetch(call('GET')), SignInNeeded)
  assert.deepEqual(session.interruption, { kind: 'ended' })
  await assert.rejects(session.fetch(call('GET')), SignInNeeded)
  assert.equal(asked(), 1)
})

test('after "Not now" only what the person does asks for the sign-in again', async (t) => {
  const { session } = await overdue(t, () => new Response('{"error":"invalid_grant"}', { status: 400, headers: json }))
  await assert.rejects(session.fetch(call('GET')), SignInNeeded)
  session.dismiss()
  await assert.rejects(session.fetch(call('GET')), SignInNeeded)
  for (const path of ['webhooks/wh_1/deliveries', 'streams/st_1/deliveries', 'settings/check'])
    await assert.rejects(session.fetch(call('POST', path)), SignInNeeded)
  assert.equal(session.interruption, null, 'a page that reads again says nothing')
  await assert.rejects(session.fetch(call('DELETE')), SignInNeeded)
  assert.deepEqual(session.interruption, { kind: 'ended' })
  session.dismiss()
  session.askAgain()
  await assert.rejects(session.fetch(call('GET')), SignInNeeded)
  assert.deepEqual(session.interruption, { kind: 'ended' })
})
