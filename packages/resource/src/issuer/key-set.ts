/** A JWK set as verification keys (RFC 7517 §5), and how a newly read set replaces the previous one. */
import { importKey, type VerificationKey } from '@grantor/protocol/jose'
import type { JsonObject } from '@grantor/protocol/types'

const mostKeys = 100

/** RFC 7517 §5: keys that are not understood are ignored; a set without a usable one is no set. */
export function importKeySet(jwks: JsonObject): readonly VerificationKey[] | null {
  const list = jwks['keys']
  if (!Array.isArray(list) || list.length > mostKeys) return null
  const keys = (list as readonly unknown[])
    .filter((jwk): jwk is JsonObject => typeof jwk === 'object' && jwk !== null && !Array.isArray(jwk))
    .map(importKey)
    .filter((key) => key !== null)
  return keys.length === 0 ? null : keys
}

/** Replaces the old set: a withdrawn key stops at once, and a key in both sets stays the same object. */
export function replaceKeys(
  old: readonly VerificationKey[],
  read: readonly VerificationKey[],
): readonly VerificationKey[] {
  const held = new Map(old.filter((key) => key.present).map((key) => [key.identity, key]))
  const next = read.map((key) => held.get(key.identity) ?? key)
  for (const key of old) if (!next.includes(key)) key.present = false
  return next
}
