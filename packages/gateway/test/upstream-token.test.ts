/** The token for the API behind, where its issuer says that the one presented is over. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { startHarness } from './harness.ts'

const signed = (claims: object): string => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`

/** An issuer to which no token is good any more. */
async function startIssuer() {
  const server = createServer(({ url, headers }, response) => {
    const issuer = `http://${String(headers.host)}`
    const [token, introspection] = [`${issuer}/token`, `${issuer}/introspect`]
    const json = { 'content-type': 'application/json' }
    if (url === '/token') return response.writeHead(400, json).end('{"error":"invalid_request"}')
    if (url === '/introspect')
      return response
        .writeHead(200, { 'content-type': 'application/token-introspection+jwt' })
        .end(signed({ iss: issuer, token_introspection: { active: false } }))
    const metadata = {
      issuer,
      jwks_uri: `${issuer}/jwks`,
      token_endpoint: token,
      introspection_endpoint: introspection,
    }
    return response.writeHead(200, json).end(JSON.stringify(metadata))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => server.close().closeAllConnections(),
  }
}

const client = { client_id: 'gateway', client_secret: 'a-secret-of-32-or-more-characters-long' }

for (const [how, more] of [
  ['exchanged', { exchange: { audience: 'https://inner.example' } }],
  ['introspected', { authorization: 'introspection' }],
] as const) {
  test(`RFC 6750 §3.1: a token that its issuer knows as over is 401 where it is ${how}, and not sent on`, async () => {
    await using issuing = await startIssuer()
    await using it = await startHarness({ file: { issuer: issuing.issuer, client, ...more } })
    for (const [token, code] of [
      [it.mint(), 'token_revoked'],
      // Within the leeway.
      [it.mint({ expiresIn: -5 }), 'token_expired'],
    ] as const) {
      const { status, headers, body } = await it.ask('/orders', { token })
      assert.deepEqual([status, (JSON.parse(body) as { code: string }).code], [401, code])
      assert.match(String(headers['www-authenticate']), /error="invalid_token"/)
    }
    assert.deepEqual(it.seen, [])
  })
}
