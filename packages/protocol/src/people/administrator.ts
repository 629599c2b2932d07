/** Kinds of administrators, and which of the issuer's own scopes each may hold. */

const reads = (scope: string): boolean => scope.endsWith(':read')

/** The scopes with which support may change things, for people who are locked out or want to be. */
const supported = /^admin:(users|grants|sessions):write$/

/**
 * One row per kind: whether it may hold a scope of the issuer. Only owners may name administrators, which is checked
 * elsewhere.
 */
const kinds = {
  owner: (_scope: string) => true,
  operator: (scope: string) => scope !== 'admin:tenants:write',
  support: (scope: string) => reads(scope) || supported.test(scope),
  auditor: reads,
} as const

export type AdministratorKind = keyof typeof kinds

export const administratorKinds = Object.freeze(Object.keys(kinds)) as readonly AdministratorKind[]

export const isAdministratorKind = (value: unknown): value is AdministratorKind =>
  typeof value === 'string' && Object.hasOwn(kinds, value)

/** The problem of a kind as written; null where it has none. */
export const administratorProblem = (value: unknown): string | null =>
  isAdministratorKind(value) ? null : `must be one of ${administratorKinds.join(', ')}`

export const mayAdminister = (kind: AdministratorKind | null, scope: string): boolean =>
  kind !== null && kinds[kind](scope)
