/** What a token endpoint cannot do without: to compare a client's secret, and to sign a JWT. */
import { generateKeyPairSync, hash, randomUUID, sign, timingSafeEqual } from 'node:crypto'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = { key: privateKey, dsaEncoding: 'ieee-p1363' as const }

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const headers = new Map(['at+jwt', 'JWT'].map((typ) => [typ, encode({ alg: 'ES256', typ, kid: 'floor' })]))

export interface Credentials {
  readonly id: string
  readonly handle: Buffer
}

export const credentials = (id: string, secret: string): Credentials => ({
  id,
  handle: hash('sha256', secret, 'buffer'),
})

/** RFC 6749 §2.3.1 by `Authorization: Basic`. */
export function isClient(authorization: string | undefined, { id, handle }: Credentials): boolean {
  const sent = Buffer.from((authorization ?? '').slice('Basic '.length), 'base64').toString()
  const colon = sent.indexOf(':')
  const secret = hash('sha256', decodeURIComponent(sent.slice(colon + 1)), 'buffer')
  return sent.slice(0, colon) === id && timingSafeEqual(secret, handle)
}

/** An ES256 JWT of ten minutes, with an id of its own. */
export function signedJwt(typ: 'at+jwt' | 'JWT', claims: object): string {
  const iat = Math.floor(Date.now() / 1000)
  const all = { iss: 'https://floor.example', ...claims, iat, exp: iat + 600, jti: randomUUID() }
  const input = `${headers.get(typ)}.${encode(all)}`
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`
}
