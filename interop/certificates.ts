/** Certificates of clients, of the authorities they trust, and of proxies. */
import { createHash, KeyObject, webcrypto, X509Certificate } from 'node:crypto'
import {
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  SubjectAlternativeNameExtension,
  X509Certificate as ReadCertificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

export interface Certificate {
  /** PEM. */
  readonly cert: string
  readonly key: string
  readonly keys: webcrypto.CryptoKeyPair
}

export interface CertificateWish {
  readonly name: string
  /** Left out, it signs itself. */
  readonly signer?: Certificate
  readonly authority?: boolean
  /** Of a server. */
  readonly host?: string
  /** Days from now to its end; below zero it is over already. */
  readonly days?: number
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const day = 86_400_000

export async function newCertificate(wish: CertificateWish): Promise<Certificate> {
  const { name, signer, authority = false, host, days = 2 } = wish
  cryptoProvider.set(webcrypto)
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const purpose = host === undefined ? ExtendedKeyUsage.clientAuth : ExtendedKeyUsage.serverAuth
  const made = await X509CertificateGenerator.create({
    subject: `CN=${name}`,
    issuer: signer === undefined ? `CN=${name}` : new ReadCertificate(signer.cert).subject,
    notBefore: new Date(Date.now() - 10 * day),
    notAfter: new Date(Date.now() + days * day),
    publicKey: keys.publicKey,
    signingKey: (signer?.keys ?? keys).privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(authority, undefined, true),
      ...(authority ? [] : [new ExtendedKeyUsageExtension([purpose])]),
      ...(host === undefined ? [] : [new SubjectAlternativeNameExtension([{ type: 'dns', value: host }])]),
    ],
  })
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' })
  return { cert: `${made.toString('pem')}\n`, key, keys }
}

export const derOf = ({ cert }: Certificate): Buffer => new X509Certificate(cert).raw
/** `x5t#S256`. */
export const thumbprintOf = (it: Certificate): string => createHash('sha256').update(derOf(it)).digest('base64url')
/** What a client registers that makes its certificates itself. */
export const jwkOf = ({ keys }: Certificate): Promise<webcrypto.JsonWebKey> =>
  webcrypto.subtle.exportKey('jwk', keys.publicKey)
