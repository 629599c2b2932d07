/** Makes a DPoP proof for a client: RFC 9449 §4.2. */
import { createPublicKey, type KeyObject, randomUUID, sign } from 'node:crypto'
import { jwtType } from '../jose/algorithms.ts'
import type { Instant, JsonObject } from '../types.ts'
import { accessTokenHash } from './proof.ts'

export interface ProofRequest {
  readonly method: string
  readonly url: string
  readonly now: Instant
  /** At an API: the access token of the request. */
  readonly accessToken?: string
  /** The server's nonce, if it required one. */
  readonly nonce?: string
}

/** `key` is a private key on P-256. */
export function makeProof(key: KeyObject, { method, url, now, accessToken, nonce }: ProofRequest): string {
  const header = { typ: jwtType.dpop, alg: 'ES256', jwk: createPublicKey(key).export({ format: 'jwk' }) as JsonObject }
  const claims = {
    jti: randomUUID(),
    htm: method,
    htu: url.replace(/[?#].*$/s, ''),
    iat: Math.floor(now / 1000),
    ...(accessToken === undefined ? {} : { ath: accessTokenHash(accessToken) }),
    ...(nonce === undefined ? {} : { nonce }),
  }
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}
