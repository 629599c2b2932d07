/**
 * What a person can give away: not the issuer's own scopes, which only administrators hold, and of an API that asks for
 * roles only what their roles allow.
 */
import { mayAdminister } from '../people/administrator.ts'
import type { Person } from '../people/person.ts'
import { issuerScopes } from './built-in-scopes.ts'
import { catalogueIndex } from './catalogue.ts'
import type { Scope } from './scope.ts'
import type { Catalogue } from './tenant.ts'

/** Also of nouns that come later: a name that begins so is never a person's to give by consent alone. */
const isOfIssuer = (name: string): boolean => name.startsWith('admin:') || issuerScopes.has(name)

const hasIssuerScope = (scope: Scope): boolean => scope.values().some(isOfIssuer)

/** What is left to whoever was given none of the issuer's own scopes by name. */
export const withoutIssuerScopes = (scope: Scope): Scope =>
  hasIssuerScope(scope) ? new Set([...scope].filter((name) => !isOfIssuer(name))) : scope

/** What decides beside the scope: null holds nothing. */
export type ScopeHolder = Pick<Person, 'administrator' | 'roles'> | null

/** Whether it matters at all who the person is. */
export function isPersonal(scope: Scope, catalogue: Catalogue): boolean {
  const { byRole } = catalogueIndex(catalogue)
  return hasIssuerScope(scope) || (byRole.size > 0 && scope.values().some((name) => byRole.has(name)))
}

/** The part of a scope that a person may hold, whatever a client asked and they agreed to. */
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

/** Why nothing is left of what was asked for. */
export const nothingPersonal = (scope: Scope): 'administrators_only' | 'roles_missing' =>
  [...scope].every(isOfIssuer) ? 'administrators_only' : 'roles_missing'
