/**
 * The floor: the least that a token endpoint on this stack can do. Bare Fastify parses the form, compares the secret's
 * SHA-256, signs one ES256 JWT with node:crypto and answers. It remembers nothing, records nothing and knows one client.
 * A DPoP proof costs it one verification, nothing of whose content is looked at: with the key that comes in it at the
 * token endpoint, with a key it has seen before at `GET /v1/report`.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { audience, clientId, clientSecret, scope } from './client.ts'
import { credentials, isClient, signedJwt } from './floor-steps.ts'

const client = credentials(clientId, clientSecret)

type Jwk = Readonly<Record<string, string>>

function isSigned(proof: string, keyOf: (jwk: Jwk) => KeyObject): boolean {
  const end = proof.lastIndexOf('.')
  const proofHeader = JSON.parse(Buffer.from(proof.slice(0, proof.indexOf('.')), 'base64url').toString())
  const signature = Buffer.from(proof.slice(end + 1), 'base64url')
  const key = keyOf((proofHeader as { readonly jwk: Jwk }).jwk)
  return verify('sha256', Buffer.from(proof.slice(0, end)), { key, dsaEncoding: 'ieee-p1363' }, signature)
}

const newKey = (jwk: Jwk): KeyObject => createPublicKey({ key: jwk, format: 'jwk' })
const seen = new Map<string, KeyObject>()
function seenKey(jwk: Jwk): KeyObject {
  const known = seen.get(jwk['x'] ?? '') ?? newKey(jwk)
  seen.set(jwk['x'] ?? '', known)
  return known
}

const app = fastify()
app.get('/v1/report', (request, reply) => {
  const { dpop } = request.headers
  if (typeof dpop === 'string' && !isSigned(dpop, seenKey)) return reply.code(401).send()
  return { id: 'report-1', cents: 1290 }
})
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
  done(null, new URLSearchParams(body as string)),
)
app.post('/token', (request, reply) => {
  const form = request.body as URLSearchParams
  if (!isClient(request.headers.authorization, client)) return reply.code(401).send({ error: 'invalid_client' })
  const { dpop } = request.headers
  if (typeof dpop === 'string' && !isSigned(dpop, newKey)) return reply.code(400).send({ error: 'invalid_dpop_proof' })
  if (form.get('grant_type') !== 'client_credentials') return reply.code(400).send({ error: 'unsupported_grant_type' })
  const claims = { sub: clientId, aud: audience, client_id: clientId, scope: form.get('scope') }
  const token = signedJwt('at+jwt', claims)
  return reply
    .header('cache-control', 'no-store')
    .send({ access_token: token, token_type: 'Bearer', expires_in: 600, scope })
})
await app.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ event: 'ready', port: (app.server.address() as AddressInfo).port, pid: process.pid }))
process.once('SIGTERM', () => process.exit(0))
