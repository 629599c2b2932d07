/** The logo of a tenant's branding, by the address at which its pages show it. */
import { type Logo as TenantLogo, logoPath } from '@grantor/protocol/branding'
import type { TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { Directory } from './directory.ts'

export type { TenantLogo }

export interface TenantLogoDependencies {
  readonly directory: Pick<Directory, 'servedCatalogue'>
  readonly store: { readonly directory: Pick<Store['directory'], 'logo'> }
}

export const openTenantLogo =
  ({ directory, store }: TenantLogoDependencies) =>
  async (tenant: TenantId, path: string): Promise<TenantLogo | null> => {
    const named = (await directory.servedCatalogue(tenant))?.tenant.branding?.logo
    if (named === undefined || logoPath(tenant, named) !== path) return null
    return store.directory.logo(tenant, named.hash)
  }
