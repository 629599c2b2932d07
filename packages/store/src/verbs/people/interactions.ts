/** Interactions: an authorization request on its way through the pages. */
import type { Handle, Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import type { InteractionRow } from '../../contract/people/interactions.ts'
import { asText, instant, json, maybeInstant, number, text } from '../row.ts'
import { changed, first, lookup, type Row, run, sql, type Verb } from '../verb.ts'

const interactionOf = (row: Row): InteractionRow => ({
  tenant: text(row, 'tenant') as TenantId,
  handle: text(row, 'handle') as Handle,
  browser: text(row, 'browser') as Handle,
  kind: text(row, 'kind') as InteractionRow['kind'],
  request: json(row, 'request'),
  progress: json(row, 'progress'),
  openedAt: instant(row, 'opened_at'),
  expiresAt: instant(row, 'expires_at'),
  closedAt: maybeInstant(row, 'closed_at'),
  version: number(row, 'version'),
})

export function* openInteraction(it: InteractionRow): Verb<void> {
  yield* run(sql`insert into interactions
      (tenant, handle, browser, kind, request, progress, opened_at, expires_at, closed_at, version)
    values (${it.tenant}, ${it.handle}, ${it.browser}, ${it.kind}, ${asText(it.request)}, ${asText(it.progress)},
      ${it.openedAt}, ${it.expiresAt}, ${it.closedAt}, ${it.version})`)
}

export function* find(tenant: TenantId, handle: Handle): Verb<InteractionRow | null> {
  const row = yield* first(lookup`select * from interactions where tenant = ${tenant} and handle = ${handle}`)
  return row && interactionOf(row)
}

/** The guard is in the WHERE: of two concurrent steps one is recorded, whether or not a row existed. */
export function* record(it: InteractionRow, progress: JsonObject): Verb<'recorded' | 'changed-meanwhile' | 'closed'> {
  const recorded = yield* changed(sql`insert into interactions
      (tenant, handle, browser, kind, request, progress, opened_at, expires_at, closed_at, version)
    values (${it.tenant}, ${it.handle}, ${it.browser}, ${it.kind}, ${asText(it.request)}, ${asText(progress)},
      ${it.openedAt}, ${it.expiresAt}, null, ${it.version + 1})
    on conflict (tenant, handle) do update set progress = excluded.progress, version = excluded.version
      where interactions.version = ${it.version} and interactions.closed_at is null`)
  if (recorded) return 'recorded'
  const open = yield* first(sql`select handle from interactions
    where tenant = ${it.tenant} and handle = ${it.handle} and closed_at is null`)
  return open === null ? 'closed' : 'changed-meanwhile'
}

/**
 * Of several requests that end an interaction, one succeeds. If there was no row, one is inserted, so that it stays
 * closed.
 */
export function* closeInteraction(it: InteractionRow, at: Instant): Verb<'closed' | 'already-closed'> {
  return (yield* changed(sql`insert into interactions
      (tenant, handle, browser, kind, request, progress, opened_at, expires_at, closed_at, version)
    values (${it.tenant}, ${it.handle}, ${it.browser}, ${it.kind}, ${asText(it.request)}, ${asText(it.progress)},
      ${it.openedAt}, ${it.expiresAt}, ${at}, ${it.version})
    on conflict (tenant, handle) do update set closed_at = excluded.closed_at
      where interactions.closed_at is null`))
    ? 'closed'
    : 'already-closed'
}

/** For an interaction that certainly has a row: that of a device. */
export function* closeStoredInteraction(
  tenant: TenantId,
  handle: Handle,
  at: Instant,
): Verb<'closed' | 'already-closed'> {
  return (yield* changed(sql`update interactions set closed_at = ${at}
    where tenant = ${tenant} and handle = ${handle} and closed_at is null`))
    ? 'closed'
    : 'already-closed'
}
