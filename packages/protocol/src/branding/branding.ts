/** The branding of a tenant: the name, logo and colours of its pages and mails, as an operator writes it. */
import { displayTextProblem } from '../oauth/display-text.ts'
import { err, ok, type Result } from '../result.ts'
import { isJsonObject, type Json, type JsonObject, type TenantId } from '../types.ts'
import { hexOf, parseColour } from './colour.ts'
import { isLogoHash, isLogoType, type Logo, type LogoType, readLogo } from './logo.ts'

export interface Branding {
  /** Replaces the tenant's own name. */
  readonly name?: string
  /** Identifies the picture, whose bytes are stored beside it. */
  readonly logo?: { readonly hash: string; readonly type: LogoType }
  /** `#rrggbb`; if it is unreadable, pages use a similar colour. */
  readonly accent?: string
  readonly background?: string
}

/** The written branding, with the bytes of a new logo. */
export interface BrandingInput {
  readonly branding: Branding
  readonly logo: Logo | null
}

export interface BrandingProblem {
  /** The member; empty for the whole. */
  readonly field: string
  readonly problem: string
}

const members = new Set(['name', 'logo', 'accent', 'background'])
/** In characters: the name is shown beside the logo, on a phone, too. */
export const longestBrandName = 60

const extensions: Readonly<Record<LogoType, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }

/** The path of the logo, below the deployment's origin; the file name is the hash of its content. */
export const logoPath = (tenant: TenantId, { hash, type }: NonNullable<Branding['logo']>): string =>
  `/assets/logos/${tenant}/${hash}.${extensions[type]}`

/** A logo is written as a `data:` URI, or as the path of the present one, which then stays. */
export function readBranding(
  value: Json,
  { tenant, held }: { readonly tenant: TenantId; readonly held: Branding | undefined },
): Result<BrandingInput, readonly BrandingProblem[]> {
  if (!isJsonObject(value)) return err([{ field: '', problem: 'must be an object' }])
  const problems: BrandingProblem[] = []
  const report = (field: string, problem: string): void => void problems.push({ field, problem })
  for (const field of Object.keys(value)) if (!members.has(field)) report(field, 'is not known here')
  const { name, logo: wanted } = value
  const wrong = name === undefined ? null : displayTextProblem(name, longestBrandName)
  if (wrong !== null) report('name', wrong)
  const colour = (field: 'accent' | 'background'): JsonObject => {
    const text = value[field]
    if (text === undefined) return {}
    const read = typeof text === 'string' ? parseColour(text) : null
    if (read === null) report(field, 'must be a colour as #rrggbb')
    return read === null ? {} : { [field]: hexOf(read) }
  }
  const colours = { ...colour('accent'), ...colour('background') }
  const kept = held?.logo !== undefined && wanted === logoPath(tenant, held.logo) ? held.logo : null
  const read = wanted === undefined || kept !== null ? null : readLogo(wanted)
  if (read?.kind === 'error') report('logo', read.error)
  if (problems.length > 0 || read?.kind === 'error') return err(problems)
  const logo = kept ?? (read === null ? null : { hash: read.value.hash, type: read.value.type })
  return ok({
    branding: {
      ...(name === undefined ? {} : { name: name as string }),
      ...(logo === null ? {} : { logo }),
      ...colours,
    },
    logo: read?.value ?? null,
  })
}

/** The branding as it is written, with the path of its logo. */
export const brandingDocument = (tenant: TenantId, { logo, ...rest }: Branding): JsonObject => ({
  ...rest,
  ...(logo === undefined ? {} : { logo: logoPath(tenant, logo) }),
})

/** Whether the branding is empty. */
export const isPlain = (branding: Branding): boolean => Object.keys(branding).length === 0

/** Whether a stored value has the form that `readBranding` makes. */
export function isBranding(value: Json): value is JsonObject & Branding {
  if (!isJsonObject(value) || !Object.keys(value).every((field) => members.has(field))) return false
  const { name, logo, accent, background } = value
  const isColour = (text: Json | undefined) =>
    text === undefined || (typeof text === 'string' && parseColour(text) !== null)
  const isLogo = logo === undefined || (isJsonObject(logo) && isLogoHash(logo['hash']) && isLogoType(logo['type']))
  return (
    (name === undefined || displayTextProblem(name, longestBrandName) === null) &&
    isLogo &&
    isColour(accent) &&
    isColour(background)
  )
}
