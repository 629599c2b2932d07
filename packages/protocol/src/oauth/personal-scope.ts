/** What a person can give away: everything but the issuer's own scopes, which only administrators hold. */
import { type AdministratorKind, mayAdminister } from '../people/administrator.ts'
import { issuerScopes } from './built-in-scopes.ts'
import type { Scope } from './scope.ts'

/** Also of nouns that come later: a name that begins so is never a person's to give by consent alone. */
const isOfIssuer = (name: string): boolean => name.startsWith('admin:') || issuerScopes.has(name)

export const hasIssuerScope = (scope: Scope): boolean => scope.values().some(isOfIssuer)

/** The part of a scope that a person may hold, whatever a client asked and they agreed to. */
export const personalScope = (scope: Scope, administrator: AdministratorKind | null): Scope =>
  hasIssuerScope(scope)
    ? new Set([...scope].filter((name) => !isOfIssuer(name) || mayAdminister(administrator, name)))
    : scope
