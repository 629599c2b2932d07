/** Clients and their secrets. */
import { claimNames, claimsRequest, claimsWithout } from '@grantor/protocol/oidc'
import type { Client } from '@grantor/protocol/registration'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { ClientCreation, ClientSecretRow, ClientStore, NewClient } from '../../contract/clients/clients.ts'
import { tickOf } from '../directory/clock.ts'
import { removeStreamsOf } from '../outgoing/event-receivers.ts'
import type { Entry } from '../entry.ts'
import { endCodesOfClient } from '../tokens/ended-grants.ts'
import { asText, json, number, text } from '../row.ts'
import type { SetAsideRows } from '../set-aside.ts'
import { clientsOf } from './client-rows.ts'
import { all, changed, first, log, run, sql, type Statement, undo, type Verb } from '../verb.ts'

export function* find(aside: SetAsideRows, tenant: TenantId, id: string): Verb<Client | null> {
  const rows = yield* all(sql`select c.*, k.up_to as dead_up_to, s.handle, s.created_at as secret_created_at,
      s.expires_at as secret_expires_at, w.last_used_at
    from clients c left join client_secrets s on s.tenant = c.tenant and s.client = c.id
    left join client_uses w on w.tenant = c.tenant and w.client_id = c.id
    left join token_cutoffs k on k.tenant = c.tenant and k.dimension = 'client' and k.key = c.id
    where c.tenant = ${tenant} and c.id = ${id} order by s.created_at, s.handle`)
  if (rows.length === 0) aside.forget({ kind: 'client', tenant, id })
  return clientsOf(rows, aside)[0] ?? null
}

interface ClientPage {
  readonly after: string | null
  readonly limit: number
  readonly descending: boolean
}

/** Returns as many as requested, even if some in between cannot be read. */
export function* list(aside: SetAsideRows, tenant: TenantId, page: ClientPage): Verb<readonly Client[]> {
  const found: Client[] = []
  for (let { after } = page; ;) {
    const remaining = page.limit - found.length
    // Greater than every id: ids are printable ASCII.
    const next = page.descending
      ? backwards(tenant, after ?? '\u007f', remaining)
      : forwards(tenant, after ?? '', remaining)
    const rows = yield* all(next)
    found.push(...clientsOf(rows, aside))
    const ids = [...new Set(rows.map((row) => text(row, 'id')))]
    if (ids.length < remaining || found.length >= page.limit) return found
    after = ids.at(-1) ?? null
  }
}

const forwards = (tenant: TenantId, after: string, limit: number): Statement =>
  sql`select c.*, s.handle, s.created_at as secret_created_at, s.expires_at as secret_expires_at, w.last_used_at
    from (select * from clients where tenant = ${tenant} and id > ${after} order by id limit ${limit}) c
    left join client_secrets s on s.tenant = c.tenant and s.client = c.id
    left join client_uses w on w.tenant = c.tenant and w.client_id = c.id
    order by c.id, s.created_at, s.handle`

const backwards = (tenant: TenantId, before: string, limit: number): Statement =>
  sql`select c.*, s.handle, s.created_at as secret_created_at, s.expires_at as secret_expires_at, w.last_used_at
    from (select * from clients where tenant = ${tenant} and id < ${before} order by id desc limit ${limit}) c
    left join client_secrets s on s.tenant = c.tenant and s.client = c.id
    left join client_uses w on w.tenant = c.tenant and w.client_id = c.id
    order by c.id desc, s.created_at, s.handle`

export function* namedAsPeople(aside: SetAsideRows): Verb<readonly Client[]> {
  const rows = yield* all(sql`select c.*, s.handle, s.created_at as secret_created_at, s.expires_at as secret_expires_at
    from clients c left join client_secrets s on s.tenant = c.tenant and s.client = c.id
    where c.disabled_at is null and exists (select 1 from users u where u.tenant = c.tenant and u.id = c.id)
    order by c.tenant, c.id, s.created_at, s.handle`)
  return [...Map.groupBy(rows, (row) => text(row, 'tenant')).values()].flatMap((them) => clientsOf(them, aside))
}

/**
 * Whether the client counts as unused until its first grant. With client_credentials it acts for itself, without a
 * grant that would show its use.
 */
const isWaiting = ({ metadata, origin }: Pick<NewClient, 'metadata' | 'origin'>): boolean =>
  (origin === 'dynamic' || origin === 'document') && !metadata.grant_types.includes('client_credentials')

export function* create(client: NewClient, entries: readonly Entry[]): Verb<ClientCreation> {
  const clock = yield* tickOf(client.tenant)
  const outcome = yield* insertClient(client, clock)
  if (outcome !== 'created') yield* undo()
  else yield* log(entries)
  return outcome
}

/** The caller has taken a tick, and with it the lock that users.create takes, too. */
export function* insertClient(client: NewClient, version: number): Verb<ClientCreation> {
  const { tenant, id, origin, createdAt, disabledAt } = client
  const home = yield* first(sql`select id from tenants where id = ${tenant}`)
  if (home === null) return 'no-tenant'
  const person = yield* first(sql`select id from users where tenant = ${tenant} and id = ${id}`)
  if (person !== null) return 'subject-of-person'
  const made =
    yield* changed(sql`insert into clients (tenant, id, metadata, origin, created_at, updated_at, disabled_at, version,
      registration_access, fresh_until, unused_since, vouched)
    values (${tenant}, ${id}, ${asText(client.metadata)}, ${origin === 'document' ? 'dynamic' : origin}, ${createdAt},
      ${createdAt}, ${disabledAt ?? null}, ${version}, ${client.registrationAccess ?? null}, ${client.freshUntil ?? null},
      ${isWaiting(client) ? createdAt : null}, ${client.vouched === true ? 1 : null})
    on conflict (tenant, id) do nothing`)
  if (!made) return 'exists'
  for (const secret of client.secrets) yield* insertSecret(tenant, id, secret)
  return 'created'
}

export function* insertSecret(tenant: TenantId, client: string, secret: ClientSecretRow): Verb<void> {
  yield* run(sql`insert into client_secrets (tenant, client, handle, created_at, expires_at)
    values (${tenant}, ${client}, ${secret.handle}, ${secret.createdAt}, ${secret.expiresAt})`)
}

type Rotation = Omit<Parameters<ClientStore['rotateSecret']>[0], 'events'>

export function* rotateSecret(
  { tenant, id, version, secret, othersExpireAt, at }: Rotation,
  entries: readonly Entry[],
): Verb<'rotated' | 'absent' | 'changed-meanwhile'> {
  const clock = yield* tickOf(tenant)
  const held = yield* changed(sql`update clients set version = ${clock}, updated_at = ${at}
    where tenant = ${tenant} and id = ${id} and version = ${version}`)
  if (!held) {
    const there = yield* first(sql`select id from clients where tenant = ${tenant} and id = ${id}`)
    yield* undo()
    return there === null ? 'absent' : 'changed-meanwhile'
  }
  yield* run(sql`update client_secrets set expires_at = ${othersExpireAt}
    where tenant = ${tenant} and client = ${id} and (expires_at is null or expires_at > ${othersExpireAt})`)
  yield* insertSecret(tenant, id, secret)
  yield* log(entries)
  return 'rotated'
}

type Replacement = Omit<Parameters<ClientStore['replace']>[0], 'events'>

export function* replace(
  { tenant, id, version, metadata, disabledAt, secrets, losesScope = [], at }: Replacement,
  entries: readonly Entry[],
): Verb<'replaced' | 'absent' | 'changed-meanwhile'> {
  const clock = yield* tickOf(tenant)
  const held = yield* changed(sql`update clients
    set metadata = ${asText(metadata)}, disabled_at = ${disabledAt}, updated_at = ${at}, version = ${clock},
      unused_since = case when ${metadata.grant_types.includes('client_credentials') ? 1 : 0} = 1 then null else unused_since end
    where tenant = ${tenant} and id = ${id} and version = ${version}`)
  if (!held) {
    const there = yield* first(sql`select id from clients where tenant = ${tenant} and id = ${id}`)
    yield* undo()
    return there === null ? 'absent' : 'changed-meanwhile'
  }
  if (secrets !== null) {
    yield* run(sql`delete from client_secrets where tenant = ${tenant} and client = ${id}`)
    for (const secret of secrets) yield* insertSecret(tenant, id, secret)
  }
  yield* narrowGrants(tenant, id, losesScope)
  yield* endCodesOfClient({ tenant, id, metadata, disabled: disabledAt !== null, at })
  yield* log(entries)
  return 'replaced'
}

/**
 * Scopes are stored as names between single spaces, which no name contains. Claims are removed with the scopes they
 * belong to.
 */
export function* narrowGrants(tenant: TenantId, client: string, lost: readonly string[]): Verb<void> {
  if (lost.length > 0) yield* narrowClaims(tenant, client, new Set(lost))
  for (const name of lost.map((it) => ` ${it} `)) {
    yield* run(sql`update grants set scope = trim(replace(' ' || scope || ' ', ${name}, ' '))
      where tenant = ${tenant} and client_id = ${client} and revoked_at is null
        and replace(' ' || scope || ' ', ${name}, ' ') <> ' ' || scope || ' '`)
  }
}

function* narrowClaims(tenant: TenantId, client: string, lost: ReadonlySet<string>): Verb<void> {
  const rows = yield* all(sql`select id, claims from grants
    where tenant = ${tenant} and client_id = ${client} and revoked_at is null and claims is not null order by id`)
  for (const row of rows) {
    const asked = claimsRequest(json(row, 'claims'))
    const remainingClaims = claimsWithout(asked, lost)
    if (claimNames(remainingClaims).size === claimNames(asked).size) continue
    yield* run(
      sql`update grants set claims = ${asText(remainingClaims)} where tenant = ${tenant} and id = ${text(row, 'id')}`,
    )
  }
}

export function* remove(
  tenant: TenantId,
  which: string | { readonly id: string; readonly version: number },
  at: Instant,
  entries: readonly Entry[],
): Verb<'removed' | 'absent' | 'changed-meanwhile'> {
  // Every change of a client takes this tick first, so what is read after it stays true until the commit.
  yield* tickOf(tenant)
  const id = typeof which === 'string' ? which : which.id
  const held = yield* first(sql`select version from clients where tenant = ${tenant} and id = ${id}`)
  const changed = held !== null && typeof which !== 'string' && number(held, 'version') !== which.version
  if (held === null || changed) {
    yield* undo()
    return changed ? 'changed-meanwhile' : 'absent'
  }
  yield* eraseClient(tenant, id, at)
  yield* log(entries)
  return 'removed'
}

/** Deletes everything that belongs to the client, so that a new client of the same id inherits nothing. */
export function* eraseClient(tenant: TenantId, id: string, at: Instant): Verb<boolean> {
  yield* run(sql`delete from client_secrets where tenant = ${tenant} and client = ${id}`)
  const gone = yield* changed(sql`delete from clients where tenant = ${tenant} and id = ${id}`)
  if (!gone) return false
  yield* run(sql`delete from opaque_tokens where tenant = ${tenant} and client_id = ${id}`)
  yield* run(sql`delete from api_keys where tenant = ${tenant} and client_id = ${id}`)
  yield* run(sql`delete from client_uses where tenant = ${tenant} and client_id = ${id}`)
  yield* run(sql`delete from session_parties where tenant = ${tenant} and client_id = ${id}`)
  yield* run(sql`delete from deliveries where tenant = ${tenant} and client_id = ${id}`)
  yield* run(sql`delete from device_codes where tenant = ${tenant} and client_id = ${id}`)
  yield* removeStreamsOf(tenant, id)
  yield* run(
    sql`update grants set revoked_at = ${at} where tenant = ${tenant} and client_id = ${id} and revoked_at is null`,
  )
  yield* run(sql`update consents set revoked_at = ${at}, revoked_by = 'client.deleted'
    where tenant = ${tenant} and client_id = ${id} and revoked_at is null`)
  return true
}
