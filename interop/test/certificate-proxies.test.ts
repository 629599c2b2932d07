/** nginx, HAProxy and Envoy before the server and before an API: they hand on client certificates, and nobody else can. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { createValidator, protectedResource } from '@grantor/resource'
import { protectedListener } from '@grantor/resource/node'
import { Agent, fetch, Headers } from 'undici'
import { type CertificateProxy, certificateProxies } from '../certificate-proxies.ts'
import { type Certificate, jwkOf, newCertificate, thumbprintOf } from '../certificates.ts'
import { freePort } from '../plain-browser.ts'
import { startServer, temporaryFolder } from '../server.ts'

const audience = 'https://orders.example'
const secret = 'a-secret-of-32-or-more-characters-long'

const authority = await newCertificate({ name: 'Clients', authority: true })
const roots = await newCertificate({ name: 'Site', authority: true })
const site = await newCertificate({ name: 'localhost', signer: roots, host: 'localhost' })
const bank = await newCertificate({ name: 'bank', signer: authority })
const lapsed = await newCertificate({ name: 'bank', signer: authority, days: -1 })
const stranger = await newCertificate({ name: 'stranger', signer: authority })
const foreign = await newCertificate({
  name: 'bank',
  signer: await newCertificate({ name: 'Others', authority: true }),
})
const own = await newCertificate({ name: 'own' })
/** Of the same key as what is registered, and over. */
const ownLapsed = await newCertificate({ name: 'own', days: -1 })

const seed = async () => ({
  resources: [{ identifier: audience, name: 'Orders', token_format: 'jwt' }],
  scopes: [{ name: 'orders:read', description: 'See orders', resource: audience }],
  clients: [
    {
      client_id: 'bank',
      token_endpoint_auth_method: 'tls_client_auth',
      tls_client_auth_subject_dn: 'CN=bank',
      tls_client_certificate_bound_access_tokens: true,
      grant_types: ['client_credentials'],
      scope: 'orders:read',
    },
    {
      client_id: 'own',
      token_endpoint_auth_method: 'self_signed_tls_client_auth',
      jwks: { keys: [await jwkOf(own), await jwkOf(ownLapsed)] },
      tls_client_certificate_bound_access_tokens: true,
      grant_types: ['client_credentials'],
      scope: 'orders:read',
    },
    {
      client_id: 'orders',
      client_secret: secret,
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['client_credentials'],
      scope: 'revocations:read events:report',
      resource_server: audience,
    },
  ],
})

interface Call {
  readonly certificate?: Certificate
  readonly headers?: readonly (readonly [string, string])[]
  /** The address the call comes from. */
  readonly from?: string
}

async function deploy(proxy: CertificateProxy) {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const [people, clients, api] = [await freePort(), await freePort(), await freePort()]
  const issuer = `https://localhost:${people}`
  const server = stack.use(
    await startServer({
      data: folder.path,
      seed: folder.write('seed.json', await seed()),
      env: {
        GRANTOR_LOG: 'warn',
        GRANTOR_ISSUER: issuer,
        GRANTOR_TRUST_PROXY: '127.0.0.1',
        GRANTOR_MTLS_URL: `https://localhost:${clients}`,
        GRANTOR_MTLS_CLIENT_CA: folder.write('clients.pem', authority.cert),
        GRANTOR_CLIENT_CERT_HEADER_NAME: proxy.header,
        GRANTOR_CLIENT_CERT_HEADER_FORMAT: proxy.format,
        GRANTOR_LIMIT_TOKEN_FAILURES: 'off',
        GRANTOR_LIMIT_TOKEN_FAILURES_ADDRESS: 'off',
      },
    }),
  )
  const validator = createValidator({
    audience,
    issuers: [{ issuer, credentials: { clientId: 'orders', clientSecret: secret } }],
    ca: roots.cert,
    clientCertHeader: { name: proxy.header, format: proxy.format, proxies: ['127.0.0.1'] },
  })
  stack.defer(() => validator.close())
  const about = { validator, audience, name: 'Orders', issuers: [issuer], scope: 'orders:read' } as const
  const listener = protectedListener(
    protectedResource(about),
    (_, response, { clientId }) => void response.end(clientId),
  )
  const orders = createServer(listener).listen(0, '127.0.0.1')
  stack.defer(() => orders.close().closeAllConnections())
  await once(orders, 'listening')
  const behindApi = (orders.address() as AddressInfo).port
  stack.use(await proxy.start({ people, clients, api, server: server.port, behindApi }, site, authority))
  await validator.whenReady()
  const call = async (url: string, { certificate, headers = [], from }: Call, form?: Record<string, string>) => {
    const shown = certificate === undefined ? {} : { cert: certificate.cert, key: certificate.key }
    const agent = new Agent({
      connect: { ca: roots.cert, ...shown },
      ...(from === undefined ? {} : { localAddress: from }),
    })
    const sent = new Headers()
    for (const [name, value] of headers) sent.append(name, value)
    const body = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form).toString() }
    if (form !== undefined) sent.set('content-type', 'application/x-www-form-urlencoded')
    try {
      const response = await fetch(url, { ...body, headers: sent, dispatcher: agent })
      return { status: response.status, body: await response.text() }
    } finally {
      await agent.close()
    }
  }
  const ask = (client: string, base: string, how: Call) =>
    call(`${base}/token`, how, { grant_type: 'client_credentials', client_id: client, scope: 'orders:read' })
  const owned = stack.move()
  return {
    issuer,
    mtls: `https://localhost:${clients}`,
    api: `https://localhost:${api}/`,
    server: `http://127.0.0.1:${server.port}`,
    behindApi: `http://127.0.0.1:${behindApi}/`,
    log: () => server.output(),
    call,
    ask,
    use: async (token: string, url: string, how: Call) => {
      const headers = [['authorization', `Bearer ${token}`] as const, ...(how.headers ?? [])]
      const { status, body } = await call(url, { ...how, headers })
      return [status, status === 200 ? body : /"code":"(\w+)"/.exec(body)?.[1]]
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

for (const proxy of certificateProxies) {
  const missing = proxy.ensure()
  describe(`${proxy.name} hands on client certificates`, { skip: missing ?? false }, () => {
    test('RFC 8705 §2, §3: both ways to authenticate, a bound token at the API, and every way to be refused', async () => {
      await using it = await deploy(proxy)
      const spoofed = (certificate: Certificate) => [[proxy.header, proxy.write(certificate)]] as const
      const metadata = await it.call(`${it.issuer}/.well-known/openid-configuration`, {})
      const { mtls_endpoint_aliases: aliases } = JSON.parse(metadata.body) as {
        mtls_endpoint_aliases: Record<string, string>
      }
      assert.equal(aliases['token_endpoint'], `${it.mtls}/token`)

      for (const [client, certificate] of [
        ['bank', bank],
        ['own', own],
      ] as const) {
        const issued = await it.ask(client, it.mtls, { certificate })
        assert.equal(issued.status, 200, issued.body)
        const { access_token: token } = JSON.parse(issued.body) as { access_token: string }
        const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { cnf: object }
        assert.deepEqual(claims.cnf, { 'x5t#S256': thumbprintOf(certificate) })
        assert.deepEqual(await it.use(token, it.api, { certificate }), [200, client])
        assert.deepEqual(await it.use(token, it.api, { certificate: stranger }), [401, 'certificate_mismatch'])
        assert.deepEqual(await it.use(token, it.api, {}), [401, 'certificate_required'])
        // Sent by the client: the proxy takes it away, or puts its own in its place.
        const headers = spoofed(certificate)
        assert.deepEqual(await it.use(token, it.api, { headers }), [401, 'certificate_required'])
        assert.deepEqual(await it.use(token, it.api, { headers: [...headers, ...headers] }), [
          401,
          'certificate_required',
        ])
        assert.deepEqual(await it.use(token, it.api, { headers, certificate: stranger }), [401, 'certificate_mismatch'])
        // Past the proxy.
        const direct = { headers, from: '127.0.0.2' }
        assert.deepEqual(await it.use(token, it.behindApi, direct), [401, 'certificate_required'])
        assert.notEqual((await it.ask(client, it.server, direct)).status, 200)

        assert.equal((await it.ask(client, it.mtls, {})).status, 401)
        assert.equal((await it.ask(client, it.mtls, { certificate: stranger })).status, 401)
        assert.equal((await it.ask(client, it.mtls, { headers })).status, 401)
        assert.equal((await it.ask(client, it.mtls, { headers, certificate: stranger })).status, 401)
        assert.equal((await it.ask(client, it.issuer, { headers })).status, 401)
        assert.equal((await it.ask(client, it.issuer, { headers, certificate })).status, 401)
      }
      assert.equal((await it.ask('bank', it.mtls, { certificate: foreign })).status, 401)
      // nginx refuses what is over by itself, the others leave it to us.
      for (const [client, certificate] of [
        ['bank', lapsed],
        ['own', ownLapsed],
      ] as const)
        assert.equal((await it.ask(client, it.mtls, { certificate })).status, proxy.name === 'nginx' ? 400 : 401)
      if (proxy.name !== 'nginx') assert.match(it.log(), /certificate_expired/)
      assert.match(it.log(), /certificate_subject/)
      assert.match(it.log(), /certificate_issuer/)
    })
  })
}
