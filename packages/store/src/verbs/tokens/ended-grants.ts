/**
 * Ends grants together with what they depend on: a session, a person's credentials, or a redirect URI of their client.
 */
import { randomUUIDv7 } from 'node:crypto'
import type { NewEvent } from '@grantor/protocol/events'
import { registeredRedirectUri } from '@grantor/protocol/oauth'
import type { ClientMetadata } from '@grantor/protocol/registration'
import type { EventId, GrantId, Instant, TenantId } from '@grantor/protocol/types'
import { entryOf } from '../entry.ts'
import { text } from '../row.ts'
import { all, log, type Row, run, sql, type Verb } from '../verb.ts'

/** The person, and the time of the end. */
interface Ending {
  readonly tenant: TenantId
  readonly subject: string
  readonly at: Instant
}

/**
 * A session was signed out: revokes the grants that end with it, and those whose code is not redeemed yet. On
 * PostgreSQL a concurrent redemption comes first, and its tokens are revoked with their grant here.
 */
export function* endGrantsOfSession(session: string, of: Ending): Verb<void> {
  const { tenant, subject, at } = of
  const ended = yield* all(sql`update grants set revoked_at = ${at}
    where tenant = ${tenant} and subject = ${subject} and revoked_at is null and expires_at > ${at}
      and (ends_with_session = ${session} or session_id = ${session} and exists (
        select 1 from codes c where c.tenant = grants.tenant and c.grant_id = grants.id and c.spent_at is null))
    returning id, client_id`)
  yield* logEnded(ended, of, 'session_ended')
  yield* nameSession(session, of)
}

/** Moves grants that end with the old session to the new one, which is the same sign-in. Open codes are revoked. */
export function* renewGrantsOfSession(from: string, to: string, of: Ending): Verb<void> {
  yield* run(sql`update grants set ends_with_session = ${to}
    where tenant = ${of.tenant} and subject = ${of.subject} and ends_with_session = ${from} and revoked_at is null`)
  yield* endGrantsOfSession(from, of)
}

/** The person's credentials changed: revokes grants whose code is still open, even those of sessions that stay. */
export function* endOpenCodes(of: Ending): Verb<void> {
  const { tenant, subject, at } = of
  const ended = yield* all(sql`update grants set revoked_at = ${at}
    where tenant = ${tenant} and subject = ${subject} and revoked_at is null and expires_at > ${at} and exists (
      select 1 from codes c where c.tenant = grants.tenant and c.grant_id = grants.id and c.spent_at is null)
    returning id, client_id`)
  yield* logEnded(ended, of, 'user_changed')
}

/** Revokes every grant of a person. */
export function* endGrantsOf(of: Ending): Verb<void> {
  const { tenant, subject, at } = of
  const ended = yield* all(sql`update grants set revoked_at = ${at}
    where tenant = ${tenant} and subject = ${subject} and revoked_at is null and expires_at > ${at}
    returning id, client_id`)
  yield* logEnded(ended, of, 'user_removed')
}

/**
 * Validators find the tokens of a person by the person's id. Tokens of a pairwise client do not carry it, so for those
 * the log names their grants.
 */
export function* cutPairwise(of: Ending): Verb<void> {
  const { tenant, subject, at } = of
  const rows = yield* all(sql`select id, client_id from grants where tenant = ${tenant} and subject = ${subject}
    and known_as is not null and revoked_at is null and expires_at > ${at} order by id`)
  const event = { ...systemEvent(of, 'token.revoked'), reason: 'user_changed' }
  yield* log(rows.map((row) => entryOf({ ...event, id: newId(), ...ofGrant(row) })))
}

interface ChangedClient {
  readonly tenant: TenantId
  readonly id: string
  readonly metadata: ClientMetadata
  readonly disabled: boolean
  readonly at: Instant
}

/** A client was disabled or lost a redirect URI: codes that were sent there must never be redeemed. */
export function* endCodesOfClient({ tenant, id, metadata, disabled, at }: ChangedClient): Verb<void> {
  const open = yield* all(sql`select g.id, g.client_id, g.subject, c.redirect_uri from grants g
    join codes c on c.tenant = g.tenant and c.grant_id = g.id
    where g.tenant = ${tenant} and g.client_id = ${id} and g.revoked_at is null and g.expires_at > ${at}
      and c.spent_at is null order by g.id`)
  for (const row of open) {
    if (!disabled && registeredRedirectUri(text(row, 'redirect_uri'), metadata) !== null) continue
    const ended = yield* all(sql`update grants set revoked_at = ${at}
      where tenant = ${tenant} and id = ${text(row, 'id')} and revoked_at is null returning id, client_id`)
    yield* logEnded(ended, { tenant, subject: text(row, 'subject'), at }, 'client_changed')
  }
}

/**
 * Validators find the tokens of a session by its `sid`; tokens of a pairwise client carry another one, which is logged
 * here.
 */
function* nameSession(session: string, of: Ending): Verb<void> {
  const { tenant, subject, at } = of
  const rows = yield* all(sql`select distinct known_sid from grants
    where tenant = ${tenant} and subject = ${subject} and session_id = ${session} and known_sid is not null
      and expires_at > ${at} order by known_sid`)
  const event = { ...systemEvent(of, 'token.revoked'), clientId: null, grantId: null, reason: 'session_ended' }
  yield* log(rows.map((row) => entryOf({ ...event, id: newId(), data: { sid: text(row, 'known_sid') } })))
}

function* logEnded(rows: readonly Row[], of: Ending, reason: string): Verb<void> {
  const event = { ...systemEvent(of, 'grant.revoked'), reason }
  const named = rows.toSorted((a, b) => (text(a, 'id') < text(b, 'id') ? -1 : 1))
  yield* log(named.map((row) => entryOf({ ...event, id: newId(), ...ofGrant(row) })))
}

const ofGrant = (row: Row): Pick<NewEvent, 'clientId' | 'grantId'> => ({
  clientId: text(row, 'client_id'),
  grantId: text(row, 'id') as GrantId,
})

const newId = (): EventId => randomUUIDv7() as string as EventId

/** The base of an event that the store itself writes, because only it knows the grants and sessions concerned. */
export const systemEvent = ({ tenant, subject, at }: Ending, name: NewEvent['name']) => ({
  tenant,
  subject,
  at,
  name,
  actor: { kind: 'system', id: null } as const,
  jti: null,
  scope: null,
  ip: null,
  traceId: null,
  data: null,
})
