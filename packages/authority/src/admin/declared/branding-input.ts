/**
 * A tenant's branding in a declared file: it replaces the previous one as a whole; without a section nothing changes.
 */
import { brandingDocument, type BrandingInput, isPlain, logoUri, readBranding } from '@grantor/protocol/branding'
import type { Tenant } from '@grantor/protocol/oauth'
import type { Json, JsonObject, TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { ReportProblem } from './user-input.ts'

export function brandingInput(
  value: Json | undefined,
  { at, tenant }: { readonly at: string; readonly tenant: TenantId },
  report: ReportProblem,
): BrandingInput | null {
  if (value === undefined || value === null) return null
  const read = readBranding(value, { tenant, held: undefined })
  if (read.kind === 'ok') return read.value
  for (const { field, problem } of read.error) report(field === '' ? at : `${at}.${field}`, problem)
  return null
}

/** The branding as a plan shows it. */
export const brandingFields = ({ id, branding }: Pick<Tenant, 'id' | 'branding'>): JsonObject =>
  branding === undefined || isPlain(branding) ? {} : { branding: brandingDocument(id, branding) }

/** The change for the store: null where the branding is empty. */
export const brandingChange = (input: BrandingInput): BrandingInput | null => (isPlain(input.branding) ? null : input)

/** The branding as a file writes it, including the picture. */
export async function exportedBranding(
  { id, branding }: Pick<Tenant, 'id' | 'branding'>,
  store: { readonly directory: Pick<Store['directory'], 'logo'> },
): Promise<JsonObject> {
  if (branding === undefined) return {}
  const { logo, ...rest } = branding
  const picture = logo === undefined ? null : await store.directory.logo(id, logo.hash)
  return { branding: { ...rest, ...(picture === null ? {} : { logo: logoUri(picture) }) } }
}
