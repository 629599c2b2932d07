/** Verifies a DPoP proof: RFC 9449 §4.2 and §4.3. The caller ensures that it is used once. */
import { hash } from 'node:crypto'
import { jwtType } from '../jose/algorithms.ts'
import { type JwtHeader, parseJwtBy, type ParsedJwt, readHeader, readJwsHeader } from '../jose/jwt.ts'
import { jwkThumbprint } from '../jose/thumbprint.ts'
import { importKey, knownAlgorithms, type VerificationKey } from '../jose/verification-key.ts'
import { textLimits } from '../oauth/text-limits.ts'
import { err, ok, type Result } from '../result.ts'
import { type Instant, jsonObject, type JsonObject } from '../types.ts'
import { normalisedTarget } from './target.ts'

/** The signature algorithms of proofs: `dpop_signing_alg_values_supported`. Nothing symmetric, never `none`. */
export const proofAlgorithms = knownAlgorithms

/** The failed check of a proof; reported to the operator and, in general words, to the client. */
export type ProofFault = 'malformed' | 'key' | 'method' | 'address' | 'age' | 'token' | 'signature' | 'nonce'

/** The request that a proof must have been made for. */
export interface ProofExpectation {
  readonly method: string
  /** The possible addresses of the request: more than one where an endpoint has an alias. */
  readonly urls: readonly string[]
  /** The access token of the request (`ath`); null at an endpoint that takes none. */
  readonly accessToken: string | null
  readonly now: Instant
  /** The accepted algorithms, if not all of `proofAlgorithms`. */
  readonly algs?: readonly string[]
  /** Whether a nonce is one of ours and recent; null where none is required. */
  readonly isNonce: ((nonce: string) => boolean) | null
}

/** The result of a valid proof. */
export interface ProvenKey {
  /** RFC 9449 §6.1: the thumbprint of the key whose possession was proven. */
  readonly jkt: string
  /** Identifies the proof, together with the key. */
  readonly jti: string
  /** From then on it would be refused anyway, even by the slowest clock that we accept. */
  readonly usedUntil: Instant
}

/** Seconds of tolerance between the client's clock and ours, for late proofs and for fast clocks. */
export const proofLeeway = 60

export function checkProof(text: string, expected: ProofExpectation): Result<ProvenKey, ProofFault> {
  const proof = text.length > textLimits.dpopProof ? null : parseJwtBy(proofHeader, text)
  const algs = expected.algs ?? proofAlgorithms
  if (proof === null || proof.typ !== jwtType.dpop || !algs.includes(proof.alg)) return err('malformed')
  const { jti, iat } = proof.claims
  if (typeof jti !== 'string' || jti === '' || jti.length > textLimits.jti) return err('malformed')
  if (typeof iat !== 'number') return err('malformed')
  const { key } = proof
  if (key === null || !key.verification.algs.includes(proof.alg)) return err('key')
  const fault = faultOf(proof, iat, expected)
  if (fault !== null) return err(fault)
  if (!key.verification.verify(proof.alg, proof.signed, proof.signature)) return err('signature')
  // Last, so that a request for a nonce implies that everything else was valid.
  if (expected.isNonce !== null && !isAccepted(proof.claims['nonce'], expected.isNonce)) return err('nonce')
  // RFC 7519 §2: a NumericDate may have a fraction; a stored time may not.
  return ok({ jkt: key.jkt, jti, usedUntil: Math.ceil((iat + 2 * proofLeeway) * 1000) as Instant })
}

/** The checks that do not need the key. */
function faultOf({ claims }: ParsedJwt, iat: number, expected: ProofExpectation): ProofFault | null {
  const { htm, htu, ath } = claims
  if (htm !== expected.method) return 'method'
  if (typeof htu !== 'string' || !isTarget(htu, expected.urls)) return 'address'
  if (Math.abs(expected.now / 1000 - iat) > proofLeeway) return 'age'
  const { accessToken } = expected
  if (accessToken !== null && ath !== accessTokenHash(accessToken)) return 'token'
  return null
}

/** Nearly all clients send the address exactly as published. */
function isTarget(htu: string, urls: readonly string[]): boolean {
  if (urls.includes(htu)) return true
  const target = normalisedTarget(htu)
  return target !== null && urls.some((url) => normalisedTarget(url) === target)
}

const isAccepted = (nonce: unknown, isNonce: (nonce: string) => boolean): boolean =>
  typeof nonce === 'string' && isNonce(nonce)

/** RFC 9449 §4.2: `ath`. */
export const accessTokenHash = (token: string): string => hash('sha256', Buffer.from(token, 'latin1'), 'base64url')

interface ProofKey {
  readonly jkt: string
  readonly verification: VerificationKey
}

interface ProofHeader extends JwtHeader {
  /** Null where the header has no key that is acceptable for a proof. */
  readonly key: ProofKey | null
}

/**
 * A client sends the same header with every proof, so headers are cached. Bounded: made-up keys can only clear the
 * cache.
 */
const seen = new Map<string, ProofHeader>()

function proofHeader(part: string): ProofHeader | null {
  const known = seen.get(part)
  if (known !== undefined) return known
  const members = readJwsHeader(part)
  const header = readHeader(members)
  if (header === null) return null
  const read = { ...header, key: readKey(members) }
  if (seen.size >= 1024) seen.clear()
  if (read.key !== null) seen.set(part, read)
  return read
}

/** RFC 9449 §4.3: a public key, without any private part. */
function readKey(header: JsonObject | null): ProofKey | null {
  const jwk = jsonObject(header?.['jwk'])
  const verification = jwk === null ? null : importKey(jwk)
  return jwk === null || verification === null ? null : { jkt: jwkThumbprint(jwk), verification }
}
