/** A public key of a key set, pinned to the algorithms its type allows (RFC 7517, 7518; RFC 8725 §3.1). */
import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { JsonObject } from '../types.ts'

interface Algorithm {
  readonly digest: string | null
  readonly options?: { readonly dsaEncoding: 'ieee-p1363' } | { readonly padding: number; readonly saltLength: number }
}

const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
const ecdsa = { dsaEncoding: 'ieee-p1363' } as const

/** The whole list: nothing symmetric, never `none`. */
const algorithms: Readonly<Record<string, Algorithm>> = {
  ES256: { digest: 'sha256', options: ecdsa },
  ES384: { digest: 'sha384', options: ecdsa },
  RS256: { digest: 'sha256' },
  PS256: { digest: 'sha256', options: pss },
  EdDSA: { digest: null },
  Ed25519: { digest: null },
  'ML-DSA-44': { digest: null },
  'ML-DSA-65': { digest: null },
  'ML-DSA-87': { digest: null },
}
export const knownAlgorithms: readonly string[] = Object.keys(algorithms)

export interface VerificationKey {
  /** Equal for equal keys, so that a key which stays in the set keeps its verdicts. */
  readonly identity: string
  readonly kid: string | undefined
  readonly algs: readonly string[]
  /** Turns false when the key leaves the set, for every verdict that was ever based on it. */
  present: boolean
  verify(alg: string, data: Uint8Array, signature: Uint8Array): boolean
}

/** RFC 9864 §2.2: with the one curve we take, the old name and the new one mean the same. */
export const isSameAlgorithm = (one: unknown, other: unknown): boolean => plainName(one) === plainName(other)
const plainName = (alg: unknown): unknown => (alg === 'EdDSA' ? 'Ed25519' : alg)

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv', 'seed']

/** null for a key that is of no use here: private, symmetric, for encryption, weak, or unknown. */
export function importKey(jwk: JsonObject): VerificationKey | null {
  const { kid, use, alg, key_ops: operations } = jwk
  if (privateMembers.some((name) => Object.hasOwn(jwk, name))) return null
  if (use !== undefined && use !== 'sig') return null
  if (Array.isArray(operations) && !operations.includes('verify')) return null
  if (kid !== undefined && typeof kid !== 'string') return null
  const possible = algorithmsOf(jwk)
  const algs = alg === undefined ? possible : possible.filter((name) => isSameAlgorithm(name, alg))
  if (algs.length === 0) return null
  const key = publicKey(jwk)
  if (key === null || (jwk['kty'] === 'RSA' && (key.asymmetricKeyDetails?.modulusLength ?? 0) < 2048)) return null
  const identity = JSON.stringify([kid, algs, key.export({ format: 'der', type: 'spki' }).toString('base64')])
  return { identity, kid, algs, present: true, verify: (alg, data, signature) => verifyWith(key, alg, data, signature) }
}

function algorithmsOf(jwk: JsonObject): readonly string[] {
  if (jwk['kty'] === 'RSA') return ['RS256', 'PS256']
  if (jwk['kty'] === 'EC') return jwk['crv'] === 'P-256' ? ['ES256'] : jwk['crv'] === 'P-384' ? ['ES384'] : []
  if (jwk['kty'] === 'OKP') return jwk['crv'] === 'Ed25519' ? ['EdDSA', 'Ed25519'] : []
  // RFC 9964: the algorithm is the key's own, and must be named.
  if (jwk['kty'] === 'AKP') return knownAlgorithms.filter((name) => name.startsWith('ML-DSA') && name === jwk['alg'])
  return []
}

function publicKey(jwk: JsonObject): KeyObject | null {
  try {
    return createPublicKey({ key: { ...jwk }, format: 'jwk' })
  } catch {
    return null
  }
}

function verifyWith(key: KeyObject, alg: string, data: Uint8Array, signature: Uint8Array): boolean {
  const algorithm = algorithms[alg]
  if (algorithm === undefined) return false
  return verify(
    algorithm.digest,
    data,
    algorithm.options === undefined ? key : { key, ...algorithm.options },
    signature,
  )
}
