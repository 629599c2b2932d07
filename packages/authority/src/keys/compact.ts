/** Opens a compact JWS that one of our own keys must have signed (RFC 7515 §5.2); null for everything else. */
import type { JsonObject } from '@grantor/protocol'
import type { Verified } from './keyring.ts'

export interface OpenedJws {
  readonly header: JsonObject
  readonly claims: JsonObject
}

const maxLength = 16_384

type FindKey = (kid: string) => Promise<Verified | null> | Verified | null

export async function openCompact(text: string, findKey: FindKey): Promise<OpenedJws | null> {
  if (text.length > maxLength) return null
  const [head = '', body = '', signature = '', ...rest] = text.split('.')
  if (rest.length > 0) return null
  const header = decoded(head)
  if (header === null || typeof header['kid'] !== 'string' || 'crit' in header) return null
  const key = await findKey(header['kid'])
  // The key decides the algorithm; the header may only agree (RFC 8725 §3.1).
  if (key === null || header['alg'] !== key.alg) return null
  const bytes = strictBytes(signature)
  if (bytes === null || !key.verify(`${head}.${body}`, bytes)) return null
  const claims = decoded(body)
  return claims === null ? null : { header, claims }
}

function decoded(part: string): JsonObject | null {
  const bytes = strictBytes(part)
  if (bytes === null) return null
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null
  } catch {
    return null
  }
}

/** Exactly one text for the same bytes: a second spelling of a token must not pass for another token. */
function strictBytes(part: string): Buffer | null {
  const bytes = Buffer.from(part, 'base64url')
  return bytes.toString('base64url') === part ? bytes : null
}
