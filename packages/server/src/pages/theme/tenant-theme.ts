/** How the pages of a tenant look: its own name, logo and colours, and the deployment's where it has none. */
import { logoPath } from '@grantor/protocol/branding'
import type { Tenant } from '@grantor/protocol/oauth'
import { defaultTenant } from '../../issuer.ts'
import { assetFolder } from '../assets/assets.ts'
import { brandSheet, type ThemeColours } from './palette.ts'
import type { PageTheme } from './theme.ts'

export type BrandedTenant = Pick<Tenant, 'id' | 'name' | 'branding'>

/** The first tenant is the deployment, and is called what that is called. */
export const brandName = ({ id, name, branding }: BrandedTenant, deployment: string): string =>
  branding?.name ?? (id === defaultTenant ? deployment : name)

/** A colour of the tenant is for light and dark: what the deployment said of dark went with its own. */
export const brandColours = ({ branding = {} }: BrandedTenant, deployment: ThemeColours): ThemeColours => {
  const { accent, accentDark, background, backgroundDark } = deployment
  return {
    ...(branding.accent !== undefined ? { accent: branding.accent } : given({ accent, accentDark })),
    ...(branding.background !== undefined
      ? { background: branding.background }
      : given({ background, backgroundDark })),
  }
}

const given = (colours: Readonly<Record<string, string | undefined>>): ThemeColours =>
  Object.fromEntries(Object.entries(colours).filter(([, value]) => value !== undefined))

export function tenantTheme(deployment: PageTheme, tenant: BrandedTenant): PageTheme {
  const { branding = {} } = tenant
  const colours = brandColours(tenant, deployment.colours)
  const ownColours = branding.accent !== undefined || branding.background !== undefined
  return {
    name: brandName(tenant, deployment.name),
    logo:
      branding.logo === undefined
        ? deployment.logo
        : { name: logoPath(tenant.id, branding.logo).slice(assetFolder.length + 1) },
    stylesheet: ownColours ? brandSheet(colours) : deployment.stylesheet,
    colours,
  }
}
