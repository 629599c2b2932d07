/** Grants and consents for whoever looks after them: of a person, of a client, or all; the newest first, page by page. */
import type { GrantId, Instant, TenantId } from '@grantor/protocol/types'
import type { ConsentRecord } from '../../contract/tokens/consents.ts'
import type { AccessSearch, UsedGrant } from '../../contract/tokens/searches.ts'
import { maybeInstant } from '../row.ts'
import { all, first, type Row, sql, type Verb } from '../verb.ts'
import { consentOf } from './consents.ts'
import { grantOf } from './grants.ts'

/** Greater than every id. */
const last = '\u{10ffff}'

/**
 * Each with the index that gives its order, or that leaves few to be put in order: those of one person at one client. The
 * ids of those are written so that no index is by them: it would be walked through all that the person has.
 */
export function* searchGrants(tenant: TenantId, now: Instant, it: AccessSearch): Verb<readonly UsedGrant[]> {
  const before = it.before ?? last
  if (it.subject !== null) {
    const found =
      it.clientId === null
        ? sql`select g.*, s.ended_at as session_ended_at from grants g
            left join sessions s on s.tenant = g.tenant and s.id = g.session_id
            where g.tenant = ${tenant} and g.subject = ${it.subject}
              and g.id < ${before} and g.revoked_at is null and g.expires_at > ${now}
            order by g.id desc limit ${it.limit}`
        : sql`select g.*, s.ended_at as session_ended_at from grants g
            left join sessions s on s.tenant = g.tenant and s.id = g.session_id
            where g.tenant = ${tenant} and g.subject = ${it.subject} and g.client_id = ${it.clientId}
              and g.id || '' < ${before} and g.revoked_at is null and g.expires_at > ${now}
            order by g.id || '' desc limit ${it.limit}`
    return (yield* all(found)).map(usedGrantOf)
  }
  if (it.clientId !== null) {
    return (yield* all(sql`select g.*, s.ended_at as session_ended_at from grants g
      left join sessions s on s.tenant = g.tenant and s.id = g.session_id
      where g.tenant = ${tenant} and g.client_id = ${it.clientId} and g.id < ${before}
        and g.revoked_at is null and g.expires_at > ${now}
      order by g.id desc limit ${it.limit}`)).map(usedGrantOf)
  }
  return (yield* all(sql`select g.*, s.ended_at as session_ended_at from grants g
    left join sessions s on s.tenant = g.tenant and s.id = g.session_id
    where g.tenant = ${tenant} and g.id < ${before} and g.revoked_at is null and g.expires_at > ${now}
    order by g.id desc limit ${it.limit}`)).map(usedGrantOf)
}

const usedGrantOf = (row: Row): UsedGrant => ({ ...grantOf(row), lastUsedAt: maybeInstant(row, 'last_used_at') })

export function* findUsed(tenant: TenantId, id: GrantId): Verb<UsedGrant | null> {
  const row = yield* first(sql`select g.*, s.ended_at as session_ended_at from grants g
    left join sessions s on s.tenant = g.tenant and s.id = g.session_id where g.tenant = ${tenant} and g.id = ${id}`)
  return row && usedGrantOf(row)
}

export function* findConsent(tenant: TenantId, id: string): Verb<ConsentRecord | null> {
  const row = yield* first(sql`select * from consents where tenant = ${tenant} and id = ${id}`)
  return row && consentOf(row)
}

/** Withdrawn ones too: they are proof of what was agreed to. */
export function* searchConsents(tenant: TenantId, it: AccessSearch): Verb<readonly ConsentRecord[]> {
  const before = it.before ?? last
  if (it.subject !== null) {
    const found =
      it.clientId === null
        ? sql`select * from consents where tenant = ${tenant} and subject = ${it.subject} and id < ${before}
            order by id desc limit ${it.limit}`
        : sql`select * from consents where tenant = ${tenant} and subject = ${it.subject}
            and client_id = ${it.clientId} and id || '' < ${before} order by id || '' desc limit ${it.limit}`
    return (yield* all(found)).map(consentOf)
  }
  if (it.clientId !== null) {
    return (yield* all(sql`select * from consents
      where tenant = ${tenant} and client_id = ${it.clientId} and id < ${before}
      order by id desc limit ${it.limit}`)).map(consentOf)
  }
  return (yield* all(sql`select * from consents where tenant = ${tenant} and id < ${before}
    order by id desc limit ${it.limit}`)).map(consentOf)
}
