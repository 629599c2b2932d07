/** The server's certificate: the configured one, or one issued by a local CA in the data folder. */
import { constants, X509Certificate, createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, type SecureContextOptions, type Server, type TlsOptions } from 'node:tls'
import { loopbackHosts } from '@grantor/protocol/http'
import type { Settings } from '../config/settings.ts'
import { StartError } from '../start-error.ts'
import type { CertificateAndKey } from './issue-certificate.ts'
import { localCertificate, localCertificateFiles } from './local-ca.ts'

export interface Certificate extends CertificateAndKey {
  /** The local CA's certificate file, where there is one. */
  readonly caFile: string | null
}

/** TLS 1.2 with ECDHE and AES-GCM only (RFC 9325 §4.2); the suites of TLS 1.3 are all of that kind. */
export const tlsOptions: SecureContextOptions = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
  ].join(':'),
  honorCipherOrder: true,
}

/**
 * A client certificate is requested but not verified here, because client authentication also accepts self-signed ones.
 * Every connection has one full handshake: a resumed session would show a certificate that another connection proved,
 * under authorities that may no longer be trusted.
 */
export const mtlsOptions: TlsOptions = {
  requestCert: true,
  rejectUnauthorized: false,
  secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
}

/**
 * Uses the certificate for new connections; open ones keep theirs. Throws, without a change, where TLS cannot use it.
 */
export function showCertificate(
  server: Server,
  { cert, key }: CertificateAndKey,
  own: SecureContextOptions = {},
): void {
  const options = { ...tlsOptions, ...own, cert, key }
  createSecureContext(options)
  server.setSecureContext(options)
}

/** The files of certificate and key. */
export const certificateFiles = ({ tlsCert, tlsKey, data }: Settings): readonly string[] =>
  tlsCert !== null && tlsKey !== null ? [tlsCert, tlsKey] : localCertificateFiles(data)

export async function loadCertificate(settings: Settings, issuerHost: string, now: number): Promise<Certificate> {
  const { tlsCert, tlsKey, data, host } = settings
  if (tlsCert !== null && tlsKey !== null) return { ...givenCertificate(tlsCert, tlsKey, now), caFile: null }
  return localCertificate({ data, names: namesOf(host, issuerHost), now })
}

function givenCertificate(certFile: string, keyFile: string, now: number): CertificateAndKey {
  const cert = readPem(certFile, 'GRANTOR_TLS_CERT')
  const key = readPem(keyFile, 'GRANTOR_TLS_KEY')
  let leaf: X509Certificate
  let fits: boolean
  try {
    leaf = new X509Certificate(cert)
    fits = leaf.checkPrivateKey(createPrivateKey(key))
  } catch {
    throw new StartError(`${certFile} and ${keyFile} are not a certificate and its private key in PEM`)
  }
  if (!fits) throw new StartError(`${keyFile} is not the private key of ${certFile}`)
  const unusable = tlsProblem({ cert, key })
  if (unusable !== null) throw new StartError(`${certFile} cannot be used for TLS (${unusable})`)
  if (leaf.validFromDate.getTime() > now) throw new StartError(`${certFile} is not valid before ${leaf.validFrom}`)
  if (leaf.validToDate.getTime() <= now) throw new StartError(`${certFile} expired on ${leaf.validTo}`)
  return { cert, key }
}

/** The whole chain is sent to clients, so the certificates after the first must be valid, too. */
function tlsProblem(pair: CertificateAndKey): string | null {
  try {
    createSecureContext({ ...tlsOptions, ...pair })
    return null
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code ?? String(cause)
  }
}

function readPem(path: string, setting: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new StartError(`${setting}: ${path} cannot be read (${(cause as NodeJS.ErrnoException).code})`, { cause })
  }
}

/** All names that a local client may use, the host of the issuer, and the address we listen on. */
function namesOf(host: string, issuerHost: string): readonly string[] {
  const bare = (name: string): string => name.replace(/^\[|\]$/g, '')
  const own = host === '0.0.0.0' || host === '::' ? [] : [bare(host)]
  return [...new Set([...[...loopbackHosts, issuerHost].map(bare), ...own])]
}
