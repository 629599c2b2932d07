/** The thumbprint of a key: RFC 7638. It says nothing but which key it is. */
import { hash, type KeyObject } from 'node:crypto'
import type { Json, JsonObject } from '../types.ts'

/** What makes a key of each type, in lexicographic order (RFC 7638 §3.2, RFC 8037 §2, RFC 9964 §6). */
const requiredMembers: Readonly<Record<string, readonly string[]>> = {
  EC: ['crv', 'kty', 'x', 'y'],
  RSA: ['e', 'kty', 'n'],
  OKP: ['crv', 'kty', 'x'],
  AKP: ['alg', 'kty', 'pub'],
}

/** base64url SHA-256 of the required members; what else a key says of itself does not count. */
export function jwkThumbprint(jwk: JsonObject): string {
  const { kty } = jwk
  const members = (requiredMembers[typeof kty === 'string' ? kty : ''] ?? []).map((name): [string, Json] => [
    name,
    jwk[name] ?? null,
  ])
  return hash('sha256', JSON.stringify(Object.fromEntries(members)), 'base64url')
}

/** Of a public key in whatever form it came; null for one of a kind that has no JWK. */
export function publicKeyThumbprint(key: KeyObject): string | null {
  try {
    return jwkThumbprint(key.export({ format: 'jwk' }) as JsonObject)
  } catch {
    return null
  }
}
