/** Access tokens of an issuer that exists only here, to measure validators. */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'

export const issuer = 'https://issuer.bench.example'
export const audience = 'https://api.bench.example'
export const scope = 'bench:read'

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
export { publicKey }
const { kty = '', crv = '', x = '', y = '' } = publicKey.export({ format: 'jwk' })
export const jwks = { keys: [{ kty, crv, x, y, kid: 'bench', alg: 'ES256', use: 'sig' }] }

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export function mint(more: object = {}): string {
  const iat = Math.floor(Date.now() / 1000)
  const claims = {
    iss: issuer,
    sub: 'alice',
    aud: audience,
    client_id: 'bench',
    scope,
    iat,
    exp: iat + 3600,
    jti: randomUUID(),
    ...more,
  }
  const input = `${encode({ alg: 'ES256', typ: 'at+jwt', kid: 'bench' })}.${encode(claims)}`
  return `${input}.${sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}
