/** What a certificate says, and what cannot be one. */
import assert from 'node:assert/strict'
import { createHash, X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { Extension } from '@peculiar/x509'
import fc from 'fast-check'
import {
  alternativeNameKinds,
  alternativeNameProblem,
  hasAlternativeName,
  readAlternativeNames,
} from '../../src/mtls/alternative-name.ts'
import { readCertificate } from '../../src/mtls/certificate.ts'
import { issue, make, now } from './certificates.ts'

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

const longHost = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`
const rightNames = [
  ['dns', 'api.example'],
  ['dns', longHost],
  ['uri', 'urn:x'],
  ['uri', 'spiffe://a/b'],
  ['ip', '192.0.2.7'],
  ['ip', '::'],
  ['email', 'ops@bank.example'],
] as const
for (const [kind, text] of rightNames)
  test(`a name to register, ${kind}: ${text}`, () => assert.equal(alternativeNameProblem(kind, text), null))
test('a host name has 253 characters at most, a label 63', () => {
  assert.equal(longHost.length, 253)
  assert.notEqual(alternativeNameProblem('dns', `${longHost}d`), null)
  assert.notEqual(alternativeNameProblem('dns', 'a'.repeat(64)), null)
  assert.deepEqual(alternativeNameKinds, ['dns', 'uri', 'ip', 'email'])
})

const alternativeNames: readonly (readonly [title: string, value: string, names: readonly object[] | null])[] = [
  ['a mail address', '30 03 81 01 61', [{ kind: 'email', value: 'a' }]],
  ['a host and a name of another kind', '30 06 88 01 2a 82 01 62', [{ kind: 'dns', value: 'b' }]],
  ['a URI', '30 03 86 01 63', [{ kind: 'uri', value: 'c' }]],
  ['an address of four octets', '30 06 87 04 00 00 02 07', [{ kind: 'ip', value: '00000207' }]],
  ['an address of five', '30 07 87 05 c0 00 02 07 01', null],
  ['a host that is no ASCII', '30 03 82 01 e4', null],
  ['one that is none among others', '30 06 82 01 62 82 01 e4', null],
  ['no name', '30 00', null],
  ['no list', '31 03 81 01 61', null],
  ['more behind the list', '30 03 81 01 61 05 00', null],
]
for (const [title, value, names] of alternativeNames)
  test(`RFC 5280 §4.2.1.6: ${title}`, () => assert.deepEqual(readAlternativeNames(hex(value)), names))

test('RFC 8705 §2.1.2: an address is its octets, those that are zero too', () => {
  const ip = (value: string) => [{ kind: 'ip', value } as const]
  assert.ok(hasAlternativeName(ip('00000207'), 'ip', '0.0.2.7'))
  assert.ok(hasAlternativeName(ip('00000000000000000000000000000001'), 'ip', '::1'))
  assert.ok(!hasAlternativeName([{ kind: 'email', value: 'a@b' }], 'email', 'a@c'))
  assert.ok(!hasAlternativeName([{ kind: 'email', value: 'a@b' }], 'email', 'aa@b'))
})

/** Signed by itself with RSA-PSS over SHA-384; its key is kept nowhere. */
const pssExample = Buffer.from(
  'MIICXDCCAZGgAwIBAgIUMp9ws7TWQWnZZbziV3Ey0CQOZJ8wQQYJKoZIhvcNAQEKMDSgDzANBglghkgBZQMEAgIFAKEcMBoGCSqGSIb3DQEBCDANBglghkgBZQMEAgIFAKIDAgFOMAwxCjAIBgNVBAMMAWEwHhcNMjYxMTE2MTMwNzE5WhcNMzYxMTEzMTMwNzE5WjAMMQowCAYDVQQDDAFhMIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDWocUeGzgAKlLX8AgFqjRBCDel6tyeAEjDOKpCPJAp1yK8OgpMH7Zn9/OpkTbrl5EEzMXPbBZeG0GORllYWvc+kOLaYpd1yNwQG+0q9BGT3B+CdRLab9e0XKDO9uvsuxKSGZouY8KIRyZMrM+I9qNvz7zNSqWabC4/XMoP34Cf/wIDAQABo1MwUTAdBgNVHQ4EFgQU2YqBQ7q66okBWZrEJlRxXjAITIQwHwYDVR0jBBgwFoAU2YqBQ7q66okBWZrEJlRxXjAITIQwDwYDVR0TAQH/BAUwAwEB/zBBBgkqhkiG9w0BAQowNKAPMA0GCWCGSAFlAwQCAgUAoRwwGgYJKoZIhvcNAQEIMA0GCWCGSAFlAwQCAgUAogMCAU4DgYEAxci2Xz2v1jjoAJB7DrnxmsBKLpybOyyDELK+h7hO3QfiWzN0HdYNHzip1sxr0ytLz7itUV+4I8GoJQ+2li+W67LTgcE+i01OLV0JB+rj8EEmEXSE9oGGV3kzMZ7Gk4csdafVJZHbxvT0O31+a8xM8ed5bfNiRh2Iq0aDHgW6Oms=',
  'base64',
)
test('RFC 4055 §3.1: RSA-PSS is known by its digest too, and has SHA-1 where it names none', async () => {
  const { x509 } = await issue({ by: null, algorithm: 'RSASSA-PKCS1-v1_5' })
  const bytes = Buffer.from(x509.rawData)
  const pkcs1 = hex('30 0d 06 09 2a 86 48 86 f7 0d 01 01 0b 05 00')
  /** As it is inside and outside, so that lengths stay: an empty sequence of parameters is as long as null. */
  const pss = hex('30 0d 06 09 2a 86 48 86 f7 0d 01 01 0a 30 00')
  for (let at = bytes.indexOf(pkcs1); at >= 0; at = bytes.indexOf(pkcs1, at)) pss.copy(bytes, at)
  assert.equal(readCertificate(bytes)?.signatureAlgorithm, '1.2.840.113549.1.1.10 sha1')
  assert.equal(readCertificate(pssExample)?.signatureAlgorithm, '1.2.840.113549.1.1.10 2.16.840.1.101.3.4.2.2')
  // Only under [0] is it the digest of the signature.
  const other = Buffer.from(pssExample)
  const [digest, mask] = [hex('a0 0f 30 0d 06 09'), hex('a4 0f 30 0d 06 09')]
  for (let at = other.indexOf(digest); at >= 0; at = other.indexOf(digest, at)) mask.copy(other, at)
  assert.equal(readCertificate(other)?.signatureAlgorithm, '1.2.840.113549.1.1.10 sha1')
})

test('RFC 7638: the key of a certificate is known by the same thumbprint as its JWK', async () => {
  for (const algorithm of ['ECDSA', 'RSASSA-PKCS1-v1_5'] as const) {
    const { facts } = await make({ by: null, algorithm })
    const jwk: Record<string, unknown> = { ...new X509Certificate(facts.der).publicKey.export({ format: 'jwk' }) }
    const members = algorithm === 'ECDSA' ? ['crv', 'kty', 'x', 'y'] : ['e', 'kty', 'n']
    const canonical = JSON.stringify(Object.fromEntries(members.map((name) => [name, jwk[name]])))
    assert.equal(facts.keyThumbprint, createHash('sha256').update(canonical).digest('base64url'))
  }
})

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

/** The one place in the certificate that has these bytes gets others, as many; nobody looks at its signature here. */
function changed(certificate: Uint8Array, from: Uint8Array | string, to: Uint8Array | string): Buffer {
  const bytes = Buffer.from(certificate)
  const [was, becomes] = [Buffer.from(from), Buffer.from(to)]
  const place = bytes.indexOf(was)
  assert.ok(place >= 0 && bytes.indexOf(was, place + 1) < 0 && was.length === becomes.length)
  becomes.copy(bytes, place)
  return bytes
}

const utcTimes: readonly (readonly [notBefore: string, at: string | null])[] = [
  ['200114225533Z', '2020-01-14T22:55:33.000Z'],
  ['490114225533Z', '2049-01-14T22:55:33.000Z'],
  ['500114225533Z', '1950-01-14T22:55:33.000Z'],
  ['991231235959Z', '1999-12-31T23:59:59.000Z'],
  ['201314225533Z', null],
  ['200114225533z', null],
  ['2001142255+00', null],
  ['2001142255330', null],
  ['2O0114225533Z', null],
]
for (const [text, time] of utcTimes)
  test(`RFC 5280 §4.1.2.5.1: UTCTime ${text} → ${time ?? 'no certificate'}`, () => {
    const facts = readCertificate(changed(example, '200114225533Z', text))
    assert.equal(facts === null ? null : new Date(facts.notBefore).toISOString(), time)
  })

test('RFC 5280 §4.1.2.5.2: from 2050 on a time has four digits of a year, and is of no other form', async () => {
  const { facts } = await make({ by: null, days: [-1, 365.25 * 25] })
  const { der, notAfter } = facts
  assert.equal(new Date(notAfter).toISOString(), '2055-01-01T06:00:00.000Z')
  const rest = [
    ['20550101060000Z', '20551301060000Z'],
    ['20550101060000Z', '2055010106000.Z'],
    ['20550101060000Z', '205501010600000'],
    ['20550101060000Z', '205501010600+00'],
  ] as const
  for (const [from, to] of rest) assert.equal(readCertificate(changed(der, from, to)), null, to)
  // Each form only under its own tag.
  assert.equal(readCertificate(changed(example, '\x17\x0d200114225533Z', '\x18\x0d200114225533Z')), null)
  assert.equal(readCertificate(changed(der, '\x18\x0f20550101060000Z', '\x17\x0f20550101060000Z')), null)
  // Nor is what other readers of dates would make something of.
  assert.equal(readCertificate(changed(der, '\x18\x0f20550101060000Z', '\x17\x0f01-01-01T00:00Z')), null)
  assert.equal(readCertificate(changed(der, '20550101060000Z', '2055-1-01 06:00')), null)
})

test('RFC 5280 §4.2: of its extensions each says one thing, and none comes twice', () => {
  const basic = '06 03 55 1d 13 04 02 30 00'
  const facts = (from: string, to: string) => readCertificate(changed(example, hex(from), hex(to)))
  // Basic constraints: an empty list names no authority; what is no list is no certificate.
  assert.equal(facts(basic, basic)?.isAuthority, false)
  assert.equal(facts(basic, '06 03 55 1d 13 04 02 31 00'), null)
  assert.equal(facts(basic, '06 03 55 1d 13 04 02 05 00'), null)
  assert.equal(facts(basic, '06 03 55 1d 0f 04 02 30 00'), null)
  assert.equal(facts(basic, '06 03 55 1d 13 05 02 30 00'), null)
  // Not understood, but not critical either.
  assert.deepEqual(facts(basic, '06 03 55 1d 1e 04 02 30 00')?.notUnderstood, [])
  const usage = '06 03 55 1d 0f 01 01 ff 04 04 03 02 06 c0'
  assert.deepEqual(facts(usage, '06 03 55 1d 1e 01 01 ff 04 04 03 02 06 c0')?.notUnderstood, ['2.5.29.30'])
  assert.deepEqual(facts(usage, '06 03 55 1d 1e 01 01 00 04 04 03 02 06 c0')?.notUnderstood, [])
  assert.deepEqual(facts(usage, '06 03 55 1d 20 01 01 ff 04 04 03 02 06 c0')?.notUnderstood, [])
  assert.equal(facts(usage, '06 03 55 1d 0f 01 01 ff 04 04 04 02 06 c0'), null)
  assert.equal(facts(usage, '06 03 55 1d 0f 01 01 ff 04 04 03 02 07 80')?.keyUsage, 0x80)
  const purposes = '06 03 55 1d 25 04 0c 30 0a 06 08 2b 06 01 05 05 07 03 02'
  assert.equal(facts(purposes, '06 03 55 1d 25 04 0c 30 0a 04 08 2b 06 01 05 05 07 03 02'), null)
  assert.equal(facts(purposes, '06 03 55 1d 25 04 0c 31 0a 06 08 2b 06 01 05 05 07 03 02'), null)
  assert.equal(facts(purposes, '06 03 55 1d 1e 04 0c 30 0a 06 08 2b 06 01 05 05 07 03 02')?.extendedKeyUsage, null)
})

test('RFC 5280 §4.2.1.9: who says nothing of it is no authority', async () => {
  const { facts } = await make({ by: null })
  assert.deepEqual([facts.isAuthority, facts.pathLength], [false, null])
})

const authorities: readonly (readonly [title: string, value: string, as: readonly [boolean, number | null] | null])[] =
  [
    ['an authority', '30 03 01 01 ff', [true, null]],
    ['none', '30 03 01 01 00', [false, null]],
    ['nothing said', '30 00', [false, null]],
    ['with none below', '30 06 01 01 ff 02 01 00', [true, 0]],
    ['with as many below as one octet holds', '30 06 01 01 ff 02 01 7f', [true, 127]],
    ['fewer than none below', '30 06 01 01 ff 02 01 80', null],
    ['more below than anybody has', '30 07 01 01 ff 02 02 01 00', null],
    ['a number without any', '30 05 01 01 ff 02 00', null],
    ['a third member', '30 09 01 01 ff 02 01 00 02 01 00', null],
    ['no list', '01 01 ff', null],
  ]
for (const [title, value, as] of authorities)
  test(`RFC 5280 §4.2.1.9: basic constraints, ${title}`, async () => {
    const { x509 } = await issue({ by: null, more: [new Extension('2.5.29.19', true, hex(value))] })
    const known = readCertificate(new Uint8Array(x509.rawData))
    assert.deepEqual(known === null ? null : [known.isAuthority, known.pathLength], as)
  })

test('RFC 5280 §4.1.1.2: a certificate says the same algorithm outside and inside what is signed', () => {
  const algorithm = hex('30 0a 06 08 2a 86 48 ce 3d 04 03 02')
  const bytes = Buffer.from(example)
  const inside = bytes.indexOf(algorithm)
  bytes[inside + algorithm.length - 1] = 3
  assert.equal(readCertificate(bytes), null)
  const outside = bytes.indexOf(algorithm, inside + 1)
  bytes[outside + algorithm.length - 1] = 3
  assert.equal(readCertificate(bytes)?.signatureAlgorithm, '1.2.840.10045.4.3.3')
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
