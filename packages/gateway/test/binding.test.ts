/** TLS of the gateway's own, and tokens that are bound to a key or a certificate, which a proxy in front has seen. */
import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { once } from 'node:events'
import { test } from 'node:test'
import { makeProof } from '@grantor/protocol/dpop'
import { jwkThumbprint } from '@grantor/protocol/jose'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { selfSigned, type TestCertificate } from '../../resource/test/certificates.ts'
import { audience, configOf, startHarness } from './harness.ts'

function certificateFolder(stack: DisposableStack) {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-gateway-'))
  stack.defer(() => rmSync(folder, { recursive: true }))
  const named = (name: string) => ({ cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) })
  return (name: string, { cert, key }: TestCertificate) => {
    const files = named(name)
    writeFileSync(files.cert, cert)
    writeFileSync(files.key, key)
    return files
  }
}

const thumbprintOf = ({ cert }: TestCertificate): string =>
  createHash('sha256').update(new X509Certificate(cert).raw).digest('base64url')

function askTls(port: number, path: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    const options = { port, host: '127.0.0.1', path, headers, agent: false as const, rejectUnauthorized: false }
    request(options, (response) => response.resume().on('end', () => resolve(response.statusCode ?? 0)))
      .on('error', reject)
      .end()
  })
}

async function servedCertificate(port: number): Promise<string> {
  const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { raw } = socket.getPeerCertificate()
  socket.destroy()
  return createHash('sha256').update(raw).digest('base64url')
}

test('with tls the gateway speaks HTTPS alone, takes a new certificate with a new reading, and keeps what is connected', async () => {
  using stack = new DisposableStack()
  const write = certificateFolder(stack)
  const [first, second] = [await selfSigned('first'), await selfSigned('second')]
  await using it = await startHarness({ file: { tls: write('first', first) } })
  const { port } = it.gateway
  const token = it.mint()
  assert.equal(await askTls(port, '/orders', token), 200)
  assert.equal(await askTls(port, '/other', token), 403)
  assert.equal(await servedCertificate(port), thumbprintOf(first))
  // In the clear there is no answer, and nothing is sent on.
  const plain = await it.raw(`GET /orders HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  assert.ok(!plain.startsWith('HTTP/'), plain)
  assert.equal(it.seen.length, 1)
  const open = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }).setEncoding('latin1')
  await once(open, 'secureConnect')
  assert.equal((await it.gateway.reload(await it.config({ tls: write('second', second) }))).kind, 'ok')
  assert.equal(await servedCertificate(port), thumbprintOf(second))
  open.write(`GET /orders HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  assert.match(((await once(open, 'data')) as [string])[0], /^HTTP\/1\.1 200 /)
  const without = await it.gateway.reload(await it.config({}))
  assert.deepEqual(without.kind === 'error' ? without.error.map(({ field }) => field) : [], ['tls'])
})

test('a certificate without its key is refused, and the file is not taken', async () => {
  using stack = new DisposableStack()
  const write = certificateFolder(stack)
  const [one, other] = [await selfSigned('one'), await selfSigned('other')]
  const routes = [{ path: '/', scopes: [] }]
  const mixed = { cert: one.cert, key: other.key }
  await assert.rejects(configOf({ routes, tls: write('mixed', mixed) }), /is not a certificate and its private key/)
  // A chain that breaks off behind a good first certificate.
  const broken = { ...one, cert: `${one.cert}${other.cert.slice(0, 200)}` }
  await assert.rejects(configOf({ routes, tls: write('broken', broken) }), /is not a certificate and its private key/)
  await assert.rejects(configOf({ routes, tls: { cert: 'none.pem', key: 'none.key' } }), /ENOENT/)
})

const formats = {
  rfc9440: ({ cert }: TestCertificate) => `:${new X509Certificate(cert).raw.toString('base64')}:`,
  'pem-urlencoded': ({ cert }: TestCertificate) => encodeURIComponent(cert),
  xfcc: ({ cert }: TestCertificate) => `Hash=0;Cert="${encodeURIComponent(cert)}"`,
}

for (const [format, write] of Object.entries(formats)) {
  test(`RFC 8705 §3: a token that is bound to a certificate passes with what a trusted proxy says of it (${format}), by both ways in`, async () => {
    const name = 'X-Client-Certificate'
    const file = { client_cert_header: { name, format, proxies: ['loopback'] } }
    await using it = await startHarness({ file })
    const [mine, other] = [await selfSigned('mine'), await selfSigned('other')]
    const token = it.mint({ claims: { cnf: { 'x5t#S256': thumbprintOf(mine) } } })
    const asked = { 'x-original-method': 'GET', 'x-original-uri': '/orders/1' }
    const statuses = async (header: Record<string, string | readonly string[]>) => [
      (await it.ask('/orders/1', { token, headers: header })).status,
      (await it.ask('/forward-auth', { token, headers: { ...asked, ...header } })).status,
    ]
    assert.deepEqual(await statuses({ [name]: write(mine) }), [200, 200])
    assert.deepEqual(await statuses({ [name]: write(other) }), [401, 401])
    // What cannot be read is 400; to a proxy that asks 403, because nginx takes 400 for a fault.
    assert.deepEqual(await statuses({ [name]: [write(mine), write(mine)] }), [400, 403])
    assert.deepEqual(await statuses({ [name]: 'nonsense' }), [400, 403])
    assert.deepEqual(await statuses({ 'Client-Cert': write(mine) }), [401, 401])
    assert.deepEqual(await statuses({}), [401, 401])
    // The API behind cannot tell who wrote it.
    assert.ok(
      !JSON.stringify(it.seen.map(({ rawHeaders }) => rawHeaders))
        .toLowerCase()
        .includes('x-client-cert'),
    )
  })
}

test('RFC 8705 §3: the header of somebody who is no trusted proxy counts for nothing, and does not arrive behind', async () => {
  const name = 'X-Client-Certificate'
  const file = { client_cert_header: { name, format: 'rfc9440', proxies: ['192.0.2.1'] } }
  await using it = await startHarness({ file })
  const mine = await selfSigned('mine')
  const token = it.mint({ claims: { cnf: { 'x5t#S256': thumbprintOf(mine) } } })
  assert.equal((await it.ask('/orders', { token, headers: { [name]: formats.rfc9440(mine) } })).status, 401)
  assert.equal((await it.ask('/orders', { token: it.mint(), headers: { [name]: 'root' } })).status, 200)
  assert.ok(!JSON.stringify(it.seen).includes('root'))
})

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const thief = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const jkt = jwkThumbprint(publicKey.export({ format: 'jwk' }) as JsonObject)

const questions = {
  'X-Original-*': (method: string, uri: string) => ({
    path: '/forward-auth',
    headers: { 'x-original-method': method, 'x-original-uri': uri },
  }),
  'X-Forwarded-*': (method: string, uri: string) => ({
    path: '/forward-auth',
    headers: { 'x-forwarded-method': method, 'x-forwarded-uri': uri },
  }),
  'the path': (method: string, uri: string) => ({ path: `/forward-auth${uri}`, method, headers: {} }),
}

for (const [by, question] of Object.entries(questions)) {
  test(`RFC 9449 §7: forward-auth by ${by} checks a proof against the request that is asked about, once`, async () => {
    await using it = await startHarness()
    const token = it.mint({ claims: { cnf: { jkt } } })
    const prove = (method: string, url: string, key = privateKey) =>
      makeProof(key, { method, url, now: Date.now() as Instant, accessToken: token })
    const status = async (
      dpop: string | readonly string[] | null,
      { scheme = 'DPoP', method = 'GET', uri = '/orders/1?x=y' } = {},
    ) => {
      const { path, headers, ...more } = { method: 'GET', ...question(method, uri) }
      const credentials = { authorization: `${scheme} ${token}`, ...(dpop === null ? {} : { dpop }) }
      const answer = await it.ask(path, { ...more, headers: { ...headers, ...credentials } })
      return [answer.status, answer.headers['www-authenticate']?.startsWith('DPoP ') === true]
    }
    const good = prove('GET', `${audience}/orders/1`)
    assert.deepEqual(await status(good), [200, false])
    assert.deepEqual(await status(good), [401, true], 'replayed')
    assert.deepEqual(await status(prove('GET', `${audience}/forward-auth`)), [401, true], 'of the question itself')
    assert.deepEqual(await status(prove('GET', `${audience}/orders/2`)), [401, true], 'of another address')
    assert.deepEqual(await status(prove('POST', `${audience}/orders/1`)), [401, true], 'of another method')
    assert.deepEqual(await status(prove('GET', `${audience}/orders/1`, thief)), [401, true], 'of another key')
    const two = [prove('GET', `${audience}/orders/1`), prove('GET', `${audience}/orders/1`)]
    assert.deepEqual(await status(two), [401, true], 'two of them')
    assert.deepEqual(await status(null), [401, true], 'none')
    assert.equal(
      (await status(prove('GET', `${audience}/orders/1`), { scheme: 'Bearer' }))[0],
      401,
      'as a bearer token',
    )
  })
}
