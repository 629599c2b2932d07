/** Authorization requests that clients pushed: stored once, answered once. */
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'
import type { Basis } from '../../contract/directory/basis.ts'
import type { NewPushedRequest, PushedRequestRow } from '../../contract/tokens/pushed-requests.ts'
import { basisHolds } from '../directory/basis.ts'
import { asText, instant, json, maybeInstant, text } from '../row.ts'
import { changed, first, lookup, run, sql, type Verb } from '../verb.ts'

export function* push(it: NewPushedRequest, basis: Basis): Verb<'pushed' | 'stale'> {
  if (!(yield* basisHolds(basis))) return 'stale'
  yield* run(sql`insert into pushed_requests (tenant, handle, client_id, request, expires_at, kept_until)
    values (${it.tenant}, ${it.handle}, ${it.clientId}, ${asText(it.request)}, ${it.expiresAt}, ${it.keptUntil})`)
  return 'pushed'
}

export function* find(tenant: TenantId, handle: Handle): Verb<PushedRequestRow | null> {
  const row = yield* first(lookup`select * from pushed_requests where tenant = ${tenant} and handle = ${handle}`)
  return (
    row && {
      tenant: text(row, 'tenant') as TenantId,
      handle: text(row, 'handle') as Handle,
      clientId: text(row, 'client_id'),
      request: json(row, 'request'),
      expiresAt: instant(row, 'expires_at'),
      keptUntil: instant(row, 'kept_until'),
      usedAt: maybeInstant(row, 'used_at'),
    }
  )
}

/** The guard is in the WHERE: of concurrent answers to one request, one is given. */
export function* use(tenant: TenantId, handle: Handle, at: Instant): Verb<'used' | 'already-used'> {
  return (yield* changed(sql`update pushed_requests set used_at = ${at}
    where tenant = ${tenant} and handle = ${handle} and used_at is null`))
    ? 'used'
    : 'already-used'
}
