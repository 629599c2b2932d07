/** Consent records: proof of approval, never changed except for their end. */
import { randomUUIDv7 } from 'node:crypto'
import type { NewEvent } from '@grantor/protocol/events'
import type { EventId, GrantId, Instant, TenantId } from '@grantor/protocol/types'
import type { ConsentRecord, ConsentStore, NewConsent } from '../../contract/tokens/consents.ts'
import { type Entry, entryOf } from '../entry.ts'
import { asMaybeText, asText, instant, json, list, maybeInstant, maybeJson, maybeText, text } from '../row.ts'
import { all, changed, changes, log, type Row, run, sql, type Verb } from '../verb.ts'

export function* insertConsent(it: NewConsent): Verb<void> {
  yield* run(sql`insert into consents (tenant, id, subject, client_id, client, scope, resources, authorization_details,
      claims, granted_at, expires_at, how, text_version, grant_id)
    values (${it.tenant}, ${it.id}, ${it.subject}, ${it.clientId}, ${asText(it.client)}, ${it.scope}, ${asText(it.resources)},
      ${asMaybeText(it.authorizationDetails)}, ${asMaybeText(it.claims)}, ${it.grantedAt}, ${it.expiresAt}, ${it.how},
      ${it.textVersion}, ${it.grantId})`)
}

export const consentOf = (row: Row): ConsentRecord => ({
  id: text(row, 'id'),
  tenant: text(row, 'tenant') as TenantId,
  subject: text(row, 'subject'),
  clientId: text(row, 'client_id'),
  client: json(row, 'client'),
  scope: text(row, 'scope'),
  resources: list(row, 'resources'),
  authorizationDetails: maybeJson(row, 'authorization_details') as ConsentRecord['authorizationDetails'],
  claims: maybeJson(row, 'claims'),
  grantedAt: instant(row, 'granted_at'),
  expiresAt: maybeInstant(row, 'expires_at'),
  how: text(row, 'how') as ConsentRecord['how'],
  textVersion: text(row, 'text_version'),
  grantId: text(row, 'grant_id') as GrantId,
  revokedAt: maybeInstant(row, 'revoked_at'),
  revokedBy: maybeText(row, 'revoked_by'),
})

export interface ConsentQuery {
  readonly tenant: TenantId
  readonly subject: string
  readonly clientId: string
  readonly now: Instant
}

export function* inForce({ tenant, subject, clientId, now }: ConsentQuery): Verb<readonly ConsentRecord[]> {
  const rows = yield* all(sql`select * from consents
    where tenant = ${tenant} and subject = ${subject} and client_id = ${clientId}
      and revoked_at is null and (expires_at is null or expires_at > ${now})
    order by granted_at, id`)
  return rows.map(consentOf)
}

export function* ofSubject(tenant: TenantId, subject: string, limit: number): Verb<readonly ConsentRecord[]> {
  const rows = yield* all(sql`select * from consents where tenant = ${tenant} and subject = ${subject}
    order by granted_at desc, id desc limit ${limit}`)
  return rows.map(consentOf)
}

/**
 * Locking the record's row orders this against a withdrawal, which ends every record between the two: either the
 * withdrawal finds the grant, or this finds the record ended.
 */
export function* consentWithdrawn(tenant: TenantId, id: string | null): Verb<boolean> {
  if (id === null) return false
  return !(yield* changed(sql`update consents set revoked_at = revoked_at
    where tenant = ${tenant} and id = ${id} and revoked_at is null`))
}

type Withdrawal = Omit<Parameters<ConsentStore['withdraw']>[0], 'event' | 'grantEvent'>

/**
 * `grantEvent` is encoded here, once for each revoked grant, because only this verb knows which are. Without a consent
 * in force, no event is written.
 */
export function* withdraw(
  { tenant, subject, clientId, by, at }: Withdrawal,
  entry: Entry,
  grantEvent: NewEvent,
): Verb<readonly GrantId[]> {
  const ended = yield* changes(sql`update consents set revoked_at = ${at}, revoked_by = ${by}
    where tenant = ${tenant} and subject = ${subject} and client_id = ${clientId} and revoked_at is null`)
  const rows = yield* all(sql`update grants set revoked_at = ${at}
    where tenant = ${tenant} and subject = ${subject} and client_id = ${clientId} and revoked_at is null returning id`)
  if (ended === 0 && rows.length === 0) return []
  const dead = rows.map((row) => text(row, 'id') as GrantId).sort()
  yield* log([
    entry,
    ...dead.map((grantId) => entryOf({ ...grantEvent, grantId, id: randomUUIDv7() as string as EventId })),
  ])
  return dead
}
