/**
 * The floor: the least that a token endpoint on this stack can do. Bare Fastify parses the form, compares the secret's
 * SHA-256, signs one ES256 JWT with node:crypto and answers. It remembers nothing, records nothing and knows one client.
 */
import { generateKeyPairSync, hash, randomUUID, sign, timingSafeEqual } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { fastify } from 'fastify'
import { audience, clientId, clientSecret, scope } from './client.ts'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = { key: privateKey, dsaEncoding: 'ieee-p1363' as const }
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const header = encode({ alg: 'ES256', typ: 'at+jwt', kid: 'floor' })
const handle = hash('sha256', clientSecret, 'buffer')

const app = fastify()
app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
  done(null, new URLSearchParams(body as string)),
)
app.post('/token', (request, reply) => {
  const form = request.body as URLSearchParams
  const credentials = Buffer.from((request.headers.authorization ?? '').slice('Basic '.length), 'base64').toString()
  const colon = credentials.indexOf(':')
  const secret = hash('sha256', decodeURIComponent(credentials.slice(colon + 1)), 'buffer')
  if (credentials.slice(0, colon) !== clientId || !timingSafeEqual(secret, handle)) {
    return reply.code(401).send({ error: 'invalid_client' })
  }
  if (form.get('grant_type') !== 'client_credentials') return reply.code(400).send({ error: 'unsupported_grant_type' })
  const iat = Math.floor(Date.now() / 1000)
  const claims = {
    iss: 'https://floor.example',
    sub: clientId,
    aud: audience,
    client_id: clientId,
    scope: form.get('scope'),
    iat,
    exp: iat + 600,
    jti: randomUUID(),
  }
  const input = `${header}.${encode(claims)}`
  const token = `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`
  return reply
    .header('cache-control', 'no-store')
    .send({ access_token: token, token_type: 'Bearer', expires_in: 600, scope })
})
await app.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ event: 'ready', port: (app.server.address() as AddressInfo).port, pid: process.pid }))
process.once('SIGTERM', () => process.exit(0))
