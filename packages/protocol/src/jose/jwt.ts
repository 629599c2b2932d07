/** Compact JWS and JWT, parsed strictly (RFC 7515 §5.2, RFC 7519 §7.2, RFC 8725): one form per token, nothing ignored. */
import { isUtf8 } from 'node:buffer'
import { parseJsonObject } from '../http/json-text.ts'
import { textLimits } from '../oauth/text-limits.ts'
import type { JsonObject } from '../types.ts'

/** What every JWT is read by. */
export interface JwtHeader {
  readonly alg: string
  readonly kid: string | undefined
  /** Lower case, without `application/`; undefined when the header has none. */
  readonly typ: string | undefined
}

export interface ParsedJwt extends JwtHeader {
  /** Not to be believed before the signature holds. */
  readonly claims: JsonObject
  readonly signed: Buffer
  readonly signature: Buffer
}

/** null for anything that is not exactly one well-formed compact JWS with JSON objects in its first two parts. */
export const parseJwt = (token: string): ParsedJwt | null => parseJwtBy(headerOf, token)

/** With another way to read the first part, for what keeps more of it than every JWT has. */
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
 * Headers repeat byte for byte from one token to the next, so the few that are seen are read once.
 * Bounded: whoever makes up headers only clears it.
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

/** The whole header, as it stands in the first part. Null where it is none. */
export const readJwsHeader = (part: string): JsonObject | null => objectIn(part)

/** What every JWT is read by, of a whole header; null where it cannot be understood. */
export function readHeader(header: JsonObject | null): JwtHeader | null {
  if (header === null) return null
  const { alg, kid, typ } = header
  // RFC 7515 §4.1.11: an extension that is not understood is refused; none is. RFC 7797 would hide behind one, too.
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

/** Node's decoder forgives; re-encoding shows whether there was anything to forgive (padding, `+/`, stray bits). */
function bytesIn(part: string): Buffer | null {
  const bytes = Buffer.from(part, 'base64url')
  return bytes.length > 0 && bytes.toString('base64url') === part ? bytes : null
}
