/** Tokens as they are read and checked in the browser: RFC 7515, with the keys of the issuer. */

export type JsonRecord = Readonly<Record<string, unknown>>

export interface Jwt {
  readonly kind: 'jwt'
  readonly header: JsonRecord
  readonly payload: JsonRecord
  /** What was signed: the first two parts. */
  readonly signed: string
  readonly signature: Uint8Array<ArrayBuffer>
}

export type ReadToken = Jwt | { readonly kind: 'opaque' | 'broken' | 'api-key' | 'nothing' }

/** Longer than any token of ours; more is not worth the time of the page. */
const longest = 100_000

/** Copied together with the scheme of its header (RFC 9110 §11.4), or without. */
export const bareToken = (text: string): string => text.trim().replace(/^(?:Bearer|DPoP)\s+/i, '')

export function readToken(text: string): ReadToken {
  const token = bareToken(text)
  if (token === '') return { kind: 'nothing' }
  if (token.startsWith('gk_')) return { kind: 'api-key' }
  const parts = token.split('.')
  if (parts.length !== 3 || !token.startsWith('eyJ')) return { kind: 'opaque' }
  const [head = '', body = '', signature = ''] = parts
  const [header, payload, bytes] = [jsonOf(head), jsonOf(body), bytesOf(signature)]
  if (token.length > longest || header === null || payload === null || bytes === null) return { kind: 'broken' }
  return { kind: 'jwt', header, payload, signed: `${head}.${body}`, signature: bytes }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]*$/.test(text)) return null
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}

function jsonOf(part: string): JsonRecord | null {
  const bytes = bytesOf(part)
  if (bytes === null) return null
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : null
  } catch {
    return null
  }
}

export type Verdict = 'valid' | 'invalid' | 'no-key' | 'unsupported' | 'none'

interface Algorithm {
  readonly key: RsaHashedImportParams | EcKeyImportParams | { readonly name: string }
  readonly verify: AlgorithmIdentifier | EcdsaParams | RsaPssParams
}

const algorithms: Readonly<Record<string, Algorithm>> = {
  RS256: { key: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }, verify: { name: 'RSASSA-PKCS1-v1_5' } },
  PS256: { key: { name: 'RSA-PSS', hash: 'SHA-256' }, verify: { name: 'RSA-PSS', saltLength: 32 } },
  ES256: { key: { name: 'ECDSA', namedCurve: 'P-256' }, verify: { name: 'ECDSA', hash: 'SHA-256' } },
  ES384: { key: { name: 'ECDSA', namedCurve: 'P-384' }, verify: { name: 'ECDSA', hash: 'SHA-384' } },
  EdDSA: { key: { name: 'Ed25519' }, verify: { name: 'Ed25519' } },
  Ed25519: { key: { name: 'Ed25519' }, verify: { name: 'Ed25519' } },
}

/** By the key that the token names; a key that is not in the set of the issuer proves nothing. */
export async function verdictOn({ header, signed, signature }: Jwt, keys: readonly JsonWebKey[]): Promise<Verdict> {
  const { alg, kid } = header
  if (alg === 'none' || typeof alg !== 'string') return 'none'
  const key = keys.find((it) => (it as { readonly kid?: string }).kid === kid)
  if (key === undefined) return 'no-key'
  const algorithm = Object.hasOwn(algorithms, alg) ? algorithms[alg] : undefined
  if (algorithm === undefined) return 'unsupported'
  // RFC 8725 §3.1: a key is for one algorithm.
  if (key.alg !== undefined && key.alg !== alg) return 'invalid'
  try {
    const { kty, crv, n, e, x, y } = key
    const bare = Object.fromEntries(Object.entries({ kty, crv, n, e, x, y }).filter(([, part]) => part !== undefined))
    const imported = await crypto.subtle.importKey('jwk', bare, algorithm.key, false, ['verify'])
    const good = await crypto.subtle.verify(algorithm.verify, imported, signature, new TextEncoder().encode(signed))
    return good ? 'valid' : 'invalid'
  } catch {
    return 'unsupported'
  }
}

export type Timing = 'expired' | 'not-yet' | 'current' | 'no-end'

/** A minute is forgiven: clocks differ. */
const leeway = 60

export function timingOf({ exp, nbf }: JsonRecord, now: number): Timing {
  const seconds = now / 1000
  if (typeof nbf === 'number' && nbf > seconds + leeway) return 'not-yet'
  if (typeof exp !== 'number') return 'no-end'
  return exp <= seconds ? 'expired' : 'current'
}
