/** A public key of a key set, pinned to the algorithms its type allows (RFC 7517, 7518; RFC 8725 §3.1). */
import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { textLimits } from '../oauth/text-limits.ts'
import type { Json, JsonObject } from '../types.ts'
import type { ParsedJwt } from './jwt.ts'
import { publicKeyThumbprint } from './thumbprint.ts'
import { keyWeakness } from './weak-key.ts'

interface Algorithm {
  readonly digest: string | null
  readonly options?: { readonly dsaEncoding: 'ieee-p1363' } | { readonly padding: number; readonly saltLength: number }
}

const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
const ecdsa = { dsaEncoding: 'ieee-p1363' } as const

/** All supported algorithms: nothing symmetric, never `none`. */
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
  /** Equal for equal keys, so that cached verdicts of a key that stays in the set remain valid. */
  readonly identity: string
  readonly kid: string | undefined
  readonly algs: readonly string[]
  /** Becomes false when the key leaves the set, which invalidates every verdict based on it. */
  present: boolean
  verify(alg: string, data: Uint8Array, signature: Uint8Array): boolean
  /** RFC 7638. */
  thumbprint(): string | null
}

/** Without a kid any key of the algorithm may be meant; at most this many are tried. */
const mostTried = 8

/** The keys that may have signed the JWT: of its algorithm, and of its kid if it has one. */
export const keysFor = ({ alg, kid }: ParsedJwt, keys: readonly VerificationKey[]): readonly VerificationKey[] =>
  keys.filter((key) => key.algs.includes(alg) && (kid === undefined || key.kid === kid))

export const signedByOne = (jwt: ParsedJwt, keys: readonly VerificationKey[]): boolean =>
  keysFor(jwt, keys)
    .slice(0, mostTried)
    .some((key) => key.verify(jwt.alg, jwt.signed, jwt.signature))

/** RFC 9864 §2.2: with only one supported curve, the old name and the new one are equivalent. */
export const isSameAlgorithm = (one: unknown, other: unknown): boolean => plainName(one) === plainName(other)
const plainName = (alg: unknown): unknown => (alg === 'EdDSA' ? 'Ed25519' : alg)

/** The keys that may have signed the JWT, where the signer may have registered a single algorithm. */
export const fittingKeys = (
  jwt: ParsedJwt,
  registered: string | undefined,
  keys: readonly VerificationKey[],
): readonly VerificationKey[] =>
  registered !== undefined && !isSameAlgorithm(registered, jwt.alg) ? [] : keysFor(jwt, keys)

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv', 'seed']

/** Why a key must not be used, whoever provides it; null where it may be, or its kind is unknown. */
export function keyProblem(jwk: JsonObject): string | null {
  const problem = memberProblem(jwk)
  if (problem !== null || algorithmsOf(jwk).length === 0) return problem
  return publicKey(jwk) === null ? 'is not a point of its curve, or no key at all' : null
}

/** Checks without parsing the key itself, which costs a third of a verification. */
function memberProblem(jwk: JsonObject): string | null {
  const { kid, kty, use, alg, key_ops: operations } = jwk
  if (typeof kty !== 'string') return 'has no kty'
  if (kty === 'oct') return 'is symmetric'
  if (privateMembers.some((name) => Object.hasOwn(jwk, name))) return 'holds private parts'
  if (kid !== undefined && (typeof kid !== 'string' || kid === '' || kid.length > textLimits.kid))
    return 'has a bad kid'
  if (use !== undefined && use !== 'sig') return 'is not for signatures (use)'
  if (operations !== undefined && !isForVerifying(operations)) return 'is not for signatures (key_ops)'
  const possible = algorithmsOf(jwk)
  if (possible.length === 0) return null
  if (alg !== undefined && !possible.some((name) => isSameAlgorithm(name, alg)))
    return 'is of another kind than its alg'
  return keyWeakness(jwk)
}

/** RFC 7517 §4.3: no duplicates, and a signature key has no other operations. */
const isForVerifying = (operations: Json): boolean =>
  Array.isArray(operations) &&
  operations.includes('verify') &&
  operations.every((it, at) => (it === 'verify' || it === 'sign') && operations.indexOf(it) === at)

/** null for an unusable key: private, symmetric, for encryption, weak, or unknown. */
export function importKey(jwk: JsonObject): VerificationKey | null {
  if (memberProblem(jwk) !== null) return null
  const { alg } = jwk
  const kid = jwk['kid'] as string | undefined
  const algs = algorithmsOf(jwk).filter((name) => alg === undefined || isSameAlgorithm(name, alg))
  const key = algs.length === 0 ? null : publicKey(jwk)
  if (key === null) return null
  return {
    // Computed when keys of a set are compared, and never for the key of a proof.
    get identity() {
      return JSON.stringify([kid, algs, key.export({ format: 'der', type: 'spki' }).toString('base64')])
    },
    kid,
    algs,
    present: true,
    verify: (alg, data, signature) => verifyWith(key, alg, data, signature),
    thumbprint: () => publicKeyThumbprint(key),
  }
}

function algorithmsOf(jwk: JsonObject): readonly string[] {
  if (jwk['kty'] === 'RSA') return ['RS256', 'PS256']
  if (jwk['kty'] === 'EC') return jwk['crv'] === 'P-256' ? ['ES256'] : jwk['crv'] === 'P-384' ? ['ES384'] : []
  if (jwk['kty'] === 'OKP') return jwk['crv'] === 'Ed25519' ? ['EdDSA', 'Ed25519'] : []
  // RFC 9964: the key itself must name its algorithm.
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
  // A property inherited from Object is not an algorithm.
  const algorithm = Object.hasOwn(algorithms, alg) ? algorithms[alg] : undefined
  if (algorithm === undefined) return false
  return verify(
    algorithm.digest,
    data,
    algorithm.options === undefined ? key : { key, ...algorithm.options },
    signature,
  )
}
