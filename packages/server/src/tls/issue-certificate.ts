/** Issues one X.509 certificate with a fresh P-256 key: RFC 5280 as strict verifiers read it. */
import { createPrivateKey, KeyObject, randomBytes, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'

/** Certificate and private key, in PEM. */
export interface CertificateAndKey {
  readonly cert: string
  readonly key: string
}

export interface Validity {
  readonly notBefore: Date
  readonly notAfter: Date
}

export interface CertificateOptions {
  /** The subject: `CN=localhost`. */
  readonly name: string
  readonly validity: Validity
  /** Host names and addresses of a server, of a client also URIs and mail addresses; null for an authority. */
  readonly names: readonly string[] | null
  /** The use of a certificate that is not an authority's; left out, `server`. */
  readonly purpose?: 'server' | 'client'
  /** Null signs with its own key. */
  readonly signer: CertificateAndKey | null
}

const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const
const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-256' } as const

export async function issueCertificate({
  name,
  validity: life,
  names,
  signer,
  purpose = 'server',
}: CertificateOptions): Promise<CertificateAndKey> {
  const x509 = await import('@peculiar/x509') // Large, and needed once a year.
  x509.cryptoProvider.set(webcrypto)
  const keys = await webcrypto.subtle.generateKey(curve, true, ['sign', 'verify'])
  const parent = signer === null ? null : new x509.X509Certificate(signer.cert)
  const { keyCertSign, digitalSignature } = x509.KeyUsageFlags
  const made = await x509.X509CertificateGenerator.create({
    serialNumber: serial(),
    subject: name,
    issuer: parent?.subject ?? name,
    ...life,
    publicKey: keys.publicKey,
    signingKey: signer === null ? keys.privateKey : await signingKey(signer.key),
    signingAlgorithm,
    extensions: [
      names === null
        ? new x509.BasicConstraintsExtension(true, 0, true)
        : new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(names === null ? keyCertSign : digitalSignature, true),
      // RFC 5280 §4.2.1.1, §4.2.1.2: verifiers in strict mode (Python 3.13 by default) refuse a chain without these.
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(parent?.publicKey ?? keys.publicKey),
      ...(names === null
        ? []
        : [
            new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage[`${purpose}Auth`]]),
            // RFC 5280 §4.2.1.6: the extension must not be empty.
            ...(names.length === 0
              ? []
              : [new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: kindOf(value), value })))]),
          ]),
    ],
  })
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' })
  return { cert: `${made.toString('pem')}\n`, key }
}

function kindOf(name: string): 'dns' | 'ip' | 'email' | 'url' {
  if (isIP(name) !== 0) return 'ip'
  return name.includes(':') ? 'url' : name.includes('@') ? 'email' : 'dns'
}

/** RFC 5280 §4.1.2.2: positive, at most 20 octets. */
function serial(): string {
  const bytes = randomBytes(16)
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40
  return bytes.toString('hex')
}

const signingKey = (pem: string): Promise<webcrypto.CryptoKey> =>
  webcrypto.subtle.importKey('pkcs8', createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' }), curve, false, [
    'sign',
  ])
