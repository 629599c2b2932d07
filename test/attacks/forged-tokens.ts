/** Tokens that nobody issued: a good one, taken apart and put together in every way that ever passed for good somewhere. */
import { createHmac, createPublicKey, generateKeyPairSync, sign, type webcrypto } from 'node:crypto'

type Part = Readonly<Record<string, unknown>>

export type PublishedKey = webcrypto.JsonWebKey & { readonly kid: string }

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const read = (text = ''): Part => JSON.parse(Buffer.from(text, 'base64url').toString()) as Part

const own = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const ownRsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ownJwk = own.publicKey.export({ format: 'jwk' })

const es256 = (text: string): string =>
  sign('sha256', Buffer.from(text), { key: own.privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')
const rs256 = (text: string): string => sign('sha256', Buffer.from(text), ownRsa.privateKey).toString('base64url')

/** `trap` is an address that must never be asked; `key` the published key that signed `good`. */
export function forgeriesOf(good: string, key: PublishedKey, trap: string): readonly (readonly [string, string])[] {
  const [head = '', body = '', signature = ''] = good.split('.')
  const header = read(head)
  const claims = read(body)
  const bytes = Buffer.from(signature, 'base64url')
  const signed = (more: Part, over: Part = claims, by = es256): string => {
    const text = `${part({ ...header, ...more })}.${part(over)}`
    return `${text}.${by(text)}`
  }
  const hmac = (secret: string | Buffer, alg = 'HS256'): string =>
    signed({ alg }, claims, (text) => createHmac('sha256', secret).update(text).digest('base64url'))
  const unsigned = (alg: unknown): string => `${part({ ...header, alg })}.${body}.`
  const changed = (more: Part): string => `${head}.${part({ ...claims, ...more })}.${signature}`
  const pem = createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' })
  return [
    // No signature.
    ...['none', 'None', 'NONE', 'nOnE', '', null, 0, ['none'], 'ES256'].map(
      (alg) => [`unsigned, alg ${JSON.stringify(alg)}`, unsigned(alg)] as const,
    ),
    ['unsigned without a dot', `${head}.${body}`],
    ['no algorithm', `${part({ typ: header['typ'], kid: key.kid })}.${body}.${signature}`],
    // The public key as a secret.
    ['HS256 with the key as JSON', hmac(JSON.stringify(key))],
    ['HS256 with the key as PEM', hmac(pem)],
    ['HS256 with a coordinate', hmac(Buffer.from(key.x ?? '', 'base64url'))],
    ['HS256 with nothing', hmac('')],
    ['HS256 with the kid', hmac(key.kid)],
    // Keys of the attacker's own.
    ['our kid, another key', signed({})],
    ['an unknown kid', signed({ kid: 'unheard-of' })],
    ['no kid', signed({ kid: undefined })],
    ['a kid that is a path', signed({ kid: '../../../../dev/null' })],
    ['a kid that is SQL', signed({ kid: "' union select 1 --" })],
    ['a kid of the prototype', signed({ kid: '__proto__' })],
    ['a kid that is a list', signed({ kid: [key.kid] })],
    ['its own key in jwk', signed({ jwk: ownJwk })],
    ['its own key in jwk, no kid', signed({ jwk: ownJwk, kid: undefined })],
    ['its own key by jku', signed({ jku: `${trap}/jku`, kid: 'mine' })],
    ['its own key by x5u', signed({ x5u: `${trap}/x5u`, kid: 'mine' })],
    ['RS256 under an EC key', signed({ alg: 'RS256' }, claims, rs256)],
    // Bytes of the signature.
    ['a signature of zeros', `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`],
    ['half a signature', `${head}.${body}.${bytes.subarray(0, 32).toString('base64url')}`],
    ['a longer signature', `${head}.${body}.${Buffer.concat([bytes, Buffer.alloc(1)]).toString('base64url')}`],
    [
      'a flipped signature',
      `${head}.${body}.${Buffer.from(bytes.map((b, i) => (i === 5 ? b ^ 1 : b))).toString('base64url')}`,
    ],
    ['a padded signature', `${good}==`],
    ['another spelling of the last character', `${good.slice(0, -1)}${good.endsWith('A') ? 'B' : 'A'}`],
    // Claims and headers exchanged under a good signature.
    ['another scope', changed({ scope: 'orders:read orders:write orders:delete admin:clients:write' })],
    ['a later end', changed({ exp: Number(claims['exp']) + 3600 })],
    ['another subject', changed({ sub: 'admin' })],
    ['another tenant', changed({ tenant: 'acme' })],
    ['a critical header', `${part({ ...header, crit: ['x'], x: 1 })}.${body}.${signature}`],
    ['b64 false', `${part({ ...header, b64: false, crit: ['b64'] })}.${body}.${signature}`],
    ['another type', `${part({ ...header, typ: 'JWT' })}.${body}.${signature}`],
    ['compressed', `${part({ ...header, zip: 'DEF' })}.${body}.${signature}`],
    // Shapes.
    ['five parts', `${head}.${body}.${signature}.x.y`],
    ['four parts', `${good}.`],
    ['a leading dot', `.${good}`],
    ['the JSON form', part({ payload: body, signatures: [{ protected: head, signature }] })],
    ['arrays for objects', `${part([])}.${part([])}.${signature}`],
    ['null for objects', `${part(null)}.${part(null)}.${signature}`],
    ['deep nesting', `${Buffer.from('['.repeat(6000)).toString('base64url')}.${body}.${signature}`],
    ['9 KiB', `${head}.${body}${'a'.repeat(9_000)}.${signature}`],
    [
      'standard base64',
      good.replaceAll('-', '+').replaceAll('_', '/') === good
        ? `${good}/`
        : good.replaceAll('-', '+').replaceAll('_', '/'),
    ],
    ['percent-encoding', good.replaceAll('.', '%2e')],
    ['a prefix of ours', `ga_${'a'.repeat(43)}`],
    ['an API key', `gk_${'a'.repeat(43)}`],
    ['a word', 'x'],
  ]
}
