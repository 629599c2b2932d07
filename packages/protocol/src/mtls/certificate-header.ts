/** The header by which a proxy hands on the client certificate of a connection that ended there. */
import { X509Certificate } from 'node:crypto'

/** RFC 9440; what nginx writes as `$ssl_client_escaped_cert`; `x-forwarded-client-cert` of Envoy. */
export const certificateHeaderFormats = ['rfc9440', 'pem-urlencoded', 'xfcc'] as const
export type CertificateHeaderFormat = (typeof certificateHeaderFormats)[number]

/** A chain of a few certificates would not fit; a single one always does. */
const longest = 16_384

/** The certificate as DER. Null for anything that is not exactly one: then there is none, whatever else it may be. */
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

/** RFC 9440 §2.1: an item of structured fields, a byte sequence, without parameters. */
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

/** A value is quoted whole, or not at all. */
const pair = /^\s*[A-Za-z]+=(?:"(?:[^"\\]|\\.)*"|[^"]*)\s*$/

/** One element for each proxy on the way, written behind the others: the last is what the nearest one saw. */
function forwarded(value: string): Uint8Array | null {
  const elements = value.match(/(?:[^,"]|"(?:[^"\\]|\\.)*")+/g) ?? []
  const pairs = elements.at(-1)?.match(/(?:[^;"]|"(?:[^"\\]|\\.)*")+/g) ?? []
  if (!pairs.every((one) => pair.test(one))) return null
  const certificates = pairs.filter((one) => /^\s*cert=/i.test(one))
  const [, text] = /^\s*cert="?([^"]*)"?\s*$/i.exec(certificates[0] ?? '') ?? []
  return text === undefined || certificates.length > 1 ? null : escapedPem(text)
}

function certificate(encoded: string | Buffer): Uint8Array | null {
  try {
    const { raw } = new X509Certificate(encoded)
    // Bytes that are the certificate and something more are another one to other readers.
    return typeof encoded === 'string' || raw.equals(encoded) ? raw : null
  } catch {
    return null
  }
}
