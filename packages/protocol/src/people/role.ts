/** Roles: bundles of scopes at one API, given to people themselves or to groups of them. They are never administrators. */

export interface Role {
  /** As it stands in requests, files and tokens. Never changes. */
  readonly name: string
  readonly description: string
  /** The identifier of the API whose scopes these are. */
  readonly resource: string
  readonly scopes: readonly string[]
}

/** How many there may be. All roles of a tenant are held in memory, and those of a person may stand in a token. */
export const roleLimits = Object.freeze({ ofTenant: 1000, scopesOfRole: 200, nameLength: 64 })

/** No spaces: a list of them is words. */
const roleName = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/

export const isRoleName = (value: unknown): value is string => typeof value === 'string' && roleName.test(value)

/** What is wrong with a list of roles that somebody wrote for a person or a group; null when nothing is. */
export function roleListProblem(value: unknown): string | null {
  if (!Array.isArray(value) || !value.every(isRoleName)) return 'must be a list of names of roles'
  if (value.length > roleLimits.ofTenant) return `must not name more than ${roleLimits.ofTenant} roles`
  return new Set(value).size === value.length ? null : 'must not name a role twice'
}
