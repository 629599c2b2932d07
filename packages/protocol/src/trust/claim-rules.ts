/**
 * Rules over the claims of a token, which map a workload to a client. Exact values, or a text with one `*`; nothing
 * else.
 */
import { isJsonObject, type Json, type JsonObject } from '../types.ts'

/** The required form of a claim: this value, this text with anything for its one `*`, or these members of an object. */
export type ClaimPattern = string | number | boolean | { readonly [name: string]: ClaimPattern }

export interface ClaimRule {
  /** All of them must hold. */
  readonly claims: { readonly [name: string]: ClaimPattern }
  /** The client to which a matching token is mapped. */
  readonly client: string
}

const mostClaims = 20
const mostLevels = 4
const longestPattern = 1000
const longestName = 200

/** The problem of a rule's claims; null where they have none. */
export function claimsProblem(claims: unknown): string | null {
  if (!isJsonObject(claims) || Object.keys(claims).length === 0) return 'must name at least one claim and its value'
  const problem = membersProblem(claims, 1)
  if (problem !== null) return problem
  return isPinned(claims) ? null : 'must say of at least one claim more than that it is there'
}

function membersProblem(claims: JsonObject, level: number): string | null {
  const entries = Object.entries(claims)
  if (level > mostLevels) return `must not be nested deeper than ${mostLevels} levels`
  if (entries.length > mostClaims) return `must not name more than ${mostClaims} claims`
  if (entries.some(([name]) => name === '' || name.length > longestName)) return 'names a claim that cannot be one'
  return entries.map(([, value]) => patternProblem(value, level)).find((it) => it !== null) ?? null
}

function patternProblem(value: Json, level: number): string | null {
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return null
  if (isJsonObject(value))
    return Object.keys(value).length === 0 ? 'must not hold empty objects' : membersProblem(value, level + 1)
  if (typeof value !== 'string' || value === '' || value.length > longestPattern)
    return 'must hold texts, numbers, true or false, or objects of them'
  return value.indexOf('*') === value.lastIndexOf('*') ? null : 'must not hold more than one * in a text'
}

/** Whether any value is restricted, instead of only required to exist. */
const isPinned = (claims: JsonObject): boolean =>
  Object.values(claims).some((value) => (isJsonObject(value) ? isPinned(value) : value !== '*'))

/** The first rule that these claims fulfil, so that the order of the list decides between two. */
export const matchingRule = <R extends ClaimRule>(rules: readonly R[], claims: JsonObject): R | null =>
  rules.find((rule) => keeps(claims, rule.claims)) ?? null

/** Whether the claims fulfil the conditions. Other claims are ignored. */
export const keeps = (claims: JsonObject, asked: { readonly [name: string]: ClaimPattern }): boolean =>
  // A property inherited from Object is not a claim.
  Object.entries(asked).every(([name, pattern]) => Object.hasOwn(claims, name) && fits(claims[name], pattern))

function fits(value: Json | undefined, pattern: ClaimPattern): boolean {
  if (typeof pattern === 'object') return isJsonObject(value) && keeps(value, pattern)
  if (typeof pattern !== 'string' || !pattern.includes('*')) return value === pattern
  const [before = '', after = ''] = pattern.split('*')
  // The star stands for at least one character: an empty text is not what a varying name is meant to match.
  return (
    typeof value === 'string' &&
    value.length > before.length + after.length &&
    value.startsWith(before) &&
    value.endsWith(after)
  )
}
