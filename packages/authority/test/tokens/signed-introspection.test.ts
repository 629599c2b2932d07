/** Signed introspection answers: RFC 9701. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { createValidator, GivenKeys, systemTime } from '@grantor/resource'
import {
  api,
  asking,
  databases,
  declaration,
  declare,
  type Deployment,
  isActive,
  machine,
  openDeployment,
  root,
  tokenFrom,
} from '../support/deployment.ts'

const issuer = 'https://as.example'
const part = (jwt: string, n: number): JsonObject =>
  JSON.parse(Buffer.from(jwt.split('.')[n] ?? '', 'base64url').toString()) as JsonObject

async function signedAnswer({ authority }: Deployment, token: string, as = 'api'): Promise<string> {
  const answer = await authority.introspectSigned(asking(`token=${token}`, { as }))
  assert.ok(answer.kind === 'ok', JSON.stringify(answer))
  return answer.value
}

const deployed = async (database: (typeof databases)[number], more: JsonObject = {}): Promise<Deployment> => {
  const it = await openDeployment(database)
  await declare(it, {
    ...declaration,
    clients: [...declaration.clients.slice(0, 2), { ...machine('api', ''), resource_server: api, ...more }],
  })
  return it
}

for (const database of databases) {
  test(`${database}: RFC 9701 §5: the answer is a JWT of its own type, for whoever asked, with what is known inside`, async () => {
    const it = await deployed(database)
    const token = await tokenFrom(it.authority, 'scope=invoices:read')
    const jwt = await signedAnswer(it, token)
    assert.equal(part(jwt, 0)['typ'], 'token-introspection+jwt')
    assert.equal(part(jwt, 0)['alg'], 'RS256')
    const plain = await it.authority.introspect(asking(`token=${token}`, { as: 'api' }))
    assert.ok(plain.kind === 'ok' && plain.value['active'] === true)
    const iat = Math.floor(it.clock / 1000)
    // Neither sub nor exp outside: it must not pass for a token (§8.1).
    assert.deepEqual(part(jwt, 1), { iss: issuer, aud: 'api', iat, token_introspection: plain.value })
    const keys = await it.authority.keySet(root)
    assert.ok(keys.kind === 'ok')
    const kids = (keys.value.body['keys'] as readonly JsonObject[]).map(({ kid }) => kid)
    assert.ok(kids.includes(part(jwt, 0)['kid']))
  })

  test(`${database}: RFC 9701 §5: a token that is not active, or another's, is signed as one word`, async () => {
    const it = await deployed(database, { introspection_signed_response_alg: 'PS256' })
    const token = await tokenFrom(it.authority, 'scope=invoices:read')
    for (const [shown, as] of [
      ['nonsense', 'api'],
      [token, 'other'],
    ] as const) {
      const jwt = await signedAnswer(it, shown, as)
      assert.deepEqual(part(jwt, 1)['token_introspection'], { active: false })
      assert.equal(part(jwt, 1)['aud'], as)
      assert.equal(part(jwt, 0)['alg'], as === 'api' ? 'PS256' : 'RS256')
    }
  })

  test(`${database}: RFC 9701 §8.1: a signed answer is an access token, a hint and a subject of exchange to nobody`, async () => {
    const it = await deployed(database, { introspection_signed_response_alg: 'ES256' })
    const jwt = await signedAnswer(it, await tokenFrom(it.authority, 'scope=invoices:read'))
    for (const as of ['api', 'svc']) assert.equal(await isActive(it.authority, jwt, { as }), false)
    const userinfo = await it.authority.userinfo(jwt, { tenant: root, ip: null, traceId: null })
    assert.equal(userinfo.kind === 'error' && userinfo.error, 'invalid_token')
    const keys = await it.authority.keySet(root)
    assert.ok(keys.kind === 'ok')
    for (const types of [['at+jwt'], ['JWT'], ['at+jwt', 'JWT', 'token-introspection+jwt']]) {
      const validator = createValidator({
        audience: [api, 'api'],
        issuers: [{ issuer, keys: new GivenKeys(keys.value.body), revocation: 'none', types }],
        time: { ...systemTime, now: () => it.clock as Instant },
      })
      const verdict = await validator.validate({ authorization: `Bearer ${jwt}` })
      assert.equal(verdict.kind, 'error')
    }
  })
}
