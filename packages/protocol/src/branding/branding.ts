/** How a tenant looks to people: the name, logo and colours of its pages and mails, read from what an operator wrote. */
import { displayTextProblem } from '../oauth/display-text.ts'
import { err, ok, type Result } from '../result.ts'
import { isJsonObject, type Json, type JsonObject, type TenantId } from '../types.ts'
import { hexOf, parseColour } from './colour.ts'
import { isLogoHash, isLogoType, type Logo, type LogoType, readLogo } from './logo.ts'

export interface Branding {
  /** Instead of the tenant's own name. */
  readonly name?: string
  /** Which picture: its bytes are kept beside it. */
  readonly logo?: { readonly hash: string; readonly type: LogoType }
  /** `#rrggbb`; where people could not read it, what they see is near it. */
  readonly accent?: string
  readonly background?: string
}

/** What was written, with the bytes of a logo that is new. */
export interface BrandingInput {
  readonly branding: Branding
  readonly logo: Logo | null
}

export interface BrandingProblem {
  /** Of the member; empty where the whole is meant. */
  readonly field: string
  readonly problem: string
}

const members = new Set(['name', 'logo', 'accent', 'background'])
/** It stands beside the logo, on a phone too. */
export const longestBrandName = 60

const extensions: Readonly<Record<LogoType, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' }

/** Where the logo is served, below the deployment's origin; the name of the file is the hash of what is in it. */
export const logoPath = (tenant: TenantId, { hash, type }: NonNullable<Branding['logo']>): string =>
  `/assets/logos/${tenant}/${hash}.${extensions[type]}`

/** A logo is written as a `data:` URI, or as the address of the one that is there, which stays. */
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

/** As it is written, with the address of its logo. */
export const brandingDocument = (tenant: TenantId, { logo, ...rest }: Branding): JsonObject => ({
  ...rest,
  ...(logo === undefined ? {} : { logo: logoPath(tenant, logo) }),
})

/** Whether nothing is said at all. */
export const isPlain = (branding: Branding): boolean => Object.keys(branding).length === 0

/** Whether a stored value is one that `readBranding` made. */
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
