/** Where a certificate leads: to an authority that is trusted, or nowhere. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { X509Certificate } from 'node:crypto'
import { Extension } from '@peculiar/x509'
import { certificatePath, mostSentAlong, readCertificates, validityProblem } from '../../src/mtls/certificate-path.ts'
import { ok } from '../../src/result.ts'
import type { Instant } from '../../src/types.ts'
import { clientAuth, make, type MadeCertificate, now, serverAuth } from './certificates.ts'

const problemOf = (
  shown: MadeCertificate,
  trusted: readonly MadeCertificate[],
  sentAlong: readonly MadeCertificate[] = [],
): string | null => {
  const path = certificatePath({
    certificate: shown.facts,
    sentAlong: sentAlong.map(({ facts }) => facts),
    trusted: trusted.map(({ facts }) => facts),
    now: now as Instant,
  })
  return path.kind === 'ok' ? null : path.error
}

const unknownCritical = new Extension('1.2.3.4', true, new Uint8Array([5, 0]))
const nameConstraints = new Extension('2.5.29.30', true, new Uint8Array([0x30, 0x00]))

describe('the path of a certificate', () => {
  let root: MadeCertificate
  let other: MadeCertificate
  let between: MadeCertificate
  let leaf: MadeCertificate
  before(async () => {
    root = await make({ by: null, subject: [{ CN: ['root'] }], authority: {} })
    // The same name and another key: what it signs is not the other's.
    other = await make({ by: null, subject: [{ CN: ['root'] }], authority: {} })
    between = await make({ by: root, subject: [{ CN: ['between'] }], authority: { pathLength: 0 } })
    leaf = await make({ by: between })
  })

  test('RFC 5280 §6.1: straight from a trusted authority', async () => {
    assert.equal(problemOf(await make({ by: root }), [root]), null)
  })
  test('RFC 5280 §6.1: by one between, which the client sends along or the operator trusts', () => {
    assert.equal(problemOf(leaf, [root], [between]), null)
    assert.equal(problemOf(leaf, [root], [other, root, between]), null)
    assert.equal(problemOf(leaf, [between]), null)
    assert.equal(problemOf(leaf, [root]), 'certificate_issuer')
  })
  test('RFC 5280 §6.1: the authority that is trusted is part of it, so that its times count too', () => {
    const path = certificatePath({
      certificate: leaf.facts,
      sentAlong: [between.facts],
      trusted: [root.facts],
      now: now as Instant,
    })
    assert.deepEqual(path, ok([leaf.facts, between.facts, root.facts]))
  })
  test('RFC 5280 §4.2.1.3: each bit of a usage is a right of its own, and no usage is every right', async () => {
    const used = (it: MadeCertificate, keyUsage: number | null) => ({ ...it, facts: { ...it.facts, keyUsage } })
    const one = await make({ by: root })
    for (const [shown, by, problem] of [
      [0x80, 0x04, null],
      [null, null, null],
      [0xff, 0xff, null],
      [0x7f, 0x04, 'certificate_usage'],
      [0x01, 0x04, 'certificate_usage'],
      [0x80, 0xfb, 'certificate_issuer'],
      [0x80, 0x01, 'certificate_issuer'],
    ] as const)
      assert.equal(problemOf(used(one, shown), [used(root, by)]), problem, `${shown} by ${by}`)
  })
  test('an authority that cannot be read issues nothing', async () => {
    const unreadable = { ...root, facts: { ...root.facts, der: new Uint8Array([0x30, 0x00]) } }
    assert.equal(problemOf(await make({ by: root }), [unreadable]), 'certificate_issuer')
  })
  test('no authority, another one of the same name, or only one that the client sends: nowhere', async () => {
    const one = await make({ by: root })
    assert.equal(problemOf(one, []), 'certificate_issuer')
    assert.equal(problemOf(one, [other]), 'certificate_issuer')
    assert.equal(problemOf(one, [other], [root]), 'certificate_issuer')
    assert.equal(problemOf(await make({ by: null }), [root]), 'certificate_issuer')
  })
  test('RFC 5280 §4.2.1.9: what is no authority issues nothing', async () => {
    const client = await make({ by: root })
    assert.equal(problemOf(await make({ by: client }), [root], [client]), 'certificate_issuer')
    const withoutRight = await make({ by: root, subject: [{ CN: ['no right'] }], authority: {}, usage: 1 })
    assert.equal(problemOf(await make({ by: withoutRight }), [root], [withoutRight]), 'certificate_issuer')
  })
  test('RFC 5280 §4.2.1.9: an authority has no more below it than it may', async () => {
    const deeper = await make({ by: between, subject: [{ CN: ['deeper'] }], authority: {} })
    assert.equal(problemOf(await make({ by: deeper }), [root], [deeper, between]), 'certificate_issuer')
  })
  test('RFC 5280 §4.2.1.3, §4.2.1.12: for clients, as far as it says what it is for', async () => {
    assert.equal(problemOf(await make({ by: root, purposes: [serverAuth] }), [root]), 'certificate_usage')
    assert.equal(problemOf(await make({ by: root, purposes: [serverAuth, clientAuth] }), [root]), null)
    assert.equal(problemOf(await make({ by: root, purposes: ['2.5.29.37.0'] }), [root]), null)
    assert.equal(problemOf(await make({ by: root, purposes: null }), [root]), null)
    assert.equal(problemOf(await make({ by: root, usage: 0x20 }), [root]), 'certificate_usage')
    assert.equal(problemOf(await make({ by: root, usage: null }), [root]), null)
    const servers = await make({ by: root, subject: [{ CN: ['of servers'] }], authority: {}, purposes: [serverAuth] })
    assert.equal(problemOf(await make({ by: servers }), [root], [servers]), 'certificate_issuer')
  })
  test('RFC 5280 §4.2: a critical extension that is not understood, here or on the way', async () => {
    assert.equal(problemOf(await make({ by: root, more: [unknownCritical] }), [root]), 'certificate_extension')
    const bounded = await make({ by: root, subject: [{ CN: ['b'] }], authority: {}, more: [nameConstraints] })
    assert.equal(problemOf(await make({ by: bounded }), [root], [bounded]), 'certificate_issuer')
    assert.equal(problemOf(await make({ by: bounded }), [bounded]), 'certificate_issuer')
  })
  test('a signature over SHA-1 counts for nothing', async () => {
    assert.equal(problemOf(await make({ by: root, digest: 'SHA-1' }), [root]), 'certificate_algorithm')
    const weak = await make({ by: root, subject: [{ CN: ['weak'] }], authority: {}, digest: 'SHA-1' })
    assert.equal(problemOf(await make({ by: weak }), [root], [weak]), 'certificate_issuer')
  })
  test('SHA-2 and Edwards curves are believed, by whatever key; nothing else is', () => {
    const under = (signatureAlgorithm: string) =>
      problemOf({ ...leaf, facts: { ...leaf.facts, signatureAlgorithm } }, [between])
    const rsa = ['11', '12', '13'].map((arc) => `1.2.840.113549.1.1.${arc}`)
    const rsaPss = ['1', '2', '3'].map((arc) => `1.2.840.113549.1.1.10 2.16.840.1.101.3.4.2.${arc}`)
    const ecdsa = ['2', '3', '4'].map((arc) => `1.2.840.10045.4.3.${arc}`)
    const edwards = ['1.3.101.112', '1.3.101.113']
    const mlDsa = ['17', '18', '19'].map((arc) => `2.16.840.1.101.3.4.3.${arc}`)
    for (const oid of [...rsa, ...rsaPss, ...ecdsa, ...edwards, ...mlDsa]) assert.equal(under(oid), null, oid)
    // MD5, SHA-1, SHA-224 with RSA and ECDSA; RSA-PSS with the digest that it has where none is named; none at all.
    const weak = ['1.2.840.113549.1.1.4', '1.2.840.113549.1.1.5', '1.2.840.113549.1.1.14', '1.2.840.10045.4.1']
    for (const oid of [...weak, '1.2.840.113549.1.1.10 sha1', '1.2.840.113549.1.1.10', ''])
      assert.equal(under(oid), 'certificate_algorithm', oid)
  })
  test('four authorities may stand between, and no fifth', async () => {
    const line: MadeCertificate[] = []
    for (let n = 0; n < 5; n += 1)
      line.push(
        await make({ by: line.at(-1) ?? root, subject: [{ CN: [`line ${n}`] }], authority: {}, keys: root.keys }),
      )
    const fourth = await make({ by: line[3] ?? root, keys: root.keys })
    const fifth = await make({ by: line[4] ?? root, keys: root.keys })
    assert.equal(problemOf(fourth, [root], line), null)
    assert.equal(problemOf(fifth, [root], line), 'certificate_issuer')
  })
  test('RFC 5280 §4.2.1.9: the length of the path holds for a trusted authority too', async () => {
    const keys = root.keys
    const short = await make({ by: null, subject: [{ CN: ['short'] }], authority: { pathLength: 1 }, keys })
    const first = await make({ by: short, subject: [{ CN: ['first'] }], authority: {}, keys })
    const second = await make({ by: first, subject: [{ CN: ['second'] }], authority: {}, keys })
    assert.equal(problemOf(await make({ by: first, keys }), [short], [first]), null)
    assert.equal(problemOf(await make({ by: second, keys }), [short], [first, second]), 'certificate_issuer')
  })
  test('authorities that all issue each other cost one look at each signature', async (t) => {
    const keys = root.keys
    const mesh: MadeCertificate[] = []
    for (let n = 0; n < mostSentAlong; n += 1)
      mesh.push(await make({ by: null, subject: [{ CN: ['mesh'] }], authority: {}, keys, days: [-1 - n, 1] }))
    const shown = await make({ by: mesh[0] ?? root })
    const { mock } = t.mock.method(X509Certificate.prototype, 'verify')
    assert.equal(problemOf(shown, [other], mesh), 'certificate_issuer')
    assert.ok(mock.callCount() <= mostSentAlong * mostSentAlong, String(mock.callCount()))
  })
  test('of an authority that was renewed, the certificate counts that is in its time', async () => {
    const subject = [{ CN: ['renewed'] }]
    const old = await make({ by: null, subject, authority: {}, days: [-9, -1] })
    const renewed = await make({ by: null, subject, authority: {}, keys: old.keys })
    const next = await make({ by: null, subject, authority: {}, keys: old.keys, days: [1, 9] })
    const shown = await make({ by: renewed })
    const anchorAmong = (trusted: readonly MadeCertificate[], sentAlong: readonly MadeCertificate[] = []) => {
      const [given, along] = [trusted, sentAlong].map((them) => them.map(({ facts }) => facts))
      const path = certificatePath({
        certificate: shown.facts,
        sentAlong: along ?? [],
        trusted: given ?? [],
        now: now as Instant,
      })
      return path.kind === 'ok' ? path.value.at(-1) : path.error
    }
    assert.equal(anchorAmong([old, renewed, next]), renewed.facts)
    assert.equal(anchorAmong([next, old, renewed]), renewed.facts)
    // Where there is no other, its times say what is wrong.
    assert.equal(anchorAmong([old]), old.facts)
    const above = await make({ by: root, subject, authority: {}, keys: old.keys, days: [-9, -1] })
    const within = await make({ by: root, subject, authority: {}, keys: old.keys })
    assert.equal(anchorAmong([root], [above, within]), root.facts)
  })
  test('authorities that issue each other, and more of them than are looked at, end the search', async () => {
    const circle = await make({ by: root, subject: [{ CN: ['circle'] }], authority: {}, keys: between.keys })
    const back = await make({ by: circle, subject: [{ CN: ['root'] }], authority: {}, keys: root.keys })
    assert.equal(problemOf(await make({ by: circle }), [other], [circle, back]), 'certificate_issuer')
    const crowd = Array.from({ length: mostSentAlong }, () => other)
    assert.equal(mostSentAlong, 8)
    assert.equal(problemOf(leaf, [root], [...crowd, between]), 'certificate_issuer')
    assert.equal(problemOf(leaf, [root], [...crowd.slice(1), between]), null)
  })
})

test('RFC 5280 §4.1.2.5: from its first second to the end of its last', async () => {
  const { facts } = await make({ by: null, days: [0, 1] })
  const at = (offset: number) => validityProblem(facts, (now + offset) as Instant)
  assert.equal(at(-1), 'certificate_not_yet_valid')
  assert.equal(at(0), null)
  assert.equal(at(86_400_000 + 999), null)
  assert.equal(at(86_400_000 + 1000), 'certificate_expired')
})

test('a file holds certificates, or is none', async () => {
  const one = (await make({ by: null, authority: {} })).x509.toString('pem')
  assert.equal(readCertificates(`# authorities\n${one}\n${one}\n`)?.length, 2)
  assert.equal(readCertificates(one)?.length, 1)
  assert.equal(readCertificates(''), null)
  const broken = one.replace(/[A-Za-z]{20}/, 'A'.repeat(20))
  for (const text of [broken, `${one}\n${broken}`, `${broken}\n${one}`]) assert.equal(readCertificates(text), null)
})
