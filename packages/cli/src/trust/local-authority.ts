/** The certificate of the local CA that the stores of a machine get: only the certificate, never its key. */
import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { ok } from '@grantor/protocol/result'
import { localCaFile, type Settings } from '@grantor/server'
import { type CommandResult, failure } from '../program/exit.ts'

export interface LocalAuthority {
  readonly file: string
  /** SHA-256 of the certificate, in lower-case hex. */
  readonly fingerprint: string
  /** SHA-1 of the certificate, in upper-case hex, by which macOS and Windows name certificates. */
  readonly thumbprint: string
  /** Its name in a store, which begins with `storeNamePrefix`. */
  readonly name: string
  readonly pem: string
}

/** Every certificate whose name in a store begins so was added by us. */
export const storeNamePrefix = 'Grantor local CA '

const onlyCertificate = /^\s*-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*$/

export function readLocalAuthority({ data, tlsCert }: Settings): CommandResult<LocalAuthority> {
  if (tlsCert !== null)
    return failure('invalid', 'the server shows a certificate that was given to it; there is no local CA to trust', {
      where: [`GRANTOR_TLS_CERT: ${tlsCert}`],
      fix: 'trust whoever issued that certificate',
    })
  const file = localCaFile(data)
  if (!existsSync(file))
    return failure('absent', `there is no local CA in ${data}`, {
      fix: 'start the server once, it makes one; --data names another folder',
    })
  const pem = readFileSync(file, 'utf8')
  const certificate = onlyCertificate.test(pem) ? readCertificate(pem) : null
  // Only an authority of ours: the file may have been replaced by one that no store must trust.
  if (certificate === null || !certificate.ca || !certificate.subject.startsWith(`CN=${storeNamePrefix}`))
    return failure('invalid', `${file} does not hold the certificate of a local CA and nothing else`, {
      fix: 'remove it and start the server: it makes a new one',
    })
  const fingerprint = certificate.fingerprint256.replaceAll(':', '').toLowerCase()
  return ok({
    file,
    pem,
    fingerprint,
    thumbprint: certificate.fingerprint.replaceAll(':', ''),
    name: `${storeNamePrefix}${fingerprint.slice(0, 16)}`,
  })
}

function readCertificate(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem)
  } catch {
    return null
  }
}
