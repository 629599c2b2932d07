/** API keys. */
import type { Actor } from '@grantor/protocol/events'
import { type ApiKey, useNotedEvery } from '@grantor/protocol/oauth'
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'
import type { ApiKeyPage, ApiKeyStore } from '../../contract/clients/api-keys.ts'
import { lockSubjects } from '../directory/clock.ts'
import type { Entry } from '../entry.ts'
import { asText, asWords, instant, json, list as textList, maybeInstant, text, words } from '../row.ts'
import { all, changed, first, log, lookup, type Row, run, sql, type Statement, undo, type Verb } from '../verb.ts'

export function* add(
  key: Parameters<ApiKeyStore['add']>[0],
  entries: readonly Entry[],
): Verb<'added' | 'no-client' | 'no-resource'> {
  const { tenant, clientId, resource } = key
  // Removing a client or a resource takes this lock first, so neither can disappear between these checks and the
  // commit.
  yield* lockSubjects()
  const client = yield* first(sql`select id from clients where tenant = ${tenant} and id = ${clientId}`)
  const home = yield* first(sql`select identifier from resources where tenant = ${tenant} and identifier = ${resource}`)
  if (client === null || (home === null && key.ofIssuer !== true)) {
    yield* undo()
    return client === null ? 'no-client' : 'no-resource'
  }
  yield* run(sql`insert into api_keys (tenant, id, handle, name, client_id, resource, scope, addresses, created_at,
      created_by, expires_at)
    values (${tenant}, ${key.id}, ${key.handle}, ${key.name}, ${clientId}, ${resource},
      ${key.scope === null ? null : asWords(key.scope)}, ${asText(key.addresses)}, ${key.createdAt},
      ${asText(key.createdBy)}, ${key.expiresAt})`)
  yield* log(entries)
  return 'added'
}

const keyOf = (row: Row): ApiKey => ({
  tenant: text(row, 'tenant') as TenantId,
  id: text(row, 'id'),
  name: text(row, 'name'),
  clientId: text(row, 'client_id'),
  resource: text(row, 'resource'),
  scope: row['scope'] === null ? null : words(row, 'scope'),
  addresses: textList(row, 'addresses'),
  createdAt: instant(row, 'created_at'),
  createdBy: json(row, 'created_by') as unknown as Actor,
  expiresAt: maybeInstant(row, 'expires_at'),
  lastUsedAt: maybeInstant(row, 'last_used_at'),
  revokedAt: maybeInstant(row, 'revoked_at'),
})

export function* byHandle(tenant: TenantId, handle: Handle): Verb<ApiKey | null> {
  const row = yield* first(lookup`select * from api_keys where tenant = ${tenant} and handle = ${handle}`)
  return row && keyOf(row)
}

export function* find(tenant: TenantId, id: string): Verb<ApiKey | null> {
  const row = yield* first(sql`select * from api_keys where tenant = ${tenant} and id = ${id} and revoked_at is null`)
  return row && keyOf(row)
}

export function* list(tenant: TenantId, page: ApiKeyPage): Verb<readonly ApiKey[]> {
  const rows = yield* all(page.descending ? backwards(tenant, page) : forwards(tenant, page))
  return rows.map(keyOf)
}

/** By the more selective condition: a client has fewer keys than an API. */
function forwards(tenant: TenantId, { clientId, resource, after, limit }: ApiKeyPage): Statement {
  const last = after ?? ''
  if (clientId !== null)
    return sql`select * from api_keys where tenant = ${tenant} and client_id = ${clientId} and id > ${last}
      and revoked_at is null and (cast(${resource} as text) is null or resource = ${resource}) order by id limit ${limit}`
  return resource === null
    ? sql`select * from api_keys where tenant = ${tenant} and id > ${last} and revoked_at is null
        order by id limit ${limit}`
    : sql`select * from api_keys where tenant = ${tenant} and resource = ${resource} and id > ${last}
        and revoked_at is null order by id limit ${limit}`
}

function backwards(tenant: TenantId, { clientId, resource, after, limit }: ApiKeyPage): Statement {
  // Greater than every id: ids are printable ASCII.
  const last = after ?? '\u007f'
  if (clientId !== null)
    return sql`select * from api_keys where tenant = ${tenant} and client_id = ${clientId} and id < ${last}
      and revoked_at is null and (cast(${resource} as text) is null or resource = ${resource})
      order by id desc limit ${limit}`
  return resource === null
    ? sql`select * from api_keys where tenant = ${tenant} and id < ${last} and revoked_at is null
        order by id desc limit ${limit}`
    : sql`select * from api_keys where tenant = ${tenant} and resource = ${resource} and id < ${last}
        and revoked_at is null order by id desc limit ${limit}`
}

type Revocation = Omit<Parameters<ApiKeyStore['revoke']>[0], 'events'>

export function* revoke({ tenant, id, at }: Revocation, entries: readonly Entry[]): Verb<'revoked' | 'absent'> {
  const held = yield* changed(sql`update api_keys set revoked_at = ${at}
    where tenant = ${tenant} and id = ${id} and revoked_at is null`)
  if (!held) return 'absent'
  yield* log(entries)
  return 'revoked'
}

export function* noteUse(tenant: TenantId, id: string, at: Instant): Verb<void> {
  yield* run(sql`update api_keys set last_used_at = ${at} where tenant = ${tenant} and id = ${id}
    and (last_used_at is null or last_used_at <= ${at - useNotedEvery} or last_used_at > ${at})`)
}
