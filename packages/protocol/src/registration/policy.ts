/**
 * Who may register a client without an administrator, and with what metadata: the deployment's policy, and a tenant's
 * overrides.
 */
import type { Served } from '../documents/capabilities.ts'
import type { RedirectKind } from '../oauth/redirect-uri.ts'
import { parseScope } from '../oauth/scope.ts'
import { err, ok, type Result } from '../result.ts'
import { isJsonObject, type Json, type JsonObject } from '../types.ts'
import {
  type FieldProblem,
  type FieldType,
  flag,
  identifier,
  listOf,
  oneOf,
  servedGrantType,
  wholeSeconds,
} from './field-types.ts'

export const registrationModes = ['open', 'token', 'off'] as const
export const errorRedirects = ['after_consent', 'always'] as const
export const redirectKinds = ['https', 'loopback', 'private-use'] as const satisfies readonly RedirectKind[]

export interface RegistrationPolicy {
  /** `token` requires an initial access token (RFC 7591 §3). */
  readonly mode: (typeof registrationModes)[number]
  readonly grants: readonly string[]
  /** Null: every scope that people can grant. */
  readonly scopes: readonly string[] | null
  /** The scope of a registration that names none; null: everything it may have. */
  readonly defaultScope: readonly string[] | null
  readonly defaultResource: string | null
  readonly redirects: readonly RedirectKind[]
  /** The maximum number of clients in a tenant that registered themselves. */
  readonly mostClients: number
  /** Seconds after which an unused client is removed. */
  readonly unusedLife: number
  /** Whether a client_id may be the address of a client metadata document. */
  readonly metadataDocuments: boolean
  /**
   * RFC 9700 §4.11: from when on browsers are redirected for errors and sign-outs of clients that nobody vouches for.
   * Before a person has consented to the client in this browser, its address is only shown.
   */
  readonly errorRedirects: (typeof errorRedirects)[number]
}

export const defaultRegistration: RegistrationPolicy = Object.freeze({
  mode: 'open',
  grants: Object.freeze(['authorization_code', 'refresh_token']),
  scopes: null,
  defaultScope: null,
  defaultResource: null,
  redirects: redirectKinds,
  mostClients: 10_000,
  unusedLife: 7 * 86_400,
  metadataDocuments: true,
  errorRedirects: 'after_consent',
})

/** The policy of one tenant: the deployment's, with the tenant's overrides. */
export const registrationPolicy = (
  of: RegistrationPolicy,
  tenant: { readonly registration?: Partial<RegistrationPolicy> },
): RegistrationPolicy => ({ ...of, ...tenant.registration })

const scopeName: FieldType<string> = {
  check: (value) => (typeof value === 'string' && parseScope(value)?.size === 1 ? null : 'must be the name of a scope'),
  schema: { type: 'string' },
}
const count: FieldType<number> = {
  check: (value) =>
    Number.isSafeInteger(value) && (value as number) >= 0 ? null : 'must be a whole number, 0 or more',
  schema: { type: 'integer', minimum: 0 },
}

/** The members by their names in a file. The compiler ensures that the list is complete. */
const members: { readonly [M in keyof RegistrationPolicy]: readonly [name: string, type: FieldType<unknown>] } = {
  mode: ['mode', oneOf(registrationModes)],
  grants: ['grants', listOf(servedGrantType)],
  scopes: ['scopes', listOf(scopeName, 100)],
  defaultScope: ['default_scope', listOf(scopeName, 100)],
  defaultResource: ['default_resource', identifier],
  redirects: ['redirects', listOf(oneOf(redirectKinds))],
  mostClients: ['most_clients', count],
  unusedLife: ['unused_life', wholeSeconds],
  metadataDocuments: ['metadata_documents', flag],
  errorRedirects: ['error_redirects', oneOf(errorRedirects)],
}
const list = Object.entries(members) as readonly (readonly [
  keyof RegistrationPolicy,
  readonly [string, FieldType<unknown>],
])[]

/** Reads a tenant's registration policy from a file, and reports a problem for every unknown or invalid member. */
export function readRegistrationPolicy(
  input: Json,
  served: Served,
): Result<Partial<RegistrationPolicy>, readonly FieldProblem[]> {
  if (!isJsonObject(input)) return err([{ field: '', problem: 'must be an object' }])
  const known = new Map(list.map(([member, [name, type]]) => [name, { member, type }]))
  const problems: FieldProblem[] = []
  const read: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(input)) {
    const it = known.get(name)
    const problem =
      it === undefined ? `is not known here; known are ${[...known.keys()].join(', ')}` : it.type.check(value, served)
    if (problem !== null) problems.push({ field: name, problem })
    else if (it !== undefined) read[it.member] = value
  }
  return problems.length > 0 ? err(problems) : ok(read)
}

/** The policy as a file writes it. */
export const registrationDocument = (it: Partial<RegistrationPolicy>): JsonObject =>
  Object.fromEntries(
    list.flatMap(([member, [name]]) => (it[member] === undefined ? [] : [[name, it[member] as Json] as const])),
  )
