/** The listener that asks for certificates: its port, its documents, its connections. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect, type TLSSocket } from 'node:tls'
import type { JsonObject } from '@grantor/protocol/types'
import { type CertificateAndKey, issueCertificate } from '../../src/tls/issue-certificate.ts'
import {
  declare,
  newAuthority,
  newCertificate,
  service,
  startMtls,
  tokenForm,
  valid,
  type MtlsDeployment,
} from './mtls-deployment.ts'

const tpp = service('tpp', { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: 'CN=tpp' })

const dial = async (it: MtlsDeployment, options: object): Promise<TLSSocket> => {
  const ca = readFileSync(it.running.caFile ?? '')
  const socket = connect({ host: 'localhost', port: it.running.mtlsPort ?? 0, ca, ...options })
  await once(socket, 'secureConnect')
  return socket
}

/** One request on a connection that is there. */
async function ask(socket: TLSSocket, client: string): Promise<number> {
  const body = new URLSearchParams(tokenForm(client)).toString()
  socket.write(
    `POST /token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  const [chunk] = (await once(socket, 'data')) as [Buffer]
  return Number(chunk.toString().slice(9, 12))
}

test('RFC 8705 §5: metadata name the other address of every endpoint that clients call, per tenant', async () => {
  await using it = await startMtls()
  await declare(it, [tpp], [{ id: 'acme' }])
  for (const [tenant, path] of [
    ['', ''],
    ['/t/acme', '/t/acme'],
  ] as const) {
    const metadata = (await it.get(`${tenant}/.well-known/openid-configuration`)).json()
    const base = `https://localhost:${it.running.mtlsPort}${path}`
    const aliases = metadata['mtls_endpoint_aliases'] as Record<string, string>
    assert.equal(aliases['token_endpoint'], `${base}/token`)
    assert.equal(aliases['userinfo_endpoint'], `${base}/userinfo`)
    assert.equal(aliases['authorization_endpoint'], undefined)
    assert.equal(metadata['issuer'], `${it.running.issuer}${path}`)
    assert.equal(metadata['tls_client_certificate_bound_access_tokens'], true)
    for (const endpoint of ['token', 'introspection', 'revocation']) {
      const methods = metadata[`${endpoint}_endpoint_auth_methods_supported`] as string[]
      assert.ok(methods.includes('tls_client_auth') && methods.includes('self_signed_tls_client_auth'))
    }
  }
})

test('where certificates cannot come from, nothing is said of them and no client can have them', async () => {
  await using off = await startMtls('sqlite', { GRANTOR_MTLS_PORT: 'off' })
  assert.equal(off.running.mtlsPort, null)
  const metadata = (await off.get('/.well-known/openid-configuration')).body
  assert.doesNotMatch(metadata, /tls_client|mtls/)
  const made = await off.deployment.authority.admin.declared.apply({ kind: 'operator', id: 'test' }, { clients: [tpp] })
  assert.equal(made.kind, 'error')
})

test('without an authority of client certificates only those that clients made themselves are offered', async () => {
  await using it = await startMtls('sqlite', { GRANTOR_MTLS_CLIENT_CA: '' })
  const metadata = (await it.get('/.well-known/openid-configuration')).json()
  const methods = metadata['token_endpoint_auth_methods_supported'] as string[]
  assert.ok(methods.includes('self_signed_tls_client_auth') && !methods.includes('tls_client_auth'))
})

test('a page is not shown where certificates are asked for', async () => {
  await using it = await startMtls()
  for (const path of ['/authorize', '/account', '/login', '/device', '/logout', '/t/acme/authorize', '/assets/x'])
    assert.equal((await it.get(path)).status, 404, path)
  for (const path of ['/jwks', '/.well-known/openid-configuration', '/.well-known/oauth-authorization-server'])
    assert.equal((await it.get(path)).status, 200, path)
})

test('a taken port is replaced where nobody asked for it, and named where somebody did', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  await assert.rejects(startMtls('sqlite', { GRANTOR_MTLS_PORT: String(port) }), /GRANTOR_MTLS_PORT/)
  await using demo = await startMtls('sqlite', { GRANTOR_MTLS_PORT: String(port), GRANTOR_DEMO: 'true' })
  assert.notEqual(demo.running.mtlsPort, port)
  assert.notEqual(demo.running.mtlsPort, null)
  await using one = await startMtls('sqlite', { GRANTOR_MTLS_PORT: '' })
  await using two = await startMtls('sqlite', { GRANTOR_MTLS_PORT: '' })
  assert.notEqual(one.running.mtlsPort, two.running.mtlsPort)
  taken.close()
})

for (const version of ['TLSv1.2', 'TLSv1.3'] as const)
  test(`a session of ${version} is not taken up again: no connection shows what another one proved`, async () => {
    await using it = await startMtls()
    await declare(it, [tpp])
    const certificate = await newCertificate(it.authority, { name: 'CN=tpp' })
    const options = { minVersion: version, maxVersion: version }
    const first = await dial(it, { ...options, ...certificate })
    let session: Buffer | undefined = first.getSession()
    first.on('session', (given: Buffer) => (session = given))
    assert.equal(await ask(first, 'tpp'), 200)
    assert.equal(await ask(first, 'tpp'), 200)
    first.destroy()
    // The session of somebody else's certificate, with another or with none.
    for (const shown of [{}, await newCertificate(it.authority, { name: 'CN=other' })]) {
      const again = await dial(it, { ...options, session, ...shown })
      assert.equal(again.isSessionReused(), false)
      assert.equal(await ask(again, 'tpp'), 401)
      again.destroy()
    }
    const own = await dial(it, { ...options, session, ...certificate })
    assert.equal(await ask(own, 'tpp'), 200)
    own.destroy()
  })

test('SIGHUP: a new server certificate and other authorities count from then on, also for connections that are there', async () => {
  const chain = await newAuthority('CN=Servers')
  const serverCertificate = (): Promise<CertificateAndKey> =>
    issueCertificate({ name: 'CN=localhost', validity: valid(), names: ['localhost', '127.0.0.1'], signer: chain })
  await using it = await startMtls()
  await declare(it, [tpp])
  const certificate = await newCertificate(it.authority, { name: 'CN=tpp' })
  const open = await dial(it, certificate)
  assert.equal(await ask(open, 'tpp'), 200)
  const other = await newAuthority()
  writeFileSync(join(it.folder, 'clients.pem'), 'nothing of use')
  await it.running.reload()
  assert.equal(await ask(open, 'tpp'), 200)
  writeFileSync(join(it.folder, 'clients.pem'), other.cert)
  await it.running.reload()
  assert.equal(await ask(open, 'tpp'), 401)
  open.destroy()
  const renewed = await newCertificate(other, { name: 'CN=tpp' })
  assert.equal((await it.post('/token', tokenForm('tpp'), { certificate: renewed })).status, 200)
  // What this server shows itself is read again for both listeners.
  const pair = await serverCertificate()
  const files = { GRANTOR_TLS_CERT: join(it.folder, 'cert.pem'), GRANTOR_TLS_KEY: join(it.folder, 'key.pem') }
  const write = (made: CertificateAndKey): void => {
    writeFileSync(files.GRANTOR_TLS_CERT, made.cert)
    writeFileSync(files.GRANTOR_TLS_KEY, made.key)
  }
  write(pair)
  await using given = await startMtls('sqlite', files)
  const shownAt = async (): Promise<string> => {
    const socket = connect({
      host: 'localhost',
      port: given.running.mtlsPort ?? 0,
      ca: chain.cert,
      servername: 'localhost',
    })
    await once(socket, 'secureConnect')
    const { fingerprint256 } = socket.getPeerCertificate()
    socket.destroy()
    return fingerprint256
  }
  const before = await shownAt()
  write(await serverCertificate())
  await given.running.reload()
  assert.notEqual(await shownAt(), before)
})

test('connections.per_address bounds this listener as it does the other', async () => {
  await using it = await startMtls('sqlite', { GRANTOR_CONNECTIONS_PER_ADDRESS: '2' })
  const held = [await dial(it, {}), await dial(it, {})]
  await assert.rejects(dial(it, {}))
  for (const socket of held) socket.destroy()
})

test('the issuer behind another name: GRANTOR_MTLS_URL is what metadata say', async () => {
  await using it = await startMtls('sqlite', { GRANTOR_MTLS_URL: 'https://mtls.login.example' })
  const metadata = (await it.get('/.well-known/openid-configuration')).json()
  const aliases = metadata['mtls_endpoint_aliases'] as Record<string, string>
  assert.equal(aliases['token_endpoint'], 'https://mtls.login.example/token')
})

test('RFC 7523 §3: an assertion may be for the address that asks for certificates, where endpoints are accepted', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const assertionFor = (aud: string): string => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
    const exp = Math.floor(Date.now() / 1000) + 60
    const signed = `${part({ alg: 'ES256' })}.${part({ iss: 'svc', sub: 'svc', aud, exp, jti: aud })}`
    const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
    return `${signed}.${signature.toString('base64url')}`
  }
  const jwks = { keys: [publicKey.export({ format: 'jwk' }) as JsonObject] }
  for (const [accepted, status] of [
    ['endpoints', 200],
    ['issuer', 401],
  ] as const) {
    await using it = await startMtls('sqlite', { GRANTOR_ASSERTION_AUDIENCE: accepted })
    await declare(it, [service('svc', { token_endpoint_auth_method: 'private_key_jwt', jwks })])
    const proof = {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: assertionFor(`https://localhost:${it.running.mtlsPort}/token`),
    }
    assert.equal((await it.post('/token', { grant_type: 'client_credentials', ...proof })).status, status)
  }
})
