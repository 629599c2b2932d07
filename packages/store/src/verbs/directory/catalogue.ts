/** Tenants, and everything declared in a tenant. */
import type { Catalogue, Tenant } from '@grantor/protocol/oauth'
import { type ClientMetadata, isStoredMetadata } from '@grantor/protocol/registration'
import type { TenantId } from '@grantor/protocol/types'
import { parsed, text } from '../row.ts'
import type { SetAsideRows } from '../set-aside.ts'
import { all, first, type Row, sql, type Verb } from '../verb.ts'
import { detailTypeOf, resourceOf, roleOf, scopeOf, tenantOf } from './directory-rows.ts'

export function* catalogue(aside: SetAsideRows, id: TenantId): Verb<Catalogue | null> {
  const tenant = yield* first(sql`select t.*,
      (with asked (tenant, dimension, key) as (values ('', 'issuer', ''), (t.id, 'tenant', ''))
        select max(k.up_to) from asked a cross join token_cutoffs k
        where k.tenant = a.tenant and k.dimension = a.dimension and k.key = a.key) as dead_up_to
    from tenants t where t.id = ${id}`)
  if (tenant === null) return null
  const resources = yield* all(sql`select * from resources where tenant = ${id} order by identifier`)
  const scopes = yield* all(sql`select * from scopes where tenant = ${id} order by name`)
  const detailTypes = yield* all(sql`select * from authorization_details_types where tenant = ${id} order by type`)
  const roles = yield* all(sql`select * from roles where tenant = ${id} order by name`)
  const readRole = (row: Row) =>
    aside.read({ kind: 'role', tenant: id, id: text(row, 'name') }, () => roleOf(row)) ?? []
  const readDetailType = (row: Row) =>
    aside.read({ kind: 'authorization details type', tenant: id, id: text(row, 'type') }, () => detailTypeOf(row)) ?? []
  const readScope = (row: Row) =>
    aside.read({ kind: 'scope', tenant: id, id: text(row, 'name') }, () => scopeOf(row)) ?? []
  const readResource = (row: Row) =>
    aside.read({ kind: 'resource', tenant: id, id: text(row, 'identifier') }, () => resourceOf(row)) ?? []
  const mappedClaims = yield* claimsOfClients(id)
  return {
    tenant: tenantOf(tenant, aside),
    resources: resources.flatMap(readResource),
    scopes: scopes.flatMap(readScope),
    ...(detailTypes.length === 0 ? {} : { authorizationDetailTypes: detailTypes.flatMap(readDetailType) }),
    ...(roles.length === 0 ? {} : { roles: roles.flatMap(readRole) }),
    ...(mappedClaims.length === 0 ? {} : { mappedClaims }),
  }
}

/**
 * The claims mapped by up to 1000 clients, for discovery. The condition must match that of the partial index literally.
 */
function* claimsOfClients(id: TenantId): Verb<readonly string[]> {
  const rows = yield* all(sql`select metadata from clients
    where tenant = ${id} and metadata like '%"claim_mappings"%' order by id limit 1000`)
  const names = rows.flatMap((row) => {
    const { claim_mappings: mappings = [] } = metadataIn(row)
    return mappings.map(({ claim }) => claim)
  })
  return [...new Set(names)].sort()
}

/** An unreadable client is reported where the client itself is read. */
function metadataIn(row: Row): Partial<ClientMetadata> {
  try {
    const metadata = parsed(row, 'metadata')
    return isStoredMetadata(metadata) ? metadata : {}
  } catch {
    return {}
  }
}

interface TenantPage {
  readonly after: string | null
  readonly limit: number
  readonly descending: boolean
}

export function* tenants(aside: SetAsideRows, { after, limit, descending }: TenantPage): Verb<readonly Tenant[]> {
  const rows = yield* all(
    descending
      ? sql`select * from tenants where id < ${after ?? '\u007f'} order by id desc limit ${limit}`
      : sql`select * from tenants where id > ${after ?? ''} order by id limit ${limit}`,
  )
  return rows.map((row) => tenantOf(row, aside))
}
