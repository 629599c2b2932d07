/** What a client may exchange tokens for: rules written by an operator. Without a rule nothing can be exchanged. */
import { parseScope } from '../oauth/scope.ts'
import { canonicalUri } from '../oauth/uri.ts'
import { isJsonObject, type JsonObject } from '../types.ts'
import type { FieldType } from './field-types.ts'

export type ExchangeRule = {
  /** The resource the new token is for. */
  readonly audience: string
  /** The maximum scope there; left out, that of the presented token, and so none at another resource. */
  readonly scopes?: readonly string[]
  /** RFC 8693 §1.1: whether the new token names its client as actor for the subject, or speaks as the subject alone. */
  readonly as: 'delegate' | 'impersonate'
  /** If the audience is another authorization server: the id of this client there; left out, the same as here. */
  readonly client_id?: string
}

const members: ReadonlySet<string> = new Set(['audience', 'scopes', 'as', 'client_id'])
const mostRules = 20
const mostScopes = 100

export const exchangeRules: FieldType<readonly ExchangeRule[]> = {
  check(value) {
    if (!Array.isArray(value)) return 'must be a list'
    if (value.length > mostRules) return `must not hold more than ${mostRules} entries`
    const problem = value.map(ruleProblem).find((it) => it !== null)
    if (problem !== undefined) return `holds an entry that ${problem}`
    const audiences = (value as readonly ExchangeRule[]).map(({ audience }) => canonicalUri(audience))
    return new Set(audiences).size === audiences.length ? null : 'must not name an audience twice'
  },
  schema: {
    type: 'array',
    maxItems: mostRules,
    items: {
      type: 'object',
      required: ['audience', 'as'],
      properties: {
        audience: { type: 'string', maxLength: 2048 },
        scopes: { type: 'array', items: { type: 'string', maxLength: 200 }, maxItems: mostScopes },
        as: { type: 'string', enum: ['delegate', 'impersonate'] },
        client_id: { type: 'string', maxLength: 1024 },
      },
      additionalProperties: false,
    },
  },
}

function ruleProblem(value: unknown): string | null {
  if (!isJsonObject(value)) return 'must be an object'
  const { audience, scopes, as, client_id: there }: JsonObject = value
  if (Object.keys(value).some((name) => !members.has(name)))
    return 'must hold audience, scopes, as and client_id, nothing else'
  if (typeof audience !== 'string' || canonicalUri(audience) === null)
    return 'must name an audience, an absolute URI without fragment'
  if (as !== 'delegate' && as !== 'impersonate') return 'must say as: delegate or as: impersonate'
  if (there !== undefined && (typeof there !== 'string' || there === '' || there.length > 1024))
    return 'must have a text for client_id'
  if (scopes === undefined) return null
  if (!Array.isArray(scopes) || scopes.length > mostScopes) return `must list at most ${mostScopes} scopes`
  return (scopes as readonly unknown[]).every(
    (name) => typeof name === 'string' && parseScope(name)?.has(name) === true,
  )
    ? null
    : 'must list scopes by their names'
}
