/** Compact JWS and JWT, parsed strictly (RFC 7515 §5.2, RFC 7519 §7.2, RFC 8725): one form per token, nothing ignored. */
import { isUtf8 } from 'node:buffer'
import { parseJsonObject } from '../http/json-text.ts'
import { textLimits } from '../oauth/text-limits.ts'
import type { JsonObject } from '../types.ts'

/** The header parameters that every JWT needs. */
export interface JwtHeader {
  readonly alg: string
  readonly kid: string | undefined
  /** Lower case, without `application/`; undefined when the header has none. */
  readonly typ: string | undefined
}

export interface ParsedJwt extends JwtHeader {
  /** Not trusted before the signature is verified. */
  readonly claims: JsonObject
  readonly signed: Buffer
  readonly signature: Buffer
}

/** null for anything that is not exactly one well-formed compact JWS with JSON objects in its first two parts. */
export const parseJwt = (token: string): ParsedJwt | null => parseJwtBy(headerOf, token)

/** With another function for the header, for callers that need more of it. */
export function parseJwtBy<H extends JwtHeader>(
  headerOf: (part: string) => H | null,
  token: string,
): (H & ParsedJwt) | null {
  const first = token.indexOf('.')
  const second = token.indexOf('.', first + 1)
  if (first < 1 || second < 0 || token.includes('.', second + 1)) return null
  const header = headerOf(token.slice(0, first))
  const claims = objectIn(token.slice(first + 1, second))
  const signature = bytesIn(token.slice(second + 1))
  if (header === null || claims === null || signature === null) return null
  return { ...header, claims, signed: Buffer.from(token.slice(0, second), 'latin1'), signature }
}

/**
 * Headers repeat byte for byte from one token to the next, so they are cached. Bounded: made-up headers can only clear
 * the cache.
 */
const seen = new Map<string, JwtHeader | null>()

function headerOf(part: string): JwtHeader | null {
  const known = seen.get(part)
  if (known !== undefined) return known
  const header = readHeader(objectIn(part))
  if (seen.size >= 64) seen.clear()
  if (part.length <= 512) seen.set(part, header)
  return header
}

/** The whole header, from the first part of a JWS. Null where it is invalid. */
export const readJwsHeader = (part: string): JsonObject | null => objectIn(part)

/** The parameters that every JWT needs, from a whole header; null where it is invalid or unsupported. */
export function readHeader(header: JsonObject | null): JwtHeader | null {
  if (header === null) return null
  const { alg, kid, typ } = header
  // RFC 7515 §4.1.11: an unsupported extension must be refused, and none is supported. RFC 7797 (b64) is such an
  // extension, too.
  if (Object.hasOwn(header, 'crit') || Object.hasOwn(header, 'b64')) return null
  if (typeof alg !== 'string' || (kid !== undefined && (typeof kid !== 'string' || kid.length > textLimits.kid)))
    return null
  if (typ !== undefined && typeof typ !== 'string') return null
  return { alg, kid, typ: typ?.toLowerCase().replace(/^application\//, '') }
}

function objectIn(part: string): JsonObject | null {
  const bytes = bytesIn(part)
  return bytes === null || !isUtf8(bytes) ? null : parseJsonObject(bytes.toString('utf8'))
}

/** Node's decoder is lenient; re-encoding detects non-canonical input (padding, `+/`, stray bits). */
function bytesIn(part: string): Buffer | null {
  const bytes = Buffer.from(part, 'base64url')
  return bytes.length > 0 && bytes.toString('base64url') === part ? bytes : null
}
