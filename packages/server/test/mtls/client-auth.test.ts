/** Clients that authenticate by certificate, over real TLS: those that are let in, and every kind of certificate that is not. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CertificateAndKey } from '../../src/tls/issue-certificate.ts'
import {
  databases,
  declare,
  jwkOf,
  newAuthority,
  newCertificate,
  service,
  secret,
  startMtls,
  tokenForm,
} from './mtls-deployment.ts'

const dn = 'CN=tpp,O=Bank'
const byTls = (names: Readonly<Record<string, string>>) => ({ token_endpoint_auth_method: 'tls_client_auth', ...names })
const san = ['tpp.example', 'urn:example:tpp', '192.0.2.9', 'tpp@bank.example']

for (const database of databases)
  describe(`client certificates (${database})`, () => {
    test('RFC 8705 §2.1: a certificate of a trusted authority, by each of its names', async () => {
      await using it = await startMtls(database)
      await declare(it, [
        service('by-dn', byTls({ tls_client_auth_subject_dn: dn })),
        service('by-dns', byTls({ tls_client_auth_san_dns: 'tpp.example' })),
        service('by-uri', byTls({ tls_client_auth_san_uri: 'urn:example:tpp' })),
        service('by-ip', byTls({ tls_client_auth_san_ip: '192.0.2.9' })),
        service('by-email', byTls({ tls_client_auth_san_email: 'tpp@bank.example' })),
      ])
      const certificate = await newCertificate(it.authority, { name: 'O=Bank, CN=tpp', names: san })
      const bare = await newCertificate(it.authority)
      for (const client of ['by-dn', 'by-dns', 'by-uri', 'by-ip', 'by-email']) {
        const issued = await it.post('/token', tokenForm(client), { certificate })
        assert.equal(issued.status, 200, `${client}: ${issued.body}`)
        const refused = await it.post('/token', tokenForm(client), { certificate: bare })
        assert.deepEqual([refused.status, refused.json()['error']], [401, 'invalid_client'], client)
      }
    })

    test('RFC 8705 §2.2: a certificate that nobody issued, by its key', async () => {
      await using it = await startMtls(database)
      const own = await newCertificate(null)
      const stranger = await newCertificate(null)
      const jwks = { keys: [{ ...jwkOf(own), use: 'sig' }] }
      await declare(it, [service('own', { token_endpoint_auth_method: 'self_signed_tls_client_auth', jwks })])
      assert.equal((await it.post('/token', tokenForm('own'), { certificate: own })).status, 200)
      for (const certificate of [stranger, await newCertificate(it.authority), null])
        assert.equal((await it.post('/token', tokenForm('own'), { certificate })).status, 401)
      assert.deepEqual(it.reasons().slice(0, 1), ['certificate_key'])
    })
  })

test('RFC 8705 §2.1: every certificate that is not good enough gets one answer, and the log says which check', async () => {
  await using it = await startMtls()
  const clients = ['expired', 'early', 'foreign', 'self', 'server', 'nameless', 'none', 'disabled']
  await declare(
    it,
    clients.map((id) => service(id, byTls({ tls_client_auth_san_dns: 'tpp.example' }))),
    [{ id: 'acme', clients: [service('theirs', { scope: '', ...byTls({ tls_client_auth_san_dns: 'tpp.example' }) })] }],
  )
  const names = ['tpp.example']
  const good = await newCertificate(it.authority, { names })
  const shown: readonly [string, CertificateAndKey | null, string][] = [
    ['expired', await newCertificate(it.authority, { names, days: [-3, -2] }), 'certificate_expired'],
    ['early', await newCertificate(it.authority, { names, days: [2, 3] }), 'certificate_not_yet_valid'],
    ['foreign', await newCertificate(await newAuthority(), { names }), 'certificate_issuer'],
    ['self', await newCertificate(null, { names }), 'certificate_issuer'],
    ['server', await newCertificate(it.authority, { names, purpose: 'server' }), 'certificate_usage'],
    ['nameless', await newCertificate(it.authority, { name: 'CN=tpp.example' }), 'certificate_san_dns'],
    ['none', null, 'certificate_missing'],
    ['nobody', good, 'client_unknown'],
    // Another tenant's client, with the very certificate that it is known by there.
    ['theirs', good, 'client_unknown'],
  ]
  const answers = new Set<string>()
  for (const [client, certificate, reason] of shown) {
    const before = it.reasons().length
    const { status, body } = await it.post('/token', tokenForm(client), { certificate })
    answers.add(`${status} ${body}`)
    // Of nobody one line a minute is written, whatever names are made up.
    const told = it.reasons().slice(before)
    assert.ok(told.length === 0 ? reason === 'client_unknown' : told[0] === reason, `${client}: ${told.join()}`)
  }
  assert.equal(answers.size, 1, [...answers].join('\n'))
  assert.match([...answers].join(), /^401 .*invalid_client/)
  const there = await it.post('/t/acme/introspect', { client_id: 'theirs', token: 'x' }, { certificate: good })
  assert.deepEqual([there.status, there.body], [200, '{"active":false}'])
})

test('a certificate at the usual port proves nothing: nobody was asked for it', async () => {
  await using it = await startMtls()
  await declare(it, [service('tpp', byTls({ tls_client_auth_san_dns: 'tpp.example' }))])
  const certificate = await newCertificate(it.authority, { names: ['tpp.example'] })
  const usual = `${it.running.issuer}/token`
  assert.equal((await it.post(usual, tokenForm('tpp'), { certificate })).status, 401)
  assert.equal((await it.post('/token', tokenForm('tpp'), { certificate })).status, 200)
})

test('RFC 6749 §2.3: secrets work where certificates are asked for, and a certificate replaces none', async () => {
  await using it = await startMtls()
  await declare(it, [service('svc', { client_secret: secret, token_endpoint_auth_method: 'client_secret_post' })])
  const certificate = await newCertificate(it.authority)
  const form = { ...tokenForm('svc'), client_secret: secret }
  assert.equal((await it.post('/token', form, { certificate })).status, 200)
  assert.equal((await it.post('/token', form)).status, 200)
  assert.equal((await it.post('/token', tokenForm('svc'), { certificate })).status, 401)
})

test('introspection and revocation take certificates as the token endpoint does', async () => {
  await using it = await startMtls()
  await declare(it, [service('tpp', byTls({ tls_client_auth_subject_dn: 'CN=tpp' }))])
  const certificate = await newCertificate(it.authority, { name: 'CN=tpp' })
  const { access_token: token } = (await it.post('/token', tokenForm('tpp'), { certificate })).json()
  const form = { client_id: 'tpp', token: token as string }
  assert.equal((await it.post('/introspect', form, { certificate })).json()['active'], true)
  assert.equal((await it.post('/introspect', form)).status, 401)
  assert.equal((await it.post('/revoke', form)).status, 401)
  assert.equal((await it.post('/revoke', form, { certificate })).status, 200)
  assert.equal((await it.post('/introspect', form, { certificate })).json()['active'], false)
})
