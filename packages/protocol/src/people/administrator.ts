/** Administrators: the kinds there are, and which of the issuer's own scopes each may hold. */

/** One row a kind: whether it may hold a scope of the issuer. */
const kinds = {
  owner: (_scope: string) => true,
} as const

export type AdministratorKind = keyof typeof kinds

export const isAdministratorKind = (value: unknown): value is AdministratorKind =>
  typeof value === 'string' && Object.hasOwn(kinds, value)

/** What is wrong with a kind that somebody wrote; null when nothing is. */
export const administratorProblem = (value: unknown): string | null =>
  isAdministratorKind(value) ? null : `must be ${Object.keys(kinds).join(' or ')}`

export const mayAdminister = (kind: AdministratorKind | null, scope: string): boolean =>
  kind !== null && kinds[kind](scope)
