/** Our SAML metadata for the administrator of a provider; each provider has its own. */
import { presetOf } from '@grantor/protocol/providers'
import type { TenantId } from '@grantor/protocol/types'
import type { Directory } from '../../directory.ts'
import type { Issuers } from '../../ports/environment.ts'
import { returnAddress } from '../departure.ts'
import { servedProviders } from '../served-providers.ts'
import { samlMetadata } from './relying-party.ts'

interface MetadataDependencies {
  readonly directory: Pick<Directory, 'currentCatalogue'>
  readonly issuers: Issuers
}

/** Null if there is no SAML provider of this id. */
export async function publishedSamlMetadata(
  tenant: TenantId,
  id: string,
  { directory, issuers }: MetadataDependencies,
): Promise<string | null> {
  const provider = servedProviders(await directory.currentCatalogue(tenant)).find((it) => it.id === id)
  if (provider === undefined || presetOf(provider).protocol !== 'saml') return null
  return samlMetadata({ provider, recipient: returnAddress(issuers.issuerOf(tenant), id) })
}
