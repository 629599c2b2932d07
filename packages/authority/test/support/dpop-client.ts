/** A client with a key that it proves to have (DPoP), and proofs that are wrong in one thing. */
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { makeProof, type ProofRequest } from '@grantor/protocol/dpop'
import { jwkThumbprint } from '@grantor/protocol/jose'
import type { Instant, JsonObject } from '@grantor/protocol/types'

export const tokenUrl = 'https://as.example/token'

export class KeyHolder {
  readonly key: KeyObject
  readonly jwk: JsonObject
  readonly jkt: string

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.key = privateKey
    this.jwk = publicKey.export({ format: 'jwk' }) as JsonObject
    this.jkt = jwkThumbprint(this.jwk)
  }

  proof(now: number, more: Partial<ProofRequest> = {}): string {
    return makeProof(this.key, { method: 'POST', url: tokenUrl, now: now as Instant, ...more })
  }

  /** With another header or other claims than a good one; undefined leaves one out. */
  odd(now: number, header: Record<string, unknown>, claims: Record<string, unknown> = {}): string {
    const [, body = ''] = this.proof(now).split('.')
    const said = JSON.parse(Buffer.from(body, 'base64url').toString()) as JsonObject
    const parts = [
      { typ: 'dpop+jwt', alg: 'ES256', jwk: this.jwk, ...header },
      { ...said, ...claims },
    ]
    const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    return `${signed}.${this.#signature(signed, header['alg']).toString('base64url')}`
  }

  #signature(signed: string, alg: unknown): Buffer {
    if (alg === 'none') return Buffer.of()
    if (alg === 'HS256') return createHmac('sha256', JSON.stringify(this.jwk)).update(signed).digest()
    return sign('sha256', Buffer.from(signed), { key: this.key, dsaEncoding: 'ieee-p1363' })
  }
}
