/** Makes signing keys and tokens, good ones and bad ones. */
import { constants, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { JsonObject } from '@grantor/protocol/types'

export const audience = 'https://api.example'

export interface SigningKey {
  readonly kid: string
  readonly alg: string
  readonly jwk: JsonObject
  readonly privateKey: KeyObject
}

export function signingKey(kid: string, alg = 'ES256'): SigningKey {
  const { publicKey, privateKey } = pairFor(alg)
  return { kid, alg, privateKey, jwk: { ...(publicKey.export({ format: 'jwk' }) as JsonObject), kid, alg, use: 'sig' } }
}

function pairFor(alg: string) {
  if (alg === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  if (alg === 'EdDSA' || alg === 'Ed25519') return generateKeyPairSync('ed25519')
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}

export const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export function signature(key: SigningKey, data: string): Buffer {
  const bytes = Buffer.from(data)
  const { privateKey, alg } = key
  if (alg === 'ES256') return sign('sha256', bytes, { key: privateKey, dsaEncoding: 'ieee-p1363' })
  if (alg === 'PS256')
    return sign('sha256', bytes, { key: privateKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 })
  return alg === 'RS256' ? sign('sha256', bytes, privateKey) : sign(null, bytes, privateKey)
}

export function jws(key: SigningKey, header: JsonObject, claims: unknown): string {
  const data = `${part(header)}.${part(claims)}`
  return `${data}.${signature(key, data).toString('base64url')}`
}

let minted = 0

export function claimsAt(now: number, issuer: string, more: JsonObject = {}): JsonObject {
  minted += 1
  const iat = Math.floor(now / 1000)
  const base = { iss: issuer, sub: 'alice', aud: audience, client_id: 'web', scope: 'orders:read', iat, exp: iat + 600 }
  const all = { ...base, jti: `jti-${minted}`, grant_id: 'grant-1', sid: 'session-1', ...more }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

export function accessToken(key: SigningKey, claims: JsonObject, header: JsonObject = {}): string {
  return jws(key, { typ: 'at+jwt', alg: key.alg, kid: key.kid, ...header }, claims)
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
