/** Bound tokens behind every adapter: the proof comes from the header, the certificate from the connection. */
import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer, request as tlsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { makeProof } from '@grantor/protocol/dpop'
import { jwkThumbprint } from '@grantor/protocol/jose'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { fastify } from 'fastify'
import { fastifyResource, guard } from '../../src/adapters/fastify.ts'
import { guardFetch, protectedFetch } from '../../src/adapters/fetch.ts'
import { protectedListener } from '../../src/adapters/node.ts'
import { protectedResource } from '../../src/protect/protected-resource.ts'
import { createTestIssuer } from '../../src/testing/test-issuer.ts'
import { createValidator } from '../../src/validate/validator.ts'
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

type Send = (headers: Headers) => Promise<Response>

const listening = async (listener: RequestListener): Promise<Send> => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  after(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  return (headers) => fetch(`http://127.0.0.1:${port}/notes?page=1`, { headers })
}

async function onFastify(how: 'guard' | 'resource'): Promise<Send> {
  const app = fastify()
  app.decorateRequest('access', null)
  if (how === 'guard')
    app.get('/notes', { onRequest: guard(options, 'notes:read') }, (request) => request.access?.subject)
  else {
    const routes = (inner: typeof app) => void inner.get('/notes', async (request) => request.access?.subject)
    await app.register(fastifyResource, { resource, routes })
  }
  await app.listen({ port: 0, host: '127.0.0.1' })
  after(() => app.close())
  const { port } = app.server.address() as AddressInfo
  return (headers) => fetch(`http://127.0.0.1:${port}/notes?page=1`, { headers })
}

const asked = (headers: Headers) => new Request('http://10.0.0.7:3000/notes?page=1', { headers })
const adapters: Readonly<Record<string, () => Promise<Send>>> = {
  'node, protectedListener': () =>
    listening(protectedListener(resource, (_, response, caller) => void response.end(caller.subject))),
  'fastify, guard': () => onFastify('guard'),
  'fastify, fastifyResource': () => onFastify('resource'),
  'fetch, guardFetch': async () => {
    const handler = guardFetch(options, 'notes:read', (_, caller) => new Response(caller.subject))
    return (headers) => handler(asked(headers))
  },
  'fetch, protectedFetch': async () => {
    const handler = protectedFetch(resource, (_, caller) => new Response(caller.subject))
    return (headers) => handler(asked(headers))
  },
}

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

test('RFC 8705 §3: the certificate of the connection is what a token can be bound to', async () => {
  const [mine, other] = [await selfSigned('mine'), await selfSigned('other')]
  const listener = protectedListener(resource, (_, response, caller) => void response.end(caller.subject))
  const { key, cert } = await selfSigned('localhost')
  const server = createTlsServer({ key, cert, requestCert: true, rejectUnauthorized: false }, listener).listen(
    0,
    '127.0.0.1',
  )
  await new Promise((resolve) => server.once('listening', resolve))
  after(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const thumbprint = createHash('sha256').update(new X509Certificate(mine.cert).raw).digest('base64url')
  const token = dev.mint({ scope: 'notes:read', claims: { cnf: { 'x5t#S256': thumbprint } } })
  const get = (certificate: object) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` }
      const tls = { port, host: '127.0.0.1', path: '/notes', rejectUnauthorized: false, agent: false, ...certificate }
      tlsRequest({ ...tls, headers }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end()
    })
  assert.deepEqual([await get(mine), await get(other), await get({})], [200, 401, 401])
})
