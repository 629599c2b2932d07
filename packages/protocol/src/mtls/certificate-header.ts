/** The header by which a TLS-terminating proxy forwards the client certificate of a connection. */
import { X509Certificate } from 'node:crypto'
import { err, ok, type Result } from '../result.ts'

/** RFC 9440; nginx's `$ssl_client_escaped_cert`; Envoy's `x-forwarded-client-cert`. */
export const certificateHeaderFormats = ['rfc9440', 'pem-urlencoded', 'xfcc'] as const
export type CertificateHeaderFormat = (typeof certificateHeaderFormats)[number]

/** Headers with another meaning in HTTP, for this server, or for proxies. */
const takenHeaders: ReadonlySet<string> = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'dpop',
  'forwarded',
  'host',
  'origin',
  'referer',
  'transfer-encoding',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-proto',
])

/** Null for a name that a proxy may use to forward certificates. */
export function certificateHeaderNameProblem(name: string): string | null {
  if (!/^[A-Za-z\d-]{1,64}$/.test(name)) return 'must be the name of a header'
  return takenHeaders.has(name.toLowerCase()) ? `${name} means something else` : null
}

/** A single certificate always fits; a chain would not. */
const longest = 16_384

/** Reads all lines of a trusted proxy's header: the certificate as DER, null where the proxy saw none. */
export function forwardedCertificate(
  format: CertificateHeaderFormat,
  lines: readonly string[],
): Result<Uint8Array | null, 'unreadable'> {
  const [value = '', ...more] = lines
  // With two lines it is unknown which one the proxy wrote and which one a client sent.
  if (more.length > 0) return err('unreadable')
  if (value === '') return ok(null)
  const der = readCertificateHeader(format, value)
  return der === null ? err('unreadable') : ok(der)
}

/** The certificate as DER. Null for anything that is not exactly one certificate. */
export function readCertificateHeader(format: CertificateHeaderFormat, value: string): Uint8Array | null {
  if (value.length > longest) return null
  switch (format) {
    case 'rfc9440':
      return structuredBytes(value)
    case 'pem-urlencoded':
      return escapedPem(value)
    case 'xfcc':
      return forwarded(value)
  }
}

/** RFC 9440 §2.1: a structured-fields item, a byte sequence, without parameters. */
function structuredBytes(value: string): Uint8Array | null {
  const [, base64] = /^ *:([A-Za-z\d+/]+={0,2}): *$/.exec(value) ?? []
  return base64 === undefined ? null : certificate(Buffer.from(base64, 'base64'))
}

const onePem = /^-----BEGIN CERTIFICATE-----[A-Za-z\d+/=\s]+-----END CERTIFICATE-----\s*$/

function escapedPem(value: string): Uint8Array | null {
  const pem = unescaped(value)
  return pem === null || !onePem.test(pem) ? null : certificate(pem)
}

function unescaped(value: string): string | null {
  try {
    return decodeURIComponent(value)
  } catch {
    return null
  }
}

/** A value is either quoted as a whole, or not at all. */
const pair = /^\s*[A-Za-z]+=(?:"(?:[^"\\]|\\.)*"\s*|[^"]*)$/

/** Each proxy on the way appends one element: the last is that of the nearest one. */
function forwarded(value: string): Uint8Array | null {
  // An unterminated quote extends to the end, and makes its pair invalid.
  const elements = value.match(/(?:[^,"]|"(?:[^"\\]|\\.)*(?:"|\\?$))+/g) ?? []
  const pairs = elements.at(-1)?.match(/(?:[^;"]|"(?:[^"\\]|\\.)*(?:"|\\?$))+/g) ?? []
  if (!pairs.every((one) => pair.test(one))) return null
  const certificates = pairs.filter((one) => /^\s*cert=/i.test(one))
  const [, text] = /^\s*cert="?([^"]*)"?\s*$/i.exec(certificates[0] ?? '') ?? []
  return text === undefined || certificates.length > 1 ? null : escapedPem(text)
}

function certificate(encoded: string | Buffer): Uint8Array | null {
  try {
    const { raw } = new X509Certificate(encoded)
    // Extra bytes would be interpreted differently by other readers.
    return typeof encoded === 'string' || raw.equals(encoded) ? raw : null
  } catch {
    return null
  }
}
