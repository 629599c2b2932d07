/** What a certificate says, and what cannot be one. */
import assert from 'node:assert/strict'
import { createHash, X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { alternativeNameProblem, hasAlternativeName } from '../../src/mtls/alternative-name.ts'
import { readCertificate } from '../../src/mtls/certificate.ts'
import { make, now } from './certificates.ts'

/** RFC 9440 appendix A: the client's certificate of its example. */
const example = Buffer.from(
  'MIIBqDCCAU6gAwIBAgIBBzAKBggqhkjOPQQDAjA6MRswGQYDVQQKDBJMZXQncyBBdXRoZW50aWNhdGUxGzAZBgNVBAMMEkxBIEludGVybWVkaWF0ZSBDQTAeFw0yMDAxMTQyMjU1MzNaFw0yMTAxMjMyMjU1MzNaMA0xCzAJBgNVBAMMAkJDMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8YnXXfaUgmnMtOXU/IncWalRhebrXmckC8vdgJ1p5Be5F/3YC8OthxM4+k1M6aEAEFcGzkJiNy6J84y7uzo9M6NyMHAwCQYDVR0TBAIwADAfBgNVHSMEGDAWgBRm3WjLa38lbEYCuiCPct0ZaSED2DAOBgNVHQ8BAf8EBAMCBsAwEwYDVR0lBAwwCgYIKwYBBQUHAwIwHQYDVR0RAQH/BBMwEYEPYmRjQGV4YW1wbGUuY29tMAoGCCqGSM49BAMCA0gAMEUCIBHda/r1vaL6G3VliL4/Di6YK0Q6bMjeSkC3dFCOOB8TAiEAx/kHSB4urmiZ0NX5r5XarmPk0wmuydBVoU4hBVZ1yhk=',
  'base64',
)

test('RFC 5280 §4.1: the certificate of RFC 9440 appendix A is read as it is', () => {
  const facts = readCertificate(example)
  assert.ok(facts !== null)
  assert.deepEqual(facts.subject, [[{ type: '2.5.4.3', text: 'BC', encoded: '0c024243' }]])
  assert.deepEqual(facts.alternativeNames, [{ kind: 'email', value: 'bdc@example.com' }])
  assert.equal(new Date(facts.notBefore).toISOString(), '2020-01-14T22:55:33.000Z')
  assert.equal(new Date(facts.notAfter).toISOString(), '2021-01-23T22:55:33.000Z')
  assert.equal(facts.signatureAlgorithm, '1.2.840.10045.4.3.2')
  assert.deepEqual([facts.isAuthority, facts.pathLength, facts.keyUsage], [false, null, 0xc0])
  assert.deepEqual([facts.extendedKeyUsage, facts.notUnderstood], [['1.3.6.1.5.5.7.3.2'], []])
  assert.equal(facts.thumbprint, createHash('sha256').update(example).digest('base64url'))
})

test('RFC 5280 §4.2.1.6: every kind of name, each known by its kind alone', async () => {
  const { facts } = await make({
    by: null,
    names: [
      { type: 'dns', value: 'API.example' },
      { type: 'url', value: 'spiffe://bank.example/tpp' },
      { type: 'ip', value: '192.0.2.7' },
      { type: 'ip', value: '2001:db8::7' },
      { type: 'email', value: 'Ops@Bank.example' },
      { type: 'dns', value: '*.wild.example' },
    ],
  })
  const has = (kind: 'dns' | 'uri' | 'ip' | 'email', value: string) =>
    hasAlternativeName(facts.alternativeNames, kind, value)
  assert.ok(has('dns', 'api.EXAMPLE'))
  assert.ok(has('uri', 'spiffe://bank.example/tpp'))
  assert.ok(!has('uri', 'SPIFFE://bank.example/tpp'))
  assert.ok(has('ip', '192.0.2.7'))
  assert.ok(has('ip', '2001:DB8:0:0:0:0:0:7'))
  assert.ok(!has('ip', '::ffff:192.0.2.7'))
  assert.ok(has('email', 'Ops@bank.EXAMPLE'))
  assert.ok(!has('email', 'ops@bank.example'))
  assert.ok(!has('dns', 'a.wild.example'))
  // The same text under another kind is another name.
  assert.ok(!has('dns', '192.0.2.7'))
  assert.ok(!has('email', 'api.example'))
  assert.ok(!has('uri', 'api.example'))
})

const wrongNames = [
  ['dns', '*.example'],
  ['dns', 'a..b'],
  ['dns', 'a b'],
  ['uri', 'not a uri'],
  ['ip', '192.0.2.07'],
  ['ip', '192.0.2'],
  ['ip', 'fe80::1%eth0'],
  ['ip', 'example'],
  ['email', 'nobody'],
] as const
for (const [kind, text] of wrongNames)
  test(`no ${kind} to register: ${text}`, () => assert.notEqual(alternativeNameProblem(kind, text), null))

test('RFC 7638: the key of a certificate is known by the same thumbprint as its JWK', async () => {
  for (const algorithm of ['ECDSA', 'RSASSA-PKCS1-v1_5'] as const) {
    const { facts } = await make({ by: null, algorithm })
    const jwk: Record<string, unknown> = { ...new X509Certificate(facts.der).publicKey.export({ format: 'jwk' }) }
    const members = algorithm === 'ECDSA' ? ['crv', 'kty', 'x', 'y'] : ['e', 'kty', 'n']
    const canonical = JSON.stringify(Object.fromEntries(members.map((name) => [name, jwk[name]])))
    assert.equal(facts.keyThumbprint, createHash('sha256').update(canonical).digest('base64url'))
  }
})

test('bytes behind a certificate, or PEM of it, are no certificate', () => {
  assert.equal(readCertificate(Buffer.concat([example, Buffer.from([0])])), null)
  assert.equal(readCertificate(Buffer.from(new X509Certificate(example).toString())), null)
  assert.equal(readCertificate(new Uint8Array()), null)
})

test('a certificate with any byte changed is read as another or not at all, and nothing is thrown', async () => {
  const { facts } = await make({ by: null, names: [{ type: 'dns', value: 'a.example' }], days: [-1, 1] })
  assert.ok(facts.notBefore < now)
  fc.assert(
    fc.property(fc.nat(facts.der.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const bytes = Buffer.from(facts.der)
      bytes[at] = (bytes[at] ?? 0) ^ change
      assert.notEqual(readCertificate(bytes)?.thumbprint, facts.thumbprint)
    }),
  )
})

test('whatever bytes come, reading them ends and does not throw', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => assert.equal(readCertificate(bytes), null)))
})
