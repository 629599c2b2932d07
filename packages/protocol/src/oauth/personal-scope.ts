/**
 * The scopes that a person can hold: the issuer's own only as an administrator, and those of an API that requires roles
 * only with a role that allows them.
 */
import { mayAdminister } from '../people/administrator.ts'
import type { Person } from '../people/person.ts'
import { issuerScopes } from './built-in-scopes.ts'
import { catalogueIndex } from './catalogue.ts'
import type { Scope } from './scope.ts'
import type { Catalogue } from './tenant.ts'

/** Also for future nouns: a name with this prefix is never granted by consent alone. */
const isOfIssuer = (name: string): boolean => name.startsWith('admin:') || issuerScopes.has(name)

const hasIssuerScope = (scope: Scope): boolean => scope.values().some(isOfIssuer)

/** The scope without the issuer's own scopes. */
export const withoutIssuerScopes = (scope: Scope): Scope =>
  hasIssuerScope(scope) ? new Set([...scope].filter((name) => !isOfIssuer(name))) : scope

/** The person's rights; null has none. */
export type ScopeHolder = Pick<Person, 'administrator' | 'roles'> | null

/** Whether the scope depends on who the person is. */
export function isPersonal(scope: Scope, catalogue: Catalogue): boolean {
  const { byRole } = catalogueIndex(catalogue)
  return hasIssuerScope(scope) || (byRole.size > 0 && scope.values().some((name) => byRole.has(name)))
}

/** The part of a scope that a person may hold, whatever a client requested and they agreed to. */
export function personalScope(scope: Scope, person: ScopeHolder, catalogue: Catalogue): Scope {
  if (!isPersonal(scope, catalogue)) return scope
  const { byRole } = catalogueIndex(catalogue)
  const allows = (name: string): boolean => {
    if (isOfIssuer(name)) return mayAdminister(person?.administrator ?? null, name)
    const roles = byRole.get(name)
    return roles === undefined || (person?.roles ?? []).some((role) => roles.has(role))
  }
  return new Set([...scope].filter(allows))
}

/** Why nothing remains of the requested scope. */
export const nothingPersonal = (scope: Scope): 'administrators_only' | 'roles_missing' =>
  [...scope].every(isOfIssuer) ? 'administrators_only' : 'roles_missing'
