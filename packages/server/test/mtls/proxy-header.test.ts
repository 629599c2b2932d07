/** Certificates that a proxy hands on in a header: believed from the proxies that are named, and from nobody else. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CertificateAndKey } from '../../src/tls/issue-certificate.ts'
import {
  declare,
  derOf,
  newAuthority,
  newCertificate,
  service,
  startMtls,
  tokenForm,
  type Call,
} from './mtls-deployment.ts'

const proxy = '127.0.0.1'
/** Another machine of the same network. */
const stranger = '127.0.0.2'
const tpp = service('tpp', { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: 'CN=tpp' })

const formats: Readonly<Record<string, (it: CertificateAndKey) => string>> = {
  rfc9440: (it) => `:${derOf(it).toString('base64')}:`,
  'pem-urlencoded': (it) => encodeURIComponent(it.cert),
  xfcc: (it) => `Hash=0;Cert="${encodeURIComponent(it.cert)}";Subject="CN=x"`,
}

const behindProxy = (format: string, env: Readonly<Record<string, string>> = {}) =>
  startMtls('sqlite', {
    GRANTOR_TRUST_PROXY: proxy,
    GRANTOR_TLS_MODE: 'on',
    GRANTOR_CLIENT_CERT_HEADER_NAME: 'X-Client-Certificate',
    GRANTOR_CLIENT_CERT_HEADER_FORMAT: format,
    ...env,
  })

for (const [format, write] of Object.entries(formats))
  describe(`the certificate of a proxy's client (${format})`, () => {
    test('RFC 9440 §3, RFC 8705 §6.5: from the proxy it counts, from everybody else it does not', async () => {
      await using it = await behindProxy(format, { GRANTOR_MTLS_PORT: 'off' })
      await declare(it, [tpp])
      const good = await newCertificate(it.authority, { name: 'CN=tpp' })
      const other = await newCertificate(it.authority, { name: 'CN=other' })
      const ask = async (value: string | readonly string[], call: Call = {}) => {
        const headers = { 'x-client-certificate': value, 'x-forwarded-proto': 'https' }
        return (await it.post('/token', tokenForm('tpp'), { headers, from: proxy, ...call })).status
      }
      assert.equal(await ask(write(good)), 200)
      assert.equal(await ask(write(other)), 401)
      // Of the right name and another root; and of the right root, out of its time.
      assert.equal(await ask(write(await newCertificate(await newAuthority(), { name: 'CN=tpp' }))), 401)
      assert.equal(await ask(write(await newCertificate(null, { name: 'CN=tpp' }))), 401)
      assert.equal(await ask(write(await newCertificate(it.authority, { name: 'CN=tpp', days: [-3, -2] }))), 401)
      // Past the proxy, by whoever reaches us directly.
      assert.equal(await ask(write(good), { from: stranger }), 401)
      // Twice, in two lines: which one the proxy wrote, nobody knows.
      assert.equal(await ask([write(good), write(good)]), 400)
      assert.equal(await ask([write(other), write(good)]), 400)
      assert.equal(await ask('garbage'), 400)
      assert.equal(await ask(`${write(good)}x`), 400)
      assert.equal(await ask(`${write(good)}${'A'.repeat(9_000)}`), 400)
      assert.equal(await ask(''), 401)
      const { status } = await it.post('/token', tokenForm('tpp'), {
        headers: { 'client-cert': formats['rfc9440']?.(good) ?? '' },
        from: proxy,
      })
      assert.equal(status, 401)
      const metadata = (await it.get('/.well-known/openid-configuration')).json()
      assert.equal(metadata['mtls_endpoint_aliases'], undefined)
      assert.equal(metadata['tls_client_certificate_bound_access_tokens'], true)
    })
  })

test("what a proxy shows of itself is not its client's", async () => {
  await using it = await behindProxy('rfc9440')
  await declare(it, [tpp])
  const good = await newCertificate(it.authority, { name: 'CN=tpp' })
  const ask = async (call: Call) => (await it.post('/token', tokenForm('tpp'), call)).status
  assert.equal(await ask({ certificate: good, from: proxy }), 401)
  // Whoever is no proxy and comes to this port itself shows its own; what it writes beside does not count.
  const forged = await newCertificate(it.authority, { name: 'CN=other' })
  assert.equal(await ask({ certificate: good, from: stranger }), 200)
  const headers = { 'x-client-certificate': formats['rfc9440']?.(good) ?? '' }
  assert.equal(await ask({ certificate: forged, from: stranger, headers }), 401)
})

test('without the header being named, a trusted proxy brings no certificate', async () => {
  await using it = await startMtls('sqlite', { GRANTOR_TRUST_PROXY: proxy, GRANTOR_TLS_MODE: 'on' })
  await declare(it, [tpp])
  const good = await newCertificate(it.authority, { name: 'CN=tpp' })
  const headers = { 'client-cert': formats['rfc9440']?.(good) ?? '' }
  assert.equal((await it.post('/token', tokenForm('tpp'), { from: proxy, headers })).status, 401)
})

test('RFC 8705 §3: the admin API takes a bound token with the certificate that the proxy hands on', async () => {
  await using it = await behindProxy('rfc9440', { GRANTOR_MTLS_PORT: 'off' })
  const bound = { scope: 'admin:clients:read', tls_client_certificate_bound_access_tokens: true }
  await declare(it, [{ ...tpp, ...bound }])
  const [good, other] = [await newCertificate(it.authority, { name: 'CN=tpp' }), await newCertificate(it.authority)]
  const write = (certificate: CertificateAndKey) => formats['rfc9440']?.(certificate) ?? ''
  const from = (shown: string, more: object = {}) => ({
    headers: { 'x-client-certificate': shown, 'x-forwarded-proto': 'https', ...more },
    from: proxy,
  })
  const form = { ...tokenForm('tpp'), scope: bound.scope, resource: it.running.issuer }
  const issued = await it.post('/token', form, from(write(good)))
  assert.equal(issued.status, 200, issued.body)
  const { access_token: token } = issued.json() as { readonly access_token: string }
  const authorization = `Bearer ${token}`
  const list = async (call: Call) => {
    const { status, body } = await it.get('/v1/clients', call)
    return [status, status === 200 ? null : (JSON.parse(body) as { code: string }).code]
  }
  assert.deepEqual(await list(from(write(good), { authorization })), [200, null])
  assert.deepEqual(await list(from(write(other), { authorization })), [401, 'certificate_mismatch'])
  assert.deepEqual(await list(from('', { authorization })), [401, 'certificate_required'])
  assert.deepEqual(await list(from('garbage', { authorization })), [400, 'client_certificate_unreadable'])
  assert.deepEqual(await list({ ...from(write(good), { authorization }), from: stranger }), [
    401,
    'certificate_required',
  ])
})
