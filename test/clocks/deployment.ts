/** What the tests of clocks sign in with and ask for: the objects of the attacks, and a client that signs. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Instant } from '@grantor/protocol/types'
import { createValidator, systemTime } from '@grantor/resource'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Server } from '../../interop/server.ts'
import { Browser, redeem, type Tokens } from '../attacks/browser.ts'
import type { HttpClient, HttpResponse } from '../attacks/http-client.ts'
import { alice, api, objects } from '../attacks/objects.ts'

const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true })
const jwk = { ...(await exportJWK(publicKey)), kid: 'signing', alg: 'ES256', use: 'sig' }

export const reader = ['reader', 'zz9canary-reader-secret-of-32-characters'] as const

export const seed = {
  ...objects,
  clients: [
    ...objects.clients,
    {
      client_id: 'signing',
      grant_types: ['client_credentials'],
      response_types: [],
      token_endpoint_auth_method: 'private_key_jwt',
      scope: 'invoices:read',
      jwks: { keys: [jwk] },
    },
    {
      client_id: reader[0],
      client_secret: reader[1],
      grant_types: ['client_credentials'],
      response_types: [],
      scope: 'revocations:read events:report',
      resource_server: api,
    },
  ],
}

/** An assertion of the client that signs, good for five minutes from the real now on; `ahead` moves it, in seconds. */
export async function assertion(issuer: string, ahead = 0): Promise<string> {
  const now = Math.floor(Date.now() / 1000) + ahead
  return new SignJWT({ jti: randomUUID() })
    .setProtectedHeader({ alg: 'ES256', kid: 'signing' })
    .setIssuer('signing')
    .setSubject('signing')
    .setAudience(issuer)
    .setIssuedAt(now)
    .setExpirationTime(now + 300)
    .sign(privateKey)
}

export const useAssertion = (http: HttpClient, text: string): Promise<HttpResponse> =>
  http.send('/token', {
    form: {
      grant_type: 'client_credentials',
      scope: 'invoices:read',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: text,
    },
  })

export const claimsOf = (token: string): Readonly<Record<string, unknown>> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>

/** Signs in anew and gets tokens, the code of which comes along. */
export async function signIn(http: HttpClient, password: string): Promise<Tokens & { readonly code: string }> {
  const code = (await new Browser(http).authorize({}, { as: { ...alice, password } })).get('code') ?? ''
  const { status, body } = await redeem(http, code)
  assert.equal(status, 200, body)
  return { ...(JSON.parse(body) as Tokens), code }
}

/** Whether the password is right: a page of one's own, or the form again. */
export async function isRight(http: HttpClient, password: string): Promise<boolean> {
  const browser = new Browser(http)
  const answer = await browser.submit(await browser.visit('/account'), { ...alice, password, 'sign-in': 'yes' })
  return !answer.body.includes('id="sign-in"')
}

export async function changePassword(http: HttpClient, from: string, to: string): Promise<void> {
  const browser = new Browser(http)
  await browser.submit(await browser.visit('/account'), { ...alice, password: from, 'sign-in': 'yes' })
  const { body, ...page } = await browser.visit('/account/password')
  // Every page of the account has a form that signs out, too.
  const form = body.split('<form ').find((part) => part.includes('id="change-password"'))
  await browser.submit(
    { ...page, body: `<form ${form ?? ''}` },
    { password: from, 'new-password': to, 'change-password': 'yes' },
  )
  assert.equal(await isRight(http, to), true, 'the new password is right')
}

export async function userinfoStatus(http: HttpClient, token: string): Promise<number> {
  return (await http.send('/userinfo', { bearer: token })).status
}

export interface TestValidator extends AsyncDisposable {
  /** The code of a refusal; 'accepted' for a good token. */
  verdict(token: string): Promise<string>
  /** Sets its wall clock so many seconds ahead of the real one. */
  setAhead(seconds: number): void
}

/** A validator of the API, which follows the feed of that server and goes on when it is started again. */
export function startValidator(
  { issuer, ca }: Pick<Server, 'issuer' | 'ca'>,
  feed: { readonly maxStaleness?: number; readonly transport?: 'stream' | 'poll' } = {},
): TestValidator {
  let ahead = 0
  const validator = createValidator({
    audience: api,
    issuers: [{ issuer, credentials: { clientId: reader[0], clientSecret: reader[1] }, feed }],
    time: { ...systemTime, now: () => (Date.now() + ahead * 1000) as Instant },
    ca: ca ?? '',
  })
  return {
    async verdict(token) {
      const verdict = await validator.validate({ authorization: `Bearer ${token}` })
      return verdict.kind === 'ok' ? 'accepted' : verdict.error.code
    },
    setAhead: (seconds) => void (ahead = seconds),
    [Symbol.asyncDispose]: () => validator.close(),
  }
}
