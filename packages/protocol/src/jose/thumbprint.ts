/** The thumbprint of a key: RFC 7638. It only identifies the key. */
import { hash, type KeyObject } from 'node:crypto'
import type { Json, JsonObject } from '../types.ts'

/** The required members of each key type, in lexicographic order (RFC 7638 §3.2, RFC 8037 §2, RFC 9964 §6). */
const requiredMembers: Readonly<Record<string, readonly string[]>> = {
  EC: ['crv', 'kty', 'x', 'y'],
  RSA: ['e', 'kty', 'n'],
  OKP: ['crv', 'kty', 'x'],
  AKP: ['alg', 'kty', 'pub'],
}

/** base64url SHA-256 of the required members; other members are ignored. */
export function jwkThumbprint(jwk: JsonObject): string {
  const { kty } = jwk
  const members = (requiredMembers[typeof kty === 'string' ? kty : ''] ?? []).map((name): [string, Json] => [
    name,
    jwk[name] ?? null,
  ])
  return hash('sha256', JSON.stringify(Object.fromEntries(members)), 'base64url')
}

/** For a public key object; null for a kind without JWK form. */
export function publicKeyThumbprint(key: KeyObject): string | null {
  try {
    return jwkThumbprint(key.export({ format: 'jwk' }) as JsonObject)
  } catch {
    return null
  }
}
