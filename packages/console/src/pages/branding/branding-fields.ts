/** The branding of a tenant as fields of a form: texts, of which the empty one leaves it to the deployment. */
import type { Tenant } from '../tenants/list.tsx'

export interface BrandingFields {
  readonly name: string
  /** The address of the one that is there, or a new one as a `data:` URI. */
  readonly logo: string
  readonly accent: string
  readonly background: string
}

export const nothing: BrandingFields = { name: '', logo: '', accent: '', background: '' }

export const editableBranding = ({ branding = {} }: Pick<Tenant, 'branding'>): BrandingFields => ({
  ...nothing,
  ...branding,
})

/** RFC 7396: null takes a member away. */
export const brandingPatch = (changes: Partial<BrandingFields>): object => ({
  branding: Object.fromEntries(
    Object.entries(changes).map(([name, typed]: [string, string]) => [name, typed.trim() === '' ? null : typed.trim()]),
  ),
})

/** What can be asked for: a colour that is still being typed is none yet. */
export const colourOf = (typed: string): string | undefined =>
  /^#(?:[0-9a-f]{3}){1,2}$/i.test(typed.trim()) ? typed.trim().toLowerCase() : undefined

/** `#abc` and `#aabbcc` are one. */
export const wholeColour = (colour: string): string =>
  colour.length === 4 ? `#${colour.slice(1).replaceAll(/./g, '$&$&')}` : colour
