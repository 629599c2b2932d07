/** An index of a catalogue: the owner of each scope, and the resource of each identifier. */
import { canonicalUri } from './uri.ts'
import { oidcScopes } from '../oidc/scopes.ts'
import type { Role } from '../people/role.ts'
import { builtInScopes } from './built-in-scopes.ts'
import type { Catalogue, Resource, ScopeEntry } from './tenant.ts'

export interface CatalogueIndex {
  /** Declared and built-in scopes; those of OIDC are in no catalogue. */
  readonly scopes: ReadonlyMap<string, ScopeEntry>
  /** By the canonical identifier, and by the declared one. */
  readonly resources: ReadonlyMap<string, Resource>
  /** The scopes that people hold only by a role; each with the roles that allow it. */
  readonly byRole: ReadonlyMap<string, ReadonlySet<string>>
}

// Catalogues are immutable and live as long as the authority's cache holds them: each is indexed once.
const indexes = new WeakMap<Catalogue, CatalogueIndex>()

export function catalogueIndex(catalogue: Catalogue): CatalogueIndex {
  const known = indexes.get(catalogue)
  if (known !== undefined) return known
  const index: CatalogueIndex = {
    // Built-in scopes come last, so that a declared scope of the same name cannot replace them.
    scopes: new Map([...catalogue.scopes, ...builtInScopes].map((entry) => [entry.name, entry])),
    resources: new Map(
      catalogue.resources.flatMap((it) => [
        [it.identifier, it],
        [canonicalUri(it.identifier) ?? it.identifier, it],
      ]),
    ),
    byRole: scopesByRole(catalogue),
  }
  indexes.set(catalogue, index)
  return index
}

/** The parts of a catalogue that determine which scopes are held only by a role, and by which. */
export interface RoleTable {
  readonly resources: readonly Pick<Resource, 'identifier' | 'requireRoles'>[]
  readonly scopes: readonly Pick<ScopeEntry, 'name' | 'resource'>[]
  readonly roles?: readonly Role[]
}

/** A role allows only scopes of its own API: not a scope that has moved to another one since. */
export function scopesByRole({ resources, scopes, roles = [] }: RoleTable): CatalogueIndex['byRole'] {
  const canonical = (identifier: string): string => canonicalUri(identifier) ?? identifier
  const guarded = new Set(resources.filter((it) => it.requireRoles === true).map((it) => canonical(it.identifier)))
  if (guarded.size === 0) return new Map()
  return new Map(
    scopes.flatMap(({ name, resource }) => {
      const of = resource === null ? null : canonical(resource)
      if (of === null || !guarded.has(of)) return []
      const allowing = roles.filter((role) => role.scopes.includes(name) && canonical(role.resource) === of)
      return [[name, new Set(allowing.map((role) => role.name))] as const]
    }),
  )
}

export const isKnownScope = (catalogue: Catalogue, name: string): boolean =>
  oidcScopes.has(name) || catalogueIndex(catalogue).scopes.has(name)

/** By any equivalent spelling. */
export function findResource(catalogue: Catalogue, identifier: string): Resource | null {
  const { resources } = catalogueIndex(catalogue)
  const declared = resources.get(identifier)
  if (declared !== undefined) return declared
  const canonical = canonicalUri(identifier)
  return canonical === null ? null : (resources.get(canonical) ?? null)
}
