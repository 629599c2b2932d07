/**
 * Roles: bundles of scopes of one API, given to people directly or to their groups. They give no rights of an
 * administrator.
 */

export interface Role {
  /** The name in requests, files and tokens. Never changes. */
  readonly name: string
  readonly description: string
  /** The identifier of the API whose scopes these are. */
  readonly resource: string
  readonly scopes: readonly string[]
}

/** Limits. All roles of a tenant are kept in memory, and those of a person may be part of a token. */
export const roleLimits = Object.freeze({ ofTenant: 1000, scopesOfRole: 200, nameLength: 64 })

/** No spaces, so that a list can be written as words. */
const roleName = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/

export const isRoleName = (value: unknown): value is string => typeof value === 'string' && roleName.test(value)

/** The problem of a list of roles for a person or a group; null where it has none. */
export function roleListProblem(value: unknown): string | null {
  if (!Array.isArray(value) || !value.every(isRoleName)) return 'must be a list of names of roles'
  if (value.length > roleLimits.ofTenant) return `must not name more than ${roleLimits.ofTenant} roles`
  return new Set(value).size === value.length ? null : 'must not name a role twice'
}
