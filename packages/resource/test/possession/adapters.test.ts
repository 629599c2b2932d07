/** Bound tokens behind every adapter: the proof comes from the header, the certificate from the connection. */
import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { request as httpRequest, type RequestListener } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { test } from 'node:test'
import { makeProof } from '@grantor/protocol/dpop'
import { jwkThumbprint } from '@grantor/protocol/jose'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { protectedResource } from '../../src/protect/protected-resource.ts'
import { createTestIssuer } from '../../src/testing/test-issuer.ts'
import { createValidator } from '../../src/validate/validator.ts'
import { guardListeners, guards, resourceListeners, resources, type Send, serve } from '../adapters.ts'
import { selfSigned } from '../certificates.ts'

const audience = 'https://notes.example'
const dev = createTestIssuer({ audience })
const nonceSecret = new Uint8Array(32).fill(1)
const validator = createValidator({ audience, issuers: [dev.trust], dpop: { nonceSecret } })
const options = { validator, audience, name: 'Notes', issuers: [dev.issuer], scope: 'notes:read' } as const
const resource = protectedResource(options)

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jkt = jwkThumbprint(publicKey.export({ format: 'jwk' }) as JsonObject)
const bound = dev.mint({ scope: 'notes:read', sub: 'alice', claims: { cnf: { jkt } } })

type Ask = (headers: Headers) => Promise<Response>

const behind = { path: '/notes' }
const asking = async (send: Promise<Send>): Promise<Ask> => {
  const ask = await send
  return (headers) => ask('/notes?page=1', { headers })
}
const adapters: Readonly<Record<string, () => Promise<Ask>>> = Object.fromEntries([
  ...Object.entries(guards).map(([name, open]) => [
    `${name}, guard`,
    () => asking(open({ options, need: 'notes:read' }, behind)),
  ]),
  ...Object.entries(resources).map(([name, open]) => [`${name}, resource`, () => asking(open(resource, behind))]),
])

/** The outside address, whatever the adapter listens on: a proxy is in between. */
const proof = (nonce?: string) =>
  makeProof(privateKey, {
    method: 'GET',
    url: `${audience}/notes`,
    now: Date.now() as Instant,
    accessToken: bound,
    ...(nonce === undefined ? {} : { nonce }),
  })

for (const [adapter, open] of Object.entries(adapters)) {
  test(`RFC 9449 §7, §9: ${adapter}: challenge, nonce, proof, and no second use of it`, async () => {
    const send = await open()
    const as = (scheme: string, ...proofs: string[]) => {
      const headers = new Headers({ authorization: `${scheme} ${bound}` })
      for (const one of proofs) headers.append('dpop', one)
      return send(headers)
    }
    const plain = await as('Bearer')
    assert.equal(plain.status, 401)
    assert.match(String(plain.headers.get('www-authenticate')), /^DPoP realm=".*error="invalid_token".*algs="ES256 /)
    const first = await as('DPoP', proof())
    assert.match(String(first.headers.get('www-authenticate')), /^DPoP .*error="use_dpop_nonce"/)
    const nonce = String(first.headers.get('dpop-nonce'))
    const good = proof(nonce)
    const accepted = await as('DPoP', good)
    assert.deepEqual([accepted.status, await accepted.text()], [200, 'alice'])
    const replayed = await as('DPoP', good)
    assert.deepEqual([replayed.status, ((await replayed.json()) as JsonObject)['code']], [401, 'proof_invalid'])
    assert.match(
      String(replayed.headers.get('www-authenticate')),
      /error="invalid_dpop_proof", error_description=".*before"/,
    )
    assert.equal((await as('DPoP', proof(nonce), proof(nonce))).status, 401)
    const expired = await send(
      new Headers({ authorization: `DPoP ${dev.mint({ expiresIn: -600, claims: { cnf: { jkt } } })}`, dpop: good }),
    )
    assert.match(String(expired.headers.get('www-authenticate')), /^DPoP .*error="invalid_token"/)
  })
}

const listeners: Readonly<Record<string, () => RequestListener | Promise<RequestListener>>> = Object.fromEntries([
  ...Object.entries(guardListeners).map(([name, open]) => [
    `${name}, guard`,
    () => open({ options, need: 'notes:read' }, behind),
  ]),
  ...Object.entries(resourceListeners).map(([name, open]) => [`${name}, resource`, () => open(resource, behind)]),
])

for (const [adapter, open] of Object.entries(listeners)) {
  test(`RFC 8705 §3: ${adapter}: the certificate of the connection is what a token can be bound to`, async () => {
    const [mine, other] = [await selfSigned('mine'), await selfSigned('other')]
    const origin = await serve(await open(), await selfSigned('localhost'))
    const thumbprint = createHash('sha256').update(new X509Certificate(mine.cert).raw).digest('base64url')
    const token = dev.mint({ scope: 'notes:read', claims: { cnf: { 'x5t#S256': thumbprint } } })
    const get = (certificate: object) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { authorization: `Bearer ${token}` }
        const tls = { rejectUnauthorized: false, agent: false, ...certificate }
        tlsRequest(`${origin}/notes`, { ...tls, headers }, (response) => resolve(response.resume().statusCode))
          .on('error', reject)
          .end()
      })
    assert.deepEqual([await get(mine), await get(other), await get({})], [200, 401, 401])
  })

  test(`RFC 6750 §2: ${adapter}: two tokens are none, whichever line the framework would have read`, async () => {
    const origin = await serve(await open())
    const good = `Bearer ${dev.mint({ scope: 'notes:read' })}`
    const send = (lines: readonly string[]) =>
      new Promise<number | undefined>((resolve, reject) => {
        httpRequest(`${origin}/notes`, { headers: ['host', 'notes.example', ...lines], agent: false }, (response) =>
          resolve(response.resume().statusCode),
        )
          .on('error', reject)
          .end()
      })
    assert.equal(await send(['authorization', good]), 200)
    assert.equal(await send(['authorization', good, 'Authorization', 'Bearer x']), 400)
    assert.equal(await send(['Authorization', 'Bearer x', 'authorization', good]), 400)
  })
}
