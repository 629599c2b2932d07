/**
 * Which directories are asked about a typed name: that of its mail domain, those its person is linked to, or all that
 * have no domains.
 */
import type { Catalogue } from '@grantor/protocol/oauth'
import { isVisited, providerOfAddress, type StoredProvider } from '@grantor/protocol/providers'
import type { TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { servedProviders } from '../served-providers.ts'

interface DirectoriesDependencies {
  readonly store: Pick<Store, 'identities' | 'users'>
}

/** If none, the name is looked up here only. */
export async function directoriesOf(
  typed: string,
  { tenant, catalogue }: { readonly tenant: TenantId; readonly catalogue: Catalogue | null },
  { store }: DirectoriesDependencies,
): Promise<readonly StoredProvider[]> {
  const served = servedProviders(catalogue).filter((it) => !isVisited(it))
  if (served.length === 0) return []
  const ofDomain = providerOfAddress(typed, served)
  if (ofDomain !== null) return [ofDomain]
  const holder = await store.users.byUsername(tenant, typed)
  if (holder === null) return served.filter(({ domains = [] }) => domains.length === 0)
  // The password of a linked person is the directory's, even where one is stored here: a person who may no longer sign
  // in there must not be able to sign in here.
  const links = await store.identities.of(tenant, holder.id)
  return served.filter((it) => links.some(({ provider, issuer }) => provider === it.id && issuer === it.issuer))
}
