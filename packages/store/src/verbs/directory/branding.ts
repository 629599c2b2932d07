/** The branding of a tenant, and the bytes of its logo, which are a row of their own. */
import { isLogoType, type Logo } from '@grantor/protocol/branding'
import type { TenantId } from '@grantor/protocol/types'
import type { DirectoryChange } from '../../contract/directory/directory.ts'
import { StoreUnreadable } from '../../contract/store.ts'
import { asMaybeText, bytes, text } from '../row.ts'
import { first, run, sql, type Verb } from '../verb.ts'

export function* putBranding({ tenant, branding }: Pick<DirectoryChange, 'tenant' | 'branding'>): Verb<void> {
  if (branding === undefined) return
  const wanted = branding?.branding ?? null
  yield* run(sql`update tenants set branding = ${asMaybeText(wanted)} where id = ${tenant}`)
  yield* run(sql`delete from tenant_logos where tenant = ${tenant} and hash <> ${wanted?.logo?.hash ?? ''}`)
  const logo = branding?.logo ?? null
  if (logo === null) return
  yield* run(sql`insert into tenant_logos (tenant, hash, type, bytes)
    values (${tenant}, ${logo.hash}, ${logo.type}, ${logo.bytes})
    on conflict (tenant) do update set hash = excluded.hash, type = excluded.type, bytes = excluded.bytes`)
}

export function* logo(tenant: TenantId, hash: string): Verb<Logo | null> {
  const row = yield* first(sql`select * from tenant_logos where tenant = ${tenant} and hash = ${hash}`)
  if (row === null) return null
  const type = text(row, 'type')
  if (!isLogoType(type)) throw new StoreUnreadable('the logo is of no known type')
  return { type, hash: text(row, 'hash'), bytes: bytes(row, 'bytes') }
}
