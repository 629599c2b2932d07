/**
 * The key set of a client: RFC 7517 §5. A set given to us must be valid as a whole; of a fetched one the valid keys
 * count.
 */
import { isJsonObject, type JsonObject } from '../types.ts'
import { importKey, keyProblem, type VerificationKey } from './verification-key.ts'

const mostKeys = 50
const longestKey = 8192

/** The problem of a set to be registered; null where it has none. */
export function keySetProblem(set: unknown): string | null {
  const keys = listOf(set)
  if (keys === null || keys.length === 0) return 'must be a JWK set with at least one key'
  if (keys.length > mostKeys) return `must not hold more than ${mostKeys} keys`
  for (const [at, key] of keys.entries()) {
    const problem = isJsonObject(key) ? (keyProblem(key) ?? sizeProblem(key) ?? exampleProblem(key)) : 'is no object'
    if (problem !== null) return `holds a key that must not be there: keys[${at}] ${problem}`
  }
  const named = keyIds(keys)
  if (new Set(named).size !== named.length) return 'must not hold two keys of one kid'
  return usableKeys(set).length === 0 ? 'must hold a key that signatures can be checked with here' : null
}

/**
 * RFC 7517 §5: unknown keys are ignored. Keys with the same kid are all ignored, because it is ambiguous which is
 * meant.
 */
export function usableKeys(set: unknown): readonly VerificationKey[] {
  const keys = (listOf(set) ?? []).slice(0, mostKeys)
  const named = keyIds(keys)
  const repeated = new Set(named.filter((kid, at) => named.indexOf(kid) !== at))
  return keys.flatMap((key) =>
    !isJsonObject(key) || repeated.has(key['kid']) || sizeProblem(key) !== null ? [] : (importKey(key) ?? []),
  )
}

const listOf = (set: unknown): readonly unknown[] | null => {
  const keys: unknown = isJsonObject(set) ? set['keys'] : undefined
  return Array.isArray(keys) ? keys : null
}

const keyIds = (keys: readonly unknown[]): readonly unknown[] =>
  keys.flatMap((key) => (isJsonObject(key) && key['kid'] !== undefined ? [key['kid']] : []))

/** ML-DSA keys and certificate chains are the longest legitimate content. */
const sizeProblem = (key: JsonObject): string | null =>
  JSON.stringify(key).length > longestKey ? `is longer than ${longestKey} characters` : null

/**
 * The private halves of these are printed in RFC 7515 A.2, A.3, RFC 7517 A.1, A.2, RFC 8037 A.2, so anybody can sign
 * with them.
 */
const examples: readonly string[] = [
  'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86z',
  'ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp',
]

const exampleProblem = ({ n, x }: JsonObject): string | null =>
  examples.some((example) => [n, x].some((part) => typeof part === 'string' && part.startsWith(example)))
    ? 'is an example whose private half everybody knows'
    : null
