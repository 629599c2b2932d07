/** The theme of a tenant: its own name, logo and colours, or the deployment's; and the colours of a client. */
import type { DisplayedClient } from '@grantor/authority'
import { hexOf, logoPath, parseColour } from '@grantor/protocol/branding'
import type { Tenant } from '@grantor/protocol/oauth'
import { defaultTenant } from '../../issuer.ts'
import { assetFolder } from '../assets/assets.ts'
import { brandSheet, type ThemeColours } from './palette.ts'
import type { PageTheme } from './theme.ts'

type OwnColours = Pick<ThemeColours, 'accent' | 'background'>

export type BrandedTenant = Pick<Tenant, 'id' | 'name' | 'branding'>

/** The default tenant has the name of the deployment. */
export const brandName = ({ id, name, branding }: BrandedTenant, deployment: string): string =>
  branding?.name ?? (id === defaultTenant ? deployment : name)

/**
 * A colour of the tenant is used for light and dark; the deployment's dark colour belongs only to its own light one.
 */
export const brandColours = ({ branding = {} }: BrandedTenant, deployment: ThemeColours): ThemeColours =>
  ownColours(branding, deployment)

function ownColours(own: OwnColours, around: ThemeColours): ThemeColours {
  const { accent, accentDark, background, backgroundDark } = around
  return {
    ...(own.accent !== undefined ? { accent: own.accent } : given({ accent, accentDark })),
    ...(own.background !== undefined ? { background: own.background } : given({ background, backgroundDark })),
  }
}

const given = (colours: Readonly<Record<string, string | undefined>>): ThemeColours =>
  Object.fromEntries(Object.entries(colours).filter(([, value]) => value !== undefined))

export function tenantTheme(deployment: PageTheme, tenant: BrandedTenant): PageTheme {
  const { branding = {} } = tenant
  const colours = brandColours(tenant, deployment.colours)
  const hasColours = branding.accent !== undefined || branding.background !== undefined
  return {
    name: brandName(tenant, deployment.name),
    logo:
      branding.logo === undefined
        ? deployment.logo
        : { name: logoPath(tenant.id, branding.logo).slice(assetFolder.length + 1) },
    stylesheet: hasColours ? brandSheet(colours) : deployment.stylesheet,
    colours,
  }
}

/** Name and logo stay the tenant's, because the client must not change whose page it appears to be. */
export function clientTheme(tenant: PageTheme, client: DisplayedClient['colours']): PageTheme {
  const own = given({ accent: plain(client.accent), background: plain(client.background) })
  if (own.accent === undefined && own.background === undefined) return tenant
  const colours = ownColours(own, tenant.colours)
  return { ...tenant, stylesheet: brandSheet(colours), colours }
}

/** A colour in the form that names of stylesheets use. */
function plain(text: string | null): string | undefined {
  const read = parseColour(text ?? '')
  return read === null ? undefined : hexOf(read)
}
