/** Browser sessions. */
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'
import type {
  KnownPerson,
  NewSession,
  Proven,
  SessionPage,
  SessionRow,
  SessionStore,
} from '../../contract/people/sessions.ts'
import type { SpentAssertion } from '../../contract/clients/assertions.ts'
import { spend } from '../clients/assertions.ts'
import { type Columns, insertInto } from '../columns.ts'
import type { Entry } from '../entry.ts'
import { giveBackUnits } from '../limits.ts'
import { inheritParties, queueDeliveries } from '../outgoing/deliveries.ts'
import { endGrantsOfSession, renewGrantsOfSession } from '../tokens/ended-grants.ts'
import { asText, instant, list, maybeInstant, maybeText, text } from '../row.ts'
import { all, first, lookup, log, type Row, run, sql, type Verb } from '../verb.ts'
import { hasSecondFactor, stillProven } from './proof.ts'

const sessionOf = (row: Row): SessionRow => ({
  tenant: text(row, 'tenant') as TenantId,
  id: text(row, 'id'),
  handle: text(row, 'handle') as Handle,
  browser: text(row, 'browser') as Handle,
  authentication: {
    subject: text(row, 'subject'),
    sessionId: text(row, 'id'),
    at: instant(row, 'authenticated_at'),
    acr: text(row, 'acr'),
    amr: list(row, 'amr'),
  },
  createdAt: instant(row, 'created_at'),
  lastSeenAt: instant(row, 'last_seen_at'),
  expiresAt: instant(row, 'expires_at'),
  endedAt: maybeInstant(row, 'ended_at'),
  ip: maybeText(row, 'ip'),
  userAgent: maybeText(row, 'user_agent'),
  ...(row['provider'] == null
    ? {}
    : { upstream: { provider: text(row, 'provider'), sid: maybeText(row, 'upstream_sid') } }),
})

export const sessionColumns: Columns<SessionRow> = {
  tenant: ['text', ({ tenant }) => tenant],
  id: ['text', ({ id }) => id],
  handle: ['text', ({ handle }) => handle],
  browser: ['text', ({ browser }) => browser],
  subject: ['text', ({ authentication }) => authentication.subject],
  authenticated_at: ['bigint', ({ authentication }) => authentication.at],
  acr: ['text', ({ authentication }) => authentication.acr],
  amr: ['text', ({ authentication }) => asText(authentication.amr)],
  created_at: ['bigint', ({ createdAt }) => createdAt],
  last_seen_at: ['bigint', ({ lastSeenAt }) => lastSeenAt],
  expires_at: ['bigint', ({ expiresAt }) => expiresAt],
  ended_at: ['bigint', ({ endedAt }) => endedAt],
  ip: ['text', ({ ip }) => ip],
  user_agent: ['text', ({ userAgent }) => userAgent],
  provider: ['text', ({ upstream }) => upstream?.provider],
  upstream_sid: ['text', ({ upstream }) => upstream?.sid],
}
const insertSession = insertInto('sessions', sessionColumns)

export function* start(
  it: NewSession,
  replaces: string | null,
  entries: readonly Entry[],
): Verb<'started' | 'outdated' | 'second-factor'> {
  const who = it.authentication
  const person = { tenant: it.tenant, subject: who.subject }
  const proven = yield* stillProven({ ...person, passwordSeen: it.passwordSeen })
  yield* giveBackUnits(it.returned ?? [])
  if (it.unlessSecondFactor === true && (yield* hasSecondFactor(person))) return 'second-factor'
  if (!proven) return 'outdated'
  if (replaces !== null) {
    yield* run(sql`update sessions set ended_at = ${it.createdAt}
      where tenant = ${it.tenant} and id = ${replaces} and ended_at is null`)
    yield* inheritParties(it.tenant, replaces, it.id)
    yield* renewGrantsOfSession(replaces, it.id, { tenant: it.tenant, subject: who.subject, at: it.createdAt })
  }
  yield* run(insertSession(it))
  yield* log(entries)
  return 'started'
}

export function* find(tenant: TenantId, handle: Handle): Verb<(SessionRow & Proven) | null> {
  const row = yield* first(lookup`select s.*, u.password_changed_at from sessions s
    left join users u on u.tenant = s.tenant and u.id = s.subject
    where s.tenant = ${tenant} and s.handle = ${handle}`)
  return row && { ...sessionOf(row), passwordSeen: maybeInstant(row, 'password_changed_at') }
}

export function* byId(tenant: TenantId, id: string): Verb<SessionRow | null> {
  const row = yield* first(lookup`select * from sessions where tenant = ${tenant} and id = ${id}`)
  return row && sessionOf(row)
}

/** More people than anybody shares a browser with. */
const maxKnown = 64

export function* knownIn(tenant: TenantId, browser: Handle): Verb<readonly KnownPerson[]> {
  // MATERIALIZED, because with the order in view a planner would read every session of the tenant by subject.
  const rows = yield* all(sql`with here as materialized (
      select subject, acr from sessions where tenant = ${tenant} and browser = ${browser})
    select distinct subject, acr from here order by subject, acr limit ${maxKnown}`)
  return rows.map((row) => ({ subject: text(row, 'subject'), acr: text(row, 'acr') }))
}

/** A session that forgets its browser stores its own id instead, which is no browser's handle. */
export function* forgetBrowser(tenant: TenantId, id: string): Verb<void> {
  yield* run(sql`update sessions set browser = id where tenant = ${tenant}
    and (subject, browser) in (select subject, browser from sessions where tenant = ${tenant} and id = ${id})`)
}

export function* livingOf(
  tenant: TenantId,
  subject: string,
  { now, before, limit }: SessionPage,
): Verb<readonly SessionRow[]> {
  const from = before ?? { createdAt: Number.MAX_SAFE_INTEGER, id: '' }
  const rows = yield* all(sql`select * from sessions where tenant = ${tenant} and subject = ${subject}
    and ended_at is null and expires_at > ${now} and (created_at, id) < (${from.createdAt}, ${from.id})
    order by created_at desc, id desc limit ${limit}`)
  return rows.map(sessionOf)
}

/** One session at a provider may have started many sessions here. */
const maxUpstream = 1000

export function* byUpstream(tenant: TenantId, provider: string, sid: string): Verb<readonly SessionRow[]> {
  const rows = yield* all(sql`select * from sessions where tenant = ${tenant} and provider = ${provider}
    and upstream_sid = ${sid} and ended_at is null order by id limit ${maxUpstream}`)
  return rows.map(sessionOf)
}

/** Greater than every id. */
const last = '\u{10ffff}'

export function* search(
  tenant: TenantId,
  now: Instant,
  { subject, before, limit }: Parameters<SessionStore['search']>[2],
): Verb<readonly SessionRow[]> {
  const rows =
    subject === null
      ? yield* all(sql`select * from sessions where tenant = ${tenant} and id < ${before ?? last}
          and ended_at is null and expires_at > ${now} order by id desc limit ${limit}`)
      : yield* all(sql`select * from sessions where tenant = ${tenant} and subject = ${subject} and id < ${before ?? last}
          and ended_at is null and expires_at > ${now} order by id desc limit ${limit}`)
  return rows.map(sessionOf)
}

/** No time goes back: of two touches the later one remains, in whichever order they arrive. */
export function* touch(tenant: TenantId, id: string, at: Instant): Verb<void> {
  yield* run(sql`update sessions set last_seen_at = ${at}
    where tenant = ${tenant} and id = ${id} and ended_at is null and last_seen_at < ${at}`)
}

export function* end(
  { tenant, id, at }: { readonly tenant: TenantId; readonly id: string; readonly at: Instant },
  entries: readonly Entry[],
): Verb<'ended' | 'already-ended'> {
  const row = yield* first(sql`update sessions set ended_at = ${at}
    where tenant = ${tenant} and id = ${id} and ended_at is null returning subject`)
  if (row === null) return 'already-ended'
  yield* endGrantsOfSession(id, { tenant, subject: text(row, 'subject'), at })
  yield* queueDeliveries({ tenant, id, at })
  yield* log(entries)
  return 'ended'
}

export function* endOnce(
  { spent, at }: { readonly spent: SpentAssertion; readonly at: Instant },
  ends: readonly { readonly id: string; readonly entries: readonly Entry[] }[],
): Verb<number | 'already-spent'> {
  if ((yield* spend(spent)) !== 'spent') return 'already-spent'
  let ended = 0
  // In a fixed order, so that two calls that end the same sessions do not deadlock.
  for (const { id, entries } of ends.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
    if ((yield* end({ tenant: spent.tenant, id, at }, entries)) === 'ended') ended++
  return ended
}
