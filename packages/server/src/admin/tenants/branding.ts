/** The branding of a tenant as the API shows it, and a read-only action that previews its colours. */
import type { ActionPlan } from '@grantor/api'
import { longestBrandName } from '@grantor/protocol/branding'
import { Type } from 'typebox'
import { baseColours, palette, type Mode, type ThemeColours } from '../../pages/theme/palette.ts'
import { brandColours } from '../../pages/theme/tenant-theme.ts'
import { tenantOf } from '../fields.ts'

const colour = (description: string) =>
  Type.Optional(Type.String({ pattern: '^#(?:[0-9a-fA-F]{3}){1,2}$', description }))

const colours = {
  accent: colour('Of buttons and links; shown darker or lighter where it could not be read'),
  background: colour('Of the page; the same'),
}

export const BrandingSchema = Type.Object(
  {
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: longestBrandName, description: 'Instead of the name of the tenant' }),
    ),
    logo: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 44_000,
        description: 'Written: a PNG, JPEG or WebP of at most 32 KiB as a data: URI. Read: where it is served',
      }),
    ),
    ...colours,
  },
  { additionalProperties: false, description: 'How its pages and mails look' },
)

/** Returns the brand's colours together with the fixed colours of our pages. */
export const previewBranding = <Document extends object>(deployment: ThemeColours): ActionPlan<Document> => ({
  on: 'item',
  scope: 'admin:tenants:read',
  summary: 'Show the colours that people would see, in light and in dark, with those of a branding; none is changed',
  body: Type.Object(colours, { additionalProperties: false }),
  example: { accent: '#1d4ed8', background: '#eef2ff' },
  async run(branding: { readonly accent?: string; readonly background?: string }, context) {
    const tenant = { id: tenantOf(context), name: '', branding }
    const shown = palette(brandColours(tenant, deployment))
    const fixed = (mode: Mode) => {
      const { surface, ink, muted } = baseColours[mode]
      const { accent, onAccent, page } = shown[mode]
      return { accent, on_accent: onAccent, page, surface, ink, muted }
    }
    return Promise.resolve({ light: fixed('light'), dark: fixed('dark') })
  },
})
