/** A signing key and a token of it, for an API in another process. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { JsonObject } from '@grantor/protocol/types'

export interface SigningKey {
  readonly jwk: JsonObject
  readonly privateKey: KeyObject
}

export function signingKey(): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { privateKey, jwk: { ...(publicKey.export({ format: 'jwk' }) as JsonObject), kid: 'k', alg: 'ES256' } }
}

export function accessToken({ privateKey }: SigningKey): string {
  const now = Math.floor(Date.now() / 1000)
  const claims = {
    iss: 'https://issuer.example',
    aud: 'https://api.example',
    sub: 'alice',
    client_id: 'web',
    scope: 'things:read',
    iat: now,
    exp: now + 600,
    jti: crypto.randomUUID(),
  }
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${encode({ typ: 'at+jwt', alg: 'ES256', kid: 'k' })}.${encode(claims)}`
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${signed}.${signature.toString('base64url')}`
}
