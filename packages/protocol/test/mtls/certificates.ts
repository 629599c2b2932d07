/** Certificates for tests: an authority, and whatever it issues. Keys are made for the run and kept nowhere. */
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { type CertificateFacts, readCertificate } from '../../src/mtls/certificate.ts'

export interface MadeCertificate {
  readonly facts: CertificateFacts
  readonly x509: x509.X509Certificate
  readonly keys: webcrypto.CryptoKeyPair
}

export interface CertificateWish {
  /** Attributes of the subject, the most general first. */
  readonly subject?: x509.JsonName
  readonly names?: readonly x509.JsonGeneralName[]
  readonly days?: readonly [from: number, to: number]
  /** Null signs with its own key. */
  readonly by: MadeCertificate | null
  readonly authority?: { readonly pathLength?: number }
  readonly usage?: x509.KeyUsageFlags | null
  readonly purposes?: readonly string[] | null
  readonly more?: readonly x509.Extension[]
  readonly digest?: 'SHA-1' | 'SHA-256'
  readonly algorithm?: 'ECDSA' | 'RSASSA-PKCS1-v1_5'
  readonly keys?: webcrypto.CryptoKeyPair
}

export const now = Date.UTC(2030, 0, 1)
const day = 86_400_000

export async function make(wish: CertificateWish): Promise<MadeCertificate> {
  const made = await issue(wish)
  const facts = readCertificate(new Uint8Array(made.x509.rawData))
  if (facts === null) throw new Error('the certificate of a test cannot be read')
  return { facts, ...made }
}

/** Whether or not it can be read. */
export async function issue(wish: CertificateWish): Promise<Omit<MadeCertificate, 'facts'>> {
  const { by, authority, days = [-1, 1], digest = 'SHA-256', algorithm = 'ECDSA' } = wish
  x509.cryptoProvider.set(webcrypto)
  const keys = wish.keys ?? (await keyPair(algorithm))
  const subject = new x509.Name(wish.subject ?? [{ CN: ['client'] }])
  const { digitalSignature, keyCertSign } = x509.KeyUsageFlags
  const usage = wish.usage === undefined ? (authority === undefined ? digitalSignature : keyCertSign) : wish.usage
  const purposes = wish.purposes === undefined && authority === undefined ? [clientAuth] : wish.purposes
  const made = await x509.X509CertificateGenerator.create({
    serialNumber: '01',
    subject,
    issuer: by === null ? subject : by.x509.subjectName,
    notBefore: new Date(now + days[0] * day),
    notAfter: new Date(now + days[1] * day),
    publicKey: keys.publicKey,
    signingKey: (by?.keys ?? keys).privateKey,
    signingAlgorithm: { name: by === null ? algorithm : by.keys.privateKey.algorithm.name, hash: digest },
    extensions: [
      ...(authority === undefined ? [] : [new x509.BasicConstraintsExtension(true, authority.pathLength, true)]),
      ...(usage === null ? [] : [new x509.KeyUsagesExtension(usage, true)]),
      ...(purposes === null || purposes === undefined ? [] : [new x509.ExtendedKeyUsageExtension([...purposes])]),
      ...(wish.names === undefined ? [] : [new x509.SubjectAlternativeNameExtension([...wish.names])]),
      ...(wish.more ?? []),
    ],
  })
  return { x509: made, keys }
}

export const clientAuth = '1.3.6.1.5.5.7.3.2'
export const serverAuth = '1.3.6.1.5.5.7.3.1'

const keyPair = (name: 'ECDSA' | 'RSASSA-PKCS1-v1_5'): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(
    name === 'ECDSA'
      ? { name, namedCurve: 'P-256' }
      : { name, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
    true,
    ['sign', 'verify'],
  )
