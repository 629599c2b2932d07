/** A client as the conformance suite plays it: its keys and its certificate, made for one run (by `openssl`). */
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serverAt } from './certification.ts'

interface Certificate {
  readonly cert: string
  readonly key: string
}

export interface SuiteClient {
  readonly id: string
  readonly jwks: { readonly keys: readonly object[] }
  readonly publicKeys: readonly object[]
  readonly certificate: Certificate
}

function makeCertificate(folder: string, name: string): Certificate {
  const file = (kind: string) => join(folder, `${name}.${kind}.pem`)
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-subj', `/CN=${name}`]
  const use = ['-addext', 'extendedKeyUsage=clientAuth']
  execFileSync('openssl', [...made, ...use, '-keyout', file('key'), '-out', file('cert')], { stdio: 'ignore' })
  return { cert: readFileSync(file('cert'), 'utf8'), key: readFileSync(file('key'), 'utf8') }
}

/** Signs with PS256, and shows a certificate of its own. */
export function makeClient(folder: string, id: string): SuiteClient {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const use = { kid: `${id}-key`, alg: 'PS256', use: 'sig' }
  const certificate = makeCertificate(folder, id)
  const shown = new X509Certificate(certificate.cert)
  const x5c = [shown.raw.toString('base64')]
  return {
    id,
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), ...use }] },
    publicKeys: [
      { ...publicKey.export({ format: 'jwk' }), ...use },
      { ...shown.publicKey.export({ format: 'jwk' }), kid: `${id}-certificate`, x5c },
    ],
    certificate,
  }
}

/** What every plan for two clients of one server is given: who they are, and what it asks as them. */
export const planFor = (
  { name, issuer }: { readonly name: string; readonly issuer: string },
  [one, other]: readonly [SuiteClient, SuiteClient],
  asked: object,
): object => ({
  alias: name,
  description: 'Grantor',
  server: serverAt(issuer),
  client: { client_id: one.id, jwks: one.jwks, ...asked },
  client2: { client_id: other.id, jwks: other.jwks, ...asked },
  mtls: one.certificate,
  mtls2: other.certificate,
})
