/** Small checks of single metadata values: each says what is wrong, or null. */
import { canonicalUri } from '../oauth/uri.ts'
import { isLoopback } from '../oauth/redirect-uri.ts'

export type Check = (value: unknown) => string | null

const longest = 2048

/** Bidirectional controls are refused with the rest: they let a name on a consent page pose as another. */
const unseen = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

export const text =
  (limit = longest): Check =>
  (value) => {
    if (typeof value !== 'string') return 'must be a text'
    if (value === '') return 'must not be empty'
    if (value.length > limit) return `must not be longer than ${limit} characters`
    return unseen.test(value) ? 'must not hold control characters' : null
  }

export const flag: Check = (value) => (typeof value === 'boolean' ? null : 'must be true or false')

export const wholeSeconds: Check = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? null : 'must be a whole number of seconds'

export const oneOf =
  (allowed: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && allowed.includes(value) ? null : `must be one of ${allowed.join(', ')}`

export const listOf =
  (check: Check, limit = 50): Check =>
  (value) => {
    if (!Array.isArray(value)) return 'must be a list'
    if (value.length > limit) return `must not hold more than ${limit} entries`
    if (new Set(value).size !== value.length) return 'must not hold an entry twice'
    const problem = value.map(check).find((it) => it !== null)
    return problem === undefined ? null : `holds an entry that ${problem}`
  }

/** A page for people to look at, or an address for us to call. */
export const webUrl: Check = (value) => {
  if (typeof value !== 'string' || canonicalUri(value) === null) return 'must be an absolute URL without fragment'
  return /^https:\/\//i.test(value) || isLoopback(value) ? null : 'must use https'
}

export const identifier: Check = (value) =>
  typeof value === 'string' && canonicalUri(value) !== null ? null : 'must be an absolute URI without fragment'

/** RFC 7517 §5, and nothing private in it: whoever registers a private key has lost it. */
export const publicKeySet: Check = (value) => {
  const keys = isRecord(value) ? value['keys'] : undefined
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > 50 || !keys.every(isRecord)) {
    return 'must be a JWK set with at least one key'
  }
  if (keys.some((key) => typeof key['kty'] !== 'string' || key['kty'] === 'oct')) return 'must hold public keys only'
  const secret = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']
  return keys.some((key) => secret.some((name) => Object.hasOwn(key, name))) ? 'must not hold a private key' : null
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
