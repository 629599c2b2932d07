/** Deletes expired rows, in small batches. Nothing depends on it: every rule checks the times itself. */
import type { Instant } from '@grantor/protocol/types'
import { statusListKeeping } from '../contract/tokens/status-lists.ts'
import { moveToDays } from './statistics.ts'
import { changes, sql, type Statement, type Verb } from './verb.ts'

/**
 * Spent, used and revoked rows are kept this long after their end, so that a replay is recognised. A day is longer than
 * an error by a time zone or summer time: rows swept while the clock is ahead do not become valid again when it is
 * corrected.
 */
export const tombstoneKeeping = 24 * 60 * 60 * 1000

export function* sweep(now: Instant, limit: number): Verb<number> {
  let freed = 0
  for (const statement of expired(now, now - tombstoneKeeping, limit)) freed += yield* changes(statement)
  return freed + (yield* moveToDays(now, limit))
}

/**
 * Children before their parents: a grant is deleted when nothing refers to it. Where the end of a row can change it is
 * checked twice: on PostgreSQL a sweep that waited for such a change checks the row again.
 */
const expired = (now: number, longAgo: number, limit: number): readonly Statement[] => [
  sql`delete from opaque_tokens where (tenant, handle) in
    (select tenant, handle from opaque_tokens where expires_at <= ${now} order by expires_at limit ${limit})`,
  // A validator's leeway and caches have ended by then; a later request is told that the list does not exist.
  sql`delete from status_entries where (tenant, list, idx) in
    (select e.tenant, e.list, e.idx from status_lists l join status_entries e on e.tenant = l.tenant and e.list = l.id
      where l.until <= ${now - statusListKeeping} limit ${limit})`,
  sql`delete from status_lists where until <= ${now - statusListKeeping} and (tenant, id) in
    (select tenant, id from status_lists l where until <= ${now - statusListKeeping}
      and not exists (select 1 from status_entries e where e.tenant = l.tenant and e.list = l.id) order by until limit ${limit})`,
  sql`delete from client_secrets where (tenant, client, handle) in
    (select tenant, client, handle from client_secrets where expires_at <= ${now} order by expires_at limit ${limit})`,
  sql`delete from registration_tokens where (tenant, id) in
    (select tenant, id from registration_tokens where expires_at <= ${now} order by expires_at limit ${limit})`,
  sql`delete from pushed_requests where (tenant, handle) in
    (select tenant, handle from pushed_requests where kept_until <= ${now} order by kept_until limit ${limit})`,
  sql`delete from api_keys where (tenant, id) in
    (select tenant, id from api_keys where expires_at <= ${longAgo} order by expires_at limit ${limit})`,
  sql`delete from api_keys where (tenant, id) in
    (select tenant, id from api_keys where revoked_at <= ${longAgo} order by revoked_at limit ${limit})`,
  sql`delete from assertions where (tenant, client, handle) in
    (select tenant, client, handle from assertions where expires_at <= ${longAgo} order by expires_at limit ${limit})`,
  sql`delete from used_proofs where (tenant, handle) in
    (select tenant, handle from used_proofs where expires_at <= ${longAgo} order by expires_at limit ${limit})`,
  sql`delete from revoked_tokens where (tenant, jti) in
    (select tenant, jti from revoked_tokens where expires_at <= ${longAgo} order by expires_at limit ${limit})`,
  sql`delete from token_cutoffs where until <= ${longAgo} and (tenant, dimension, key) in
    (select tenant, dimension, key from token_cutoffs where until <= ${longAgo} order by until limit ${limit})`,
  sql`delete from interactions where (tenant, handle) in
    (select tenant, handle from interactions where expires_at <= ${longAgo} order by expires_at limit ${limit})`,
  // No client is notified of a session that expired: it can see that by its own clock.
  sql`delete from session_parties where (tenant, session_id) in
    (select tenant, id from sessions where expires_at <= ${longAgo} order by expires_at limit ${limit})`,
  // Only sessions without remaining clients: another sweeping node may have deleted the clients of the oldest sessions
  // a moment ago.
  sql`delete from sessions where (tenant, id) in
    (select tenant, id from sessions s where expires_at <= ${longAgo}
      and not exists (select 1 from session_parties p where p.tenant = s.tenant and p.session_id = s.id) order by expires_at limit ${limit})`,
  sql`delete from codes where (tenant, handle) in
    (select tenant, handle from codes where expires_at <= ${longAgo} order by expires_at limit ${limit})`,
  sql`delete from device_codes where (tenant, handle) in
    (select tenant, handle from device_codes where expires_at <= ${longAgo} order by expires_at limit ${limit})`,
  sql`delete from refresh_tokens where (tenant, handle) in
    (select tenant, handle from refresh_tokens where expires_at <= ${longAgo} order by expires_at limit ${limit})`,
  sql`delete from grants where (tenant, id) in
    (select g.tenant, g.id from grants g where g.expires_at <= ${longAgo}
      and not exists (select 1 from codes c where c.tenant = g.tenant and c.grant_id = g.id)
      and not exists (select 1 from refresh_tokens r where r.tenant = g.tenant and r.grant_id = g.id)
      order by g.expires_at limit ${limit})`,
  sql`delete from event_deliveries where keep_until <= ${now} and (tenant, receiver, id) in
    (select tenant, receiver, id from event_deliveries where keep_until <= ${now} order by keep_until limit ${limit})`,
  sql`delete from mailed_links where (tenant, handle) in
    (select tenant, handle from mailed_links where expires_at <= ${now} order by expires_at limit ${limit})`,
  sql`delete from sign_in_links where (tenant, handle) in
    (select tenant, handle from sign_in_links where expires_at <= ${now} order by expires_at limit ${limit})`,
  sql`delete from invitations where (tenant, handle) in
    (select tenant, handle from invitations where expires_at <= ${now} order by expires_at limit ${limit})`,
  sql`delete from remembered_browsers where (tenant, id) in
    (select tenant, id from remembered_browsers where expires_at <= ${now} order by expires_at limit ${limit})`,
  sql`delete from passkey_challenges where (tenant, handle) in
    (select tenant, handle from passkey_challenges where expires_at <= ${now} order by expires_at limit ${limit})`,
  sql`delete from provider_visits where (tenant, handle) in
    (select tenant, handle from provider_visits where expires_at <= ${now} order by expires_at limit ${limit})`,
  sql`delete from locks where until <= ${now} and (tenant, key) in
    (select tenant, key from locks where until <= ${now} order by until limit ${limit})`,
  // In microseconds; a limit that is fully available equals a missing row.
  sql`delete from limits where tat <= ${now * 1000} and key in
    (select key from limits where tat <= ${now * 1000} order by tat limit ${limit})`,
]
