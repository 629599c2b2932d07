/** Signs and verifies compact JWS with keys of the ring. Synchronous `node:crypto` takes half the time of WebCrypto. */
import { constants, createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'
import type { SigningAlg } from '@grantor/protocol/jose'
import type { JsonObject } from '@grantor/protocol/types'
import { BoundedCache } from '../bounded-cache.ts'

/** An opened key: ready to sign. */
export interface Signer {
  readonly kid: string
  readonly alg: SigningAlg
  /** `typ` is the header `at+jwt`, `JWT`, `logout+jwt` … */
  sign(typ: string, claims: JsonObject): string
}

export function signer(kid: string, alg: SigningAlg, privateDer: Uint8Array): Signer {
  const key = createPrivateKey({ key: Buffer.from(privateDer), format: 'der', type: 'pkcs8' })
  const { digest, key: signingKey } = method(alg, key)
  // The encoded header of the last type is cached: a key nearly always signs tokens of one type.
  let lastTyp = ''
  let header = ''
  return {
    kid,
    alg,
    sign(typ, claims) {
      if (typ !== lastTyp) header = encode(JSON.stringify({ alg, typ, kid }))
      lastTyp = typ
      const input = [header, encode(JSON.stringify(claims))].join('.')
      const signature = sign(digest, Buffer.from(input, 'latin1'), signingKey).toString('base64url')
      // `join` instead of `+`: V8 keeps a concatenated string in pieces, and every later reader of the token would pay
      // for joining them.
      return [input, signature].join('.')
    },
  }
}

export interface Verifier {
  verify(input: Uint8Array, signature: Uint8Array): boolean
}

/**
 * Verified signatures are cached, because an API that introspects asks about the same token repeatedly. This many take
 * some two megabytes.
 */
const rememberedSignatures = 10_000

export function verifier(alg: SigningAlg, publicJwk: JsonObject): Verifier {
  const { digest, key } = method(alg, createPublicKey({ key: { ...publicJwk }, format: 'jwk' }))
  const verified = new BoundedCache<string, true>(rememberedSignatures)
  return {
    verify(input, signature) {
      const name = [input, signature].map((part) => hash('sha256', part, 'base64url')).join('.')
      if (verified.get(name) !== undefined) return true
      const isValid = verify(digest, input, key, signature)
      if (isValid) verified.set(name, true)
      return isValid
    },
  }
}

const encode = (text: string): string => Buffer.from(text).toString('base64url')

function method(alg: SigningAlg, key: KeyObject) {
  switch (alg) {
    case 'ES256':
      // RFC 7518 §3.4: r and s concatenated, not DER.
      return { digest: 'sha256', key: { key, dsaEncoding: 'ieee-p1363' as const } }
    case 'PS256':
      return {
        digest: 'sha256',
        key: { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
      }
    case 'RS256':
      return { digest: 'sha256', key: { key } }
    case 'EdDSA':
    case 'ML-DSA-44':
    case 'ML-DSA-65':
    case 'ML-DSA-87':
      return { digest: null, key: { key } }
  }
}
