/** The current look of a tenant's pages, and what they offer. */
import type { Authority } from '@grantor/authority'
import type { Catalogue } from '@grantor/protocol/oauth'
import type { TenantId } from '@grantor/protocol/types'
import { StoreUnavailable } from '@grantor/store'
import { defaultTenant } from '../../issuer.ts'
import { tenantTheme } from './tenant-theme.ts'
import type { PageTheme } from './theme.ts'

export interface TenantPages {
  /** The tenant's catalogue; null where it could not be read. */
  readonly catalogue: Catalogue | null
  readonly theme: PageTheme
  /** Whether the tenant lets people create accounts themselves. */
  readonly signUp: boolean
  /** Whether people may sign in by a mailed link. */
  readonly signInLinks: boolean
}

/**
 * Null for an unknown or disabled tenant. The default tenant is always served; without a database, in the deployment's
 * look.
 */
export async function tenantPages(
  tenant: TenantId,
  browser: Pick<Authority['browser'], 'catalogue'>,
  theme: PageTheme,
): Promise<TenantPages | null> {
  const isFirst = tenant === defaultTenant
  const catalogue = await browser.catalogue({ tenant }).catch((error: unknown) => {
    if (isFirst && error instanceof StoreUnavailable) return null
    throw error
  })
  if (catalogue === null || (!isFirst && catalogue.tenant.disabledAt !== null))
    return isFirst ? { catalogue, theme, signUp: false, signInLinks: false } : null
  const { accounts } = catalogue.tenant
  return {
    catalogue,
    theme: tenantTheme(theme, catalogue.tenant),
    signUp: accounts?.sign_up === true,
    signInLinks: accounts?.sign_in_links === true,
  }
}
