/** The providers by which people of a tenant can sign in now, and what pages show of them. */
import type { Catalogue } from '@grantor/protocol/oauth'
import {
  isServed,
  isVisited,
  type ProviderKind,
  providerOfAddress,
  type StoredProvider,
} from '@grantor/protocol/providers'

export interface DisplayedProvider {
  readonly id: string
  readonly name: string
  /** Determines the icon on its button. */
  readonly kind: ProviderKind
}

export const servedProviders = (catalogue: Pick<Catalogue, 'tenant'> | null): readonly StoredProvider[] =>
  catalogue === null || catalogue.tenant.disabledAt !== null ? [] : (catalogue.tenant.providers ?? []).filter(isServed)

/** The providers to which browsers are sent. */
export const visitedProviders = (catalogue: Pick<Catalogue, 'tenant'> | null): readonly StoredProvider[] =>
  servedProviders(catalogue).filter(isVisited)

export const displayedProvider = ({ id, name, kind }: StoredProvider): DisplayedProvider => ({ id, name, kind })

/** The providers that a sign-in page offers. */
export interface ProviderChoice {
  readonly providers: readonly DisplayedProvider[]
  /** Whether typing an address may lead to one of them. */
  readonly byAddress: boolean
}

export function providerChoice(catalogue: Pick<Catalogue, 'tenant'> | null): ProviderChoice {
  const served = visitedProviders(catalogue)
  return { providers: served.map(displayedProvider), byAddress: served.some(({ domains = [] }) => domains.length > 0) }
}

/** The id of the provider that is responsible for the domain of a typed address. */
export const providerFor = (typed: string, catalogue: Pick<Catalogue, 'tenant'> | null): string | null =>
  providerOfAddress(typed, visitedProviders(catalogue))?.id ?? null
