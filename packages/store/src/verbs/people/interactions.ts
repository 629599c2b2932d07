/** Interactions: an authorization request on its way through the pages. */
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'
import type { InteractionRow, InteractionStore } from '../../contract/people/interactions.ts'
import { asText, instant, json, maybeInstant, number, text } from '../row.ts'
import { first, type Row, run, sql, type Verb } from '../verb.ts'

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
  const row = yield* first(sql`select * from interactions where tenant = ${tenant} and handle = ${handle}`)
  return row && interactionOf(row)
}

export function* record(
  it: Parameters<InteractionStore['record']>[0],
): Verb<'recorded' | 'changed-meanwhile' | 'closed'> {
  const { tenant, handle, version } = it
  const row = yield* first(sql`update interactions set progress = ${asText(it.progress)}, version = version + 1
    where tenant = ${tenant} and handle = ${handle} and version = ${version} and closed_at is null returning handle`)
  if (row !== null) return 'recorded'
  const open = yield* first(sql`select handle from interactions
    where tenant = ${tenant} and handle = ${handle} and closed_at is null`)
  return open === null ? 'closed' : 'changed-meanwhile'
}

/** The guard is in the WHERE: of many that end one interaction, one does. */
export function* closeInteraction(tenant: TenantId, handle: Handle, at: Instant): Verb<'closed' | 'already-closed'> {
  const row = yield* first(sql`update interactions set closed_at = ${at}
    where tenant = ${tenant} and handle = ${handle} and closed_at is null returning handle`)
  return row === null ? 'already-closed' : 'closed'
}
