/** Certificates for tests, each its own authority. */
import { webcrypto } from 'node:crypto'
import { cryptoProvider, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509'

export interface TestCertificate {
  /** PEM. */
  readonly key: string
  readonly cert: string
}

/** `life` in milliseconds from now. The name is told as that of a host, too. */
export async function selfSigned(name: string, life = 86_400_000): Promise<TestCertificate> {
  cryptoProvider.set(webcrypto)
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = await webcrypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify'])
  const notAfter = new Date(Date.now() + life)
  const notBefore = new Date(Math.min(Date.now(), notAfter.getTime()) - 3_600_000)
  const made = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    notBefore,
    notAfter,
    keys,
    signingAlgorithm,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: name }])],
  })
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  return { cert: made.toString('pem'), key: `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----\n` }
}
