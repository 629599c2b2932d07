/** Certificates in headers: three spellings of one, and everything that is none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type CertificateHeaderFormat,
  certificateHeaderFormats,
  forwardedCertificate,
  readCertificateHeader,
} from '../../src/mtls/certificate-header.ts'
import { certificateThumbprint } from '../../src/mtls/thumbprint.ts'

/** RFC 9440 appendix A: the client's certificate of its example. */
const base64 =
  'MIIBqDCCAU6gAwIBAgIBBzAKBggqhkjOPQQDAjA6MRswGQYDVQQKDBJMZXQncyBBdXRoZW50aWNhdGUxGzAZBgNVBAMMEkxBIEludGVybWVkaWF0ZSBDQTAeFw0yMDAxMTQyMjU1MzNaFw0yMTAxMjMyMjU1MzNaMA0xCzAJBgNVBAMMAkJDMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8YnXXfaUgmnMtOXU/IncWalRhebrXmckC8vdgJ1p5Be5F/3YC8OthxM4+k1M6aEAEFcGzkJiNy6J84y7uzo9M6NyMHAwCQYDVR0TBAIwADAfBgNVHSMEGDAWgBRm3WjLa38lbEYCuiCPct0ZaSED2DAOBgNVHQ8BAf8EBAMCBsAwEwYDVR0lBAwwCgYIKwYBBQUHAwIwHQYDVR0RAQH/BBMwEYEPYmRjQGV4YW1wbGUuY29tMAoGCCqGSM49BAMCA0gAMEUCIBHda/r1vaL6G3VliL4/Di6YK0Q6bMjeSkC3dFCOOB8TAiEAx/kHSB4urmiZ0NX5r5XarmPk0wmuydBVoU4hBVZ1yhk='
const der = Buffer.from(base64, 'base64')
const pem = `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g)?.join('\n') ?? ''}\n-----END CERTIFICATE-----\n`
const escaped = encodeURIComponent(pem)
const read = (format: CertificateHeaderFormat, value: string) => {
  const bytes = readCertificateHeader(format, value)
  return bytes === null ? null : Buffer.from(bytes).equals(der)
}

const good: readonly [string, CertificateHeaderFormat, string][] = [
  ['RFC 9440 §2.1: a byte sequence', 'rfc9440', `:${base64}:`],
  ['nginx: PEM, percent-encoded', 'pem-urlencoded', escaped],
  ['Envoy: the certificate among other facts', 'xfcc', `Hash=abc;Cert="${escaped}";Subject="CN=a,O=b;c";URI=`],
  [
    'Envoy: the last of several proxies',
    'xfcc',
    `By=x;Hash=y;Cert="${encodeURIComponent('nothing')}",Cert="${escaped}"`,
  ],
]
for (const [what, format, value] of good) test(what, () => assert.equal(read(format, value), true))

const bad: readonly [string, CertificateHeaderFormat, string][] = [
  ['nothing', 'rfc9440', ''],
  ['base64 without colons', 'rfc9440', base64],
  ['two byte sequences', 'rfc9440', `:${base64}:, :${base64}:`],
  ['parameters', 'rfc9440', `:${base64}:;a=1`],
  ['bytes that are no certificate', 'rfc9440', ':AAAA:'],
  ['the spelling of another proxy', 'rfc9440', escaped],
  ['PEM as it is', 'pem-urlencoded', `:${base64}:`],
  ['two certificates', 'pem-urlencoded', escaped + escaped],
  ['a private key', 'pem-urlencoded', encodeURIComponent(pem.replaceAll('CERTIFICATE', 'PRIVATE KEY'))],
  ['broken escapes', 'pem-urlencoded', `${escaped}%G1`],
  ['no certificate', 'xfcc', 'Hash=abc;Subject="CN=a"'],
  ['two in one element', 'xfcc', `Cert="${escaped}";Cert="${escaped}"`],
  ['one that only an earlier proxy saw', 'xfcc', `Cert="${escaped}",Hash=abc`],
  ['something behind a quoted value', 'xfcc', `Cert="${escaped}";Subject="CN=a"x`],
  ['one inside a quoted subject', 'xfcc', `Subject="CN=a;Cert=${escaped}"`],
  ['one behind a quote that is not finished', 'xfcc', `Subject="CN=a;Cert=${escaped}`],
  ['too long', 'pem-urlencoded', `${escaped}${'%0A'.repeat(10_000)}`],
]
for (const [what, format, value] of bad)
  test(`no certificate: ${what} (${format})`, () => assert.equal(read(format, value), null))

test('a header of the greatest length is read, a longer one is not', () => {
  const padded = (length: number) => escaped + ' '.repeat(length - escaped.length)
  assert.equal(read('pem-urlencoded', padded(16_384)), true)
  assert.equal(read('pem-urlencoded', padded(16_385)), null)
})

test('what a proxy says by its header: a certificate, none, or nothing that can be believed', () => {
  const line = `:${base64}:`
  const said = (...lines: readonly string[]) => {
    const certificate = forwardedCertificate('rfc9440', lines)
    if (certificate.kind === 'error') return certificate.error
    return certificate.value === null ? null : Buffer.from(certificate.value).equals(der)
  }
  assert.equal(said(), null)
  assert.equal(said(''), null)
  assert.equal(said(line), true)
  assert.equal(said('x'), 'unreadable')
  assert.equal(said(line, line), 'unreadable')
  assert.equal(said('', line), 'unreadable')
  assert.deepEqual(certificateHeaderFormats, ['rfc9440', 'pem-urlencoded', 'xfcc'])
})

test('whatever a header holds, reading it ends and does not throw', () => {
  fc.assert(
    fc.property(fc.constantFrom(...certificateHeaderFormats), fc.string({ unit: 'binary' }), (format, text) => {
      assert.equal(readCertificateHeader(format, text), null)
    }),
  )
})

test('RFC 8705 §3.1: the thumbprint is of the DER', () => {
  assert.match(certificateThumbprint(der), /^[\w-]{43}$/)
})
