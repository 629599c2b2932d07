/** Clients that register themselves, their registration tokens, their documents, and the removal of unused ones. */
import { randomUUIDv7 } from 'node:crypto'
import type { NewEvent } from '@grantor/protocol/events'
import type { EventId, Handle, Instant, TenantId } from '@grantor/protocol/types'
import type { RegistrationStore, RegistrationToken, TokenPage } from '../../contract/clients/registrations.ts'
import { tickOf } from '../directory/clock.ts'
import { type Entry, entryOf } from '../entry.ts'
import { endCodesOfClient } from '../tokens/ended-grants.ts'
import { asText, instant, maybeInstant, maybeNumber, maybeText, number, text } from '../row.ts'
import { all, changed, first, log, type Row, run, sql, undo, type Verb } from '../verb.ts'
import { eraseClient, insertClient, narrowGrants } from './clients.ts'

type Registration = Omit<Parameters<RegistrationStore['register']>[0], 'events'>

export function* register(
  it: Registration,
  entries: readonly Entry[],
): Verb<'registered' | 'exists' | 'no-tenant' | 'subject-of-person' | 'full' | 'token-spent'> {
  const outcome = yield* admit(it)
  if (outcome !== 'registered') yield* undo()
  else yield* log(entries)
  return outcome
}

function* admit({ client, most, token, at }: Registration): ReturnType<typeof register> {
  const { tenant } = client
  // Every change of the directory takes this tick first, so the counts read after it stay true until the commit.
  const clock = yield* tickOf(tenant)
  if (token !== null && !(yield* useToken(tenant, token, at))) return 'token-spent'
  const held = yield* first(sql`select count(*) as n from clients where tenant = ${tenant} and origin = 'dynamic'`)
  if (held !== null && number(held, 'n') >= most) return 'full'
  const made = yield* insertClient(client, clock)
  return made === 'created' ? 'registered' : made
}

/** The statement decides: of concurrent registrations no more succeed than the token has uses. */
function* useToken(tenant: TenantId, handle: Handle, at: Instant): Verb<boolean> {
  const used = yield* first(sql`update registration_tokens set uses_left = uses_left - 1
    where tenant = ${tenant} and handle = ${handle} and (expires_at is null or expires_at > ${at})
      and (uses_left is null or uses_left > 0) returning uses_left`)
  if (used === null) return false
  if (maybeNumber(used, 'uses_left') === 0) {
    yield* run(sql`delete from registration_tokens where tenant = ${tenant} and handle = ${handle}`)
  }
  return true
}

export function* access(tenant: TenantId, id: string): Verb<Handle | null> {
  const row = yield* first(sql`select registration_access from clients where tenant = ${tenant} and id = ${id}`)
  return row === null ? null : (maybeText(row, 'registration_access') as Handle | null)
}

type Refresh = Omit<Parameters<RegistrationStore['refresh']>[0], 'events'>

export function* refresh(
  { tenant, id, version, metadata, losesScope, freshUntil, at }: Refresh,
  entries: readonly Entry[],
): Verb<'refreshed' | 'changed-meanwhile'> {
  if (metadata === null) {
    // Nothing that a decision rests on changes, so neither version nor clock moves.
    const same = yield* changed(sql`update clients set fresh_until = ${freshUntil}
      where tenant = ${tenant} and id = ${id} and version = ${version} and fresh_until is not null`)
    return same ? 'refreshed' : 'changed-meanwhile'
  }
  const clock = yield* tickOf(tenant)
  const held = yield* changed(sql`update clients
    set metadata = ${asText(metadata)}, fresh_until = ${freshUntil}, updated_at = ${at}, version = ${clock}
    where tenant = ${tenant} and id = ${id} and version = ${version} and fresh_until is not null`)
  if (!held) {
    yield* undo()
    return 'changed-meanwhile'
  }
  yield* narrowGrants(tenant, id, losesScope)
  yield* endCodesOfClient({ tenant, id, metadata, disabled: false, at })
  yield* log(entries)
  return 'refreshed'
}

export function* hasGrants(tenant: TenantId, id: string, now: Instant): Verb<boolean> {
  const row = yield* first(sql`select 1 as lives from grants
    where tenant = ${tenant} and client_id = ${id} and revoked_at is null and expires_at > ${now} limit 1`)
  return row !== null
}

export function* unused(): Verb<readonly { readonly tenant: TenantId; readonly since: Instant }[]> {
  const rows = yield* all(sql`select tenant, min(unused_since) as since from clients
    where unused_since is not null group by tenant order by tenant`)
  return rows.map((row) => ({ tenant: text(row, 'tenant') as TenantId, since: instant(row, 'since') }))
}

type Reaping = Omit<Parameters<RegistrationStore['reap']>[0], 'event'>

/** `pattern` is encoded here, once for each removed client, because only this verb knows which are removed. */
export function* reap({ tenant, before, limit, at }: Reaping, pattern: NewEvent): Verb<number> {
  const unusedClients = yield* all(sql`select id from clients where tenant = ${tenant} and unused_since <= ${before}
    order by unused_since, id limit ${limit}`)
  if (unusedClients.length === 0) return 0
  const clock = yield* tickOf(tenant)
  const gone: string[] = []
  for (const row of unusedClients) {
    const id = text(row, 'id')
    // The statement checks again that the client is unused: one that was used meanwhile stays (see useBasis).
    const claimed = yield* changed(sql`update clients set version = ${clock}
      where tenant = ${tenant} and id = ${id} and unused_since <= ${before}`)
    if (claimed && (yield* eraseClient(tenant, id, at))) gone.push(id)
  }
  yield* log(gone.map((clientId) => entryOf({ ...pattern, clientId, id: randomUUIDv7() as string as EventId })))
  return gone.length
}

export function* addToken(
  it: Parameters<RegistrationStore['addToken']>[0],
  entries: readonly Entry[],
): Verb<'added' | 'no-tenant'> {
  const home = yield* first(sql`select id from tenants where id = ${it.tenant}`)
  if (home === null) return 'no-tenant'
  yield* run(sql`insert into registration_tokens (tenant, id, handle, created_at, expires_at, uses_left)
    values (${it.tenant}, ${it.id}, ${it.handle}, ${it.createdAt}, ${it.expiresAt}, ${it.usesLeft})`)
  yield* log(entries)
  return 'added'
}

const tokenOf = (row: Row): RegistrationToken => ({
  tenant: text(row, 'tenant') as TenantId,
  id: text(row, 'id'),
  createdAt: instant(row, 'created_at'),
  expiresAt: maybeInstant(row, 'expires_at'),
  usesLeft: maybeNumber(row, 'uses_left'),
})

export function* tokens(
  tenant: TenantId,
  { after, limit, descending = false }: TokenPage,
): Verb<readonly RegistrationToken[]> {
  const rows = yield* all(
    descending
      ? // Greater than every id: ids are printable ASCII.
        sql`select * from registration_tokens where tenant = ${tenant} and id < ${after ?? '\u007f'}
          order by id desc limit ${limit}`
      : sql`select * from registration_tokens where tenant = ${tenant} and id > ${after ?? ''} order by id limit ${limit}`,
  )
  return rows.map(tokenOf)
}

export function* tokenById(tenant: TenantId, id: string): Verb<RegistrationToken | null> {
  const row = yield* first(sql`select * from registration_tokens where tenant = ${tenant} and id = ${id}`)
  return row && tokenOf(row)
}

export function* token(tenant: TenantId, handle: Handle, now: Instant): Verb<RegistrationToken | null> {
  const row = yield* first(sql`select * from registration_tokens
    where tenant = ${tenant} and handle = ${handle} and (expires_at is null or expires_at > ${now})`)
  return row && tokenOf(row)
}

export function* revokeToken(tenant: TenantId, id: string, entries: readonly Entry[]): Verb<'revoked' | 'absent'> {
  const gone = yield* changed(sql`delete from registration_tokens where tenant = ${tenant} and id = ${id}`)
  if (!gone) return 'absent'
  yield* log(entries)
  return 'revoked'
}
