/** Tokens that are bound to a certificate, at an API behind a proxy: its header counts, and nobody else's. */
import assert from 'node:assert/strict'
import { createHash, X509Certificate } from 'node:crypto'
import { createServer, type IncomingMessage, request as httpRequest, type RequestListener } from 'node:http'
import { createServer as createTlsServer, request as tlsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { CertificateHeaderFormat } from '@grantor/protocol/mtls'
import { fastify } from 'fastify'
import fc from 'fast-check'
import { fastifyResource, guard } from '../../src/adapters/fastify.ts'
import { guardFetch, protectedFetch } from '../../src/adapters/fetch.ts'
import { protectedListener } from '../../src/adapters/node.ts'
import { protectedResource } from '../../src/protect/protected-resource.ts'
import { createTestIssuer } from '../../src/testing/test-issuer.ts'
import { createValidator, type Validator } from '../../src/validate/validator.ts'
import type { ValidatorOptions } from '../../src/validate/validator-options.ts'
import { guardListeners, resourceListeners } from '../adapters.ts'
import { selfSigned, type TestCertificate } from '../certificates.ts'

const audience = 'https://notes.example'
const dev = createTestIssuer({ audience })
const proxy = '127.0.0.1'
/** Another machine of the same network. */
const stranger = '127.0.0.2'
const [mine, other, expired] = [await selfSigned('mine'), await selfSigned('other'), await selfSigned('old', -600_000)]

const thumbprintOf = ({ cert }: TestCertificate) =>
  createHash('sha256').update(new X509Certificate(cert).raw).digest('base64url')
const boundTo = (certificate: TestCertificate) =>
  dev.mint({ scope: 'notes:read', sub: 'alice', claims: { cnf: { 'x5t#S256': thumbprintOf(certificate) } } })

const writers: Readonly<Record<CertificateHeaderFormat, (it: TestCertificate) => string>> = {
  rfc9440: ({ cert }) => `:${new X509Certificate(cert).raw.toString('base64')}:`,
  'pem-urlencoded': ({ cert }) => encodeURIComponent(cert),
  xfcc: ({ cert }) => `Hash=0;Cert="${encodeURIComponent(cert)}";Subject="CN=x,O=y;z"`,
}

interface Asking {
  readonly token: string
  readonly header?: string | string[]
  readonly from?: string
}
type Answer = readonly [status: number, code: unknown]
type Ask = (asking: Asking) => Promise<Answer>

const name = 'X-Client-Certificate'

async function read(message: IncomingMessage): Promise<Answer> {
  const text = Buffer.concat(await message.toArray()).toString('utf8')
  const status = message.statusCode ?? 0
  return [status, status === 200 ? text : (JSON.parse(text) as { code?: string }).code]
}

const overHttp =
  (port: number): Ask =>
  ({ token, header, from = proxy }) =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, ...(header === undefined ? {} : { [name]: header }) }
      httpRequest({ host: '127.0.0.1', port, path: '/notes', localAddress: from, agent: false, headers }, (response) =>
        read(response).then(resolve, reject),
      )
        .on('error', reject)
        .end()
    })

async function listening(listener: RequestListener): Promise<Ask> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  after(() => server.close().closeAllConnections())
  return overHttp((server.address() as AddressInfo).port)
}

const overFetch =
  (handler: (request: Request, info: { peer: string }) => Promise<Response>): Ask =>
  async ({ token, header = [], from = proxy }) => {
    const headers = new Headers({ authorization: `Bearer ${token}` })
    for (const one of [header].flat()) headers.append(name, one)
    const response = await handler(new Request(`${audience}/notes`, { headers }), { peer: from })
    const text = await response.text()
    return [response.status, response.status === 200 ? text : (JSON.parse(text) as { code?: string }).code]
  }

const options = (validator: Validator) =>
  ({ validator, audience, name: 'Notes', issuers: [dev.issuer], scope: 'notes:read' }) as const

async function onFastify(validator: Validator, how: 'guard' | 'resource'): Promise<Ask> {
  // It believes its own headers about who calls; who the connection is of, it cannot make up.
  const app = fastify({ trustProxy: true })
  app.decorateRequest('caller', null)
  const handler = async (request: { caller: { subject: string } | null }) => request.caller?.subject
  if (how === 'guard') app.get('/notes', { onRequest: guard(options(validator), 'notes:read') }, handler)
  else
    await app.register(fastifyResource, {
      resource: protectedResource(options(validator)),
      routes: (inner) => void inner.get('/notes', handler),
    })
  await app.listen({ port: 0, host: '127.0.0.1' })
  after(() => app.close())
  return overHttp((app.server.address() as AddressInfo).port)
}

const { express: expressGuard, hono: honoGuard } = guardListeners
const { express: expressResource, hono: honoResource } = resourceListeners

const adapters: Readonly<Record<string, (validator: Validator) => Promise<Ask>>> = {
  'node, protectedListener': (validator) =>
    listening(
      protectedListener(
        protectedResource(options(validator)),
        (_, response, caller) => void response.end(caller.subject),
      ),
    ),
  'fastify, guard': (validator) => onFastify(validator, 'guard'),
  'fastify, fastifyResource': (validator) => onFastify(validator, 'resource'),
  'fetch, guardFetch': async (validator) =>
    overFetch(guardFetch(options(validator), 'notes:read', (_, caller) => new Response(caller.subject))),
  'fetch, protectedFetch': async (validator) =>
    overFetch(protectedFetch(protectedResource(options(validator)), (_, caller) => new Response(caller.subject))),
  ...Object.fromEntries(
    Object.entries({ express: expressGuard, hono: honoGuard }).map(([name, open]) => [
      `${name}, guard`,
      async (validator: Validator) =>
        listening(await open({ options: options(validator), need: 'notes:read' }, { path: '/notes' })),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries({ express: expressResource, hono: honoResource }).map(([name, open]) => [
      `${name}, resource`,
      async (validator: Validator) => listening(await open(protectedResource(options(validator)), { path: '/notes' })),
    ]),
  ),
}

const validatorOf = (more: Partial<ValidatorOptions>) => createValidator({ audience, issuers: [dev.trust], ...more })

for (const [adapter, open] of Object.entries(adapters))
  for (const [format, write] of Object.entries(writers) as [CertificateHeaderFormat, (typeof writers)['xfcc']][])
    test(`RFC 9440 §3, RFC 8705 §3: ${adapter}: the certificate of a proxy's client (${format})`, async () => {
      const ask = await open(validatorOf({ clientCertHeader: { name, format, proxies: [proxy] } }))
      const token = boundTo(mine)
      assert.deepEqual(await ask({ token, header: write(mine) }), [200, 'alice'])
      assert.deepEqual(await ask({ token, header: write(other) }), [401, 'certificate_mismatch'])
      assert.deepEqual(await ask({ token }), [401, 'certificate_required'])
      assert.deepEqual(await ask({ token, header: '' }), [401, 'certificate_required'])
      // Past the proxy, by whoever reaches the API directly.
      assert.deepEqual(await ask({ token, header: write(mine), from: stranger }), [401, 'certificate_required'])
      assert.deepEqual(await ask({ token, header: write(mine), from: '::1' }).catch(() => [401, 'unreached']), [
        401,
        adapter.startsWith('fetch') ? 'certificate_required' : 'unreached',
      ])
      // What is no certificate, or more than one.
      const unreadable = ['garbage', `${write(mine)}x`, `${write(mine)}${'A'.repeat(9_000)}`]
      for (const header of unreadable)
        assert.deepEqual(await ask({ token, header }), [400, 'client_certificate_unreadable'])
      const twice = await ask({ token, header: [write(other), write(mine)] })
      // Fetch joins two lines, and of Envoy's a list is well-formed: its last element is what the nearest proxy wrote.
      if (adapter.startsWith('fetch') && format === 'xfcc') assert.deepEqual(twice, [200, 'alice'])
      else assert.deepEqual(twice, [400, 'client_certificate_unreadable'])
      const old = boundTo(expired)
      assert.deepEqual(await ask({ token: old, header: write(expired) }), [401, 'certificate_expired'])
    })

test("XFCC: of a chain of proxies only the last one's element counts", async () => {
  const clientCertHeader = { name, format: 'xfcc', proxies: ['127.0.0.0/8'] } as const
  const ask = await listening(
    protectedListener(protectedResource(options(validatorOf({ clientCertHeader }))), (_, response) => {
      response.end('in')
    }),
  )
  const token = boundTo(mine)
  const { xfcc } = writers
  assert.deepEqual(await ask({ token, header: `${xfcc(other)},${xfcc(mine)}` }), [200, 'in'])
  assert.deepEqual(await ask({ token, header: `${xfcc(mine)},${xfcc(other)}` }), [401, 'certificate_mismatch'])
  const unreadable = [`${xfcc(mine)},Hash=1`, `${xfcc(mine)};Cert="x"`, `Subject="${xfcc(mine).replaceAll('"', '')}"`]
  for (const header of unreadable)
    assert.deepEqual(await ask({ token, header }), [400, 'client_certificate_unreadable'], header)
})

test('no header counts where none was named, and a token that is bound to nothing does not need one', async () => {
  const { rfc9440 } = writers
  const header = rfc9440(mine)
  const plain = await listening(
    protectedListener(protectedResource(options(validatorOf({}))), (_, response) => void response.end('in')),
  )
  assert.deepEqual(await plain({ token: boundTo(mine), header }), [401, 'certificate_required'])
  const clientCertHeader = { name, format: 'rfc9440', proxies: [proxy] } as const
  const behind = await listening(
    protectedListener(protectedResource(options(validatorOf({ clientCertHeader }))), (_, response) => {
      response.end('in')
    }),
  )
  assert.deepEqual(await behind({ token: dev.mint({ scope: 'notes:read' }), header: 'garbage' }), [200, 'in'])
})

test("a proxy's own certificate is not its client's, and whoever is no proxy shows its own", async () => {
  const clientCertHeader = { name, format: 'rfc9440', proxies: [proxy] } as const
  const resource = protectedResource(options(validatorOf({ clientCertHeader })))
  const listener = protectedListener(resource, (_, response) => void response.end('in'))
  const server = createTlsServer({ ...(await selfSigned('localhost')), requestCert: true, rejectUnauthorized: false })
  server.on('request', listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  after(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  const ask = (shown: TestCertificate, { token, header, from = proxy }: Asking) =>
    new Promise<Answer>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, ...(header === undefined ? {} : { [name]: header }) }
      const tls = { host: '127.0.0.1', port, path: '/notes', rejectUnauthorized: false, agent: false }
      tlsRequest({ ...tls, localAddress: from, ...shown, headers }, (response) => read(response).then(resolve, reject))
        .on('error', reject)
        .end()
    })
  const token = boundTo(mine)
  const header = writers.rfc9440(mine)
  assert.deepEqual(await ask(mine, { token }), [401, 'certificate_required'])
  assert.deepEqual(await ask(other, { token, header }), [200, 'in'])
  assert.deepEqual(await ask(mine, { token, from: stranger }), [200, 'in'])
  assert.deepEqual(await ask(other, { token, header, from: stranger }), [401, 'certificate_mismatch'])
  assert.deepEqual(await ask(expired, { token: boundTo(expired), from: stranger }), [401, 'certificate_expired'])
})

test('whatever the header holds, nothing but the very certificate is accepted', async () => {
  const clientCertHeader = { name, format: 'xfcc', proxies: [proxy] } as const
  const ask = overFetch(guardFetch(options(validatorOf({ clientCertHeader })), 'notes:read', () => new Response('in')))
  const token = boundTo(mine)
  const piece = fc.oneof(
    fc.constantFrom(
      ';',
      ',',
      '"',
      '\\',
      'Cert=',
      'Hash=0',
      encodeURIComponent(mine.cert),
      encodeURIComponent(other.cert),
    ),
    fc.string({ unit: 'grapheme-ascii', maxLength: 5 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
      const header = pieces.join('')
      const [status] = await ask({ token, header })
      const last = header.trim()
      assert.ok(status === 400 || status === 401 || last.includes(encodeURIComponent(mine.cert)), header)
    }),
    { numRuns: 300 },
  )
})

test('a header that would be believed from everybody, or means something else, does not start', () => {
  const good = { name: 'Client-Cert', format: 'rfc9440', proxies: ['loopback'] } as const
  assert.doesNotThrow(() => validatorOf({ clientCertHeader: good }))
  for (const [wrong, said] of [
    [{ proxies: [] }, /name the proxies/],
    [{ proxies: ['0.0.0.0/0'] }, /is everyone/],
    [{ proxies: ['proxy.example'] }, /not an address/],
    [{ name: 'Authorization' }, /means something else/],
    [{ name: 'Client Cert' }, /name of a header/],
    [{ format: 'pem' as 'xfcc' }, /format is one of/],
  ] as const)
    assert.throws(() => validatorOf({ clientCertHeader: { ...good, ...wrong } }), said)
})
