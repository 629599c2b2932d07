/** A catalogue made ready for questions: which scope is whose, which resource is meant by an identifier. */
import { canonicalUri } from './uri.ts'
import { oidcScopes } from '../oidc/scopes.ts'
import { builtInScopes } from './built-in-scopes.ts'
import type { Catalogue, Resource, ScopeEntry } from './tenant.ts'

export interface CatalogueIndex {
  /** Declared and built-in scopes; the ones of OIDC are in no catalogue. */
  readonly scopes: ReadonlyMap<string, ScopeEntry>
  /** By their canonical identifier, and by the one they were declared with. */
  readonly resources: ReadonlyMap<string, Resource>
}

// Catalogues are immutable and live as long as the authority's cache holds them: each is indexed once.
const indexes = new WeakMap<Catalogue, CatalogueIndex>()

export function catalogueIndex(catalogue: Catalogue): CatalogueIndex {
  const known = indexes.get(catalogue)
  if (known !== undefined) return known
  const index: CatalogueIndex = {
    // Built-in names come last: a declared scope of the same name could not take them over.
    scopes: new Map([...catalogue.scopes, ...builtInScopes].map((entry) => [entry.name, entry])),
    resources: new Map(
      catalogue.resources.flatMap((it) => [
        [it.identifier, it],
        [canonicalUri(it.identifier) ?? it.identifier, it],
      ]),
    ),
  }
  indexes.set(catalogue, index)
  return index
}

export const isKnownScope = (catalogue: Catalogue, name: string): boolean =>
  oidcScopes.has(name) || catalogueIndex(catalogue).scopes.has(name)

/** By any spelling that means the same. */
export function findResource(catalogue: Catalogue, identifier: string): Resource | null {
  const { resources } = catalogueIndex(catalogue)
  const declared = resources.get(identifier)
  if (declared !== undefined) return declared
  const canonical = canonicalUri(identifier)
  return canonical === null ? null : (resources.get(canonical) ?? null)
}
