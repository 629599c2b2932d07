/** Grants and consents for administration: of a person, of a client, or all; the newest first, page by page. */
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
 * Each query uses the index that gives its order, or one that leaves few rows to sort: those of one person at one
 * client. There the ids are written as an expression, so that no index by id is used: it would be scanned through all
 * rows of the person.
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

/** Withdrawn consents are included: they are proof of an approval. */
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
