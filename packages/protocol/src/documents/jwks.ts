/**
 * The published key set: RFC 7517 §5. Public members only, selected by name, so that nothing private can be published.
 */
import type { KeyRecord } from '../jose/key.ts'
import type { JsonObject } from '../types.ts'

/** RFC 7518 §6, RFC 8037 §2, RFC 9964 §3: the members that make a public key of each type. */
const publicMembers: Readonly<Record<string, readonly string[]>> = {
  EC: ['crv', 'x', 'y'],
  RSA: ['n', 'e'],
  OKP: ['crv', 'x'],
  AKP: ['pub'],
}

export const keySet = (keys: readonly Pick<KeyRecord, 'kid' | 'alg' | 'publicJwk' | 'droppedAt'>[]): JsonObject => ({
  keys: keys.filter((key) => key.droppedAt === null).map(publicKey),
})

function publicKey({ kid, alg, publicJwk }: Pick<KeyRecord, 'kid' | 'alg' | 'publicJwk'>): JsonObject {
  const { kty = null } = publicJwk
  const members = typeof kty === 'string' && Object.hasOwn(publicMembers, kty) ? (publicMembers[kty] ?? []) : []
  const shown = members.map((name) => [name, publicJwk[name] ?? null] as const)
  return { kty, ...Object.fromEntries(shown), kid, alg, use: 'sig' }
}
