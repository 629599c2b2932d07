/** Policy services and hooks as they are declared: validation and schemas. */
import { isReservedClaim } from '../claims/reserved-claims.ts'
import type { Served } from '../documents/capabilities.ts'
import { outboundUrl } from '../registration/field-types.ts'
import { isJsonObject, type JsonObject } from '../types.ts'
import { decisionLimits } from './decision-point.ts'

const common: readonly string[] = ['url', 'deadline_ms', 'on_failure']

/** The problem of a declared service or hook; null where it has none. */
export function policyServiceProblem(value: unknown, served: Served): string | null {
  return pointProblem(value, common, served)
}

export function issuanceHookProblem(value: unknown, served: Served): string | null {
  const problem = pointProblem(value, [...common, 'claims', 'key'], served)
  if (problem !== null || !isJsonObject(value)) return problem
  const { claims = [], key = 1 }: JsonObject = value
  if (!Array.isArray(claims) || claims.length > decisionLimits.claims || new Set(claims).size !== claims.length)
    return `must list at most ${decisionLimits.claims} claims, each once`
  if (!claims.every((it) => typeof it === 'string' && /^[A-Za-z][\x21-\x7e]{0,199}$/.test(it)))
    return 'must list claims by their names'
  const reserved = claims.find((it) => isReservedClaim(it as string))
  if (reserved !== undefined) return `must not list ${String(reserved)}, which the protocol says`
  return Number.isSafeInteger(key) && (key as number) >= 1 && (key as number) <= 1_000_000
    ? null
    : 'must have a key from 1 to 1000000'
}

function pointProblem(value: unknown, members: readonly string[], served: Served): string | null {
  if (!isJsonObject(value)) return 'must be an object'
  if (!Object.keys(value).every((name) => members.includes(name)))
    return `must hold ${members.join(', ')}, nothing else`
  const { url, deadline_ms: deadline = decisionLimits.deadline, on_failure: failure = 'deny' }: JsonObject = value
  const problem = outboundUrl('web').check(url, served)
  if (problem !== null) return `must have another url: it ${problem}`
  if (!Number.isSafeInteger(deadline) || (deadline as number) < 50 || (deadline as number) > decisionLimits.longest)
    return `must have a deadline_ms from 50 to ${decisionLimits.longest}`
  return failure === 'deny' || failure === 'allow' ? null : 'must say on_failure: deny or allow'
}

const pointProperties: JsonObject = {
  url: { type: 'string', minLength: 1, maxLength: 2048 },
  deadline_ms: { type: 'integer', minimum: 50, maximum: decisionLimits.longest },
  on_failure: { type: 'string', enum: ['deny', 'allow'] },
}

/** The schema, as an API describes it. */
export const policyServiceSchema: JsonObject = {
  type: 'object',
  required: ['url'],
  properties: pointProperties,
  additionalProperties: false,
}

export const issuanceHookSchema: JsonObject = {
  type: 'object',
  required: ['url'],
  properties: {
    ...pointProperties,
    claims: { type: 'array', items: { type: 'string', maxLength: 200 }, maxItems: decisionLimits.claims },
    key: { type: 'integer', minimum: 1, maximum: 1_000_000 },
  },
  additionalProperties: false,
}
