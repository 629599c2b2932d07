/** CIBA requests, stored among the devices: opening, claiming by their person, and notifications. */
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'
import type { Basis } from '../../contract/directory/basis.ts'
import type { InteractionRow } from '../../contract/people/interactions.ts'
import type {
  BackchannelNotification,
  BackchannelRequestRow,
  NewBackchannelRequest,
} from '../../contract/tokens/backchannel.ts'
import { basisHolds } from '../directory/basis.ts'
import type { Entry } from '../entry.ts'
import { openInteraction } from '../people/interactions.ts'
import { asText, bytes, instant, json, maybeText, number, text } from '../row.ts'
import { all, changed, first, log, type Row, run, sql, undo, type Verb } from '../verb.ts'

export interface Opening {
  readonly basis: Basis
  readonly mostWaiting: number
}

/**
 * Whether the maximum number of requests waits for the person. Concurrent requests wait for the lock on the person's
 * row.
 */
function* isFull({ tenant, subject, askedAt }: NewBackchannelRequest, mostWaiting: number): Verb<boolean> {
  // The same check runs where the hint names nobody, so that the time it takes reveals nothing.
  const person = subject ?? ''
  yield* run(sql`update users set version = version where tenant = ${tenant} and id = ${person}`)
  const rows = yield* all(sql`select handle from device_codes where tenant = ${tenant} and subject = ${person}
    and expires_at > ${askedAt} and denied_at is null and grant_id is null limit ${mostWaiting}`)
  return rows.length >= mostWaiting
}

export function* openRequest(
  request: NewBackchannelRequest,
  { basis, mostWaiting }: Opening,
  entries: readonly Entry[],
  unasked: readonly Entry[],
): Verb<'opened' | 'unasked' | 'stale'> {
  if (!(yield* basisHolds(basis))) return 'stale'
  const full = yield* isFull(request, mostWaiting)
  const subject = full ? null : request.subject
  // The row has no user code; its own handle fills the unique column.
  yield* run(sql`insert into device_codes (tenant, handle, user_code, client_id, request, ip, user_agent, asked_at,
      expires_at, poll_interval, salt, backchannel, subject, notification)
    values (${request.tenant}, ${request.handle}, ${request.handle}, ${request.clientId}, ${asText(request.request)}, ${request.ip}, ${request.userAgent},
      ${request.askedAt}, ${request.expiresAt}, ${request.interval}, ${request.salt}, ${asText(request.terms)}, ${subject}, ${request.notification})`)
  yield* log(full ? unasked : entries)
  return full ? 'unasked' : 'opened'
}

const requestOf = (row: Row): BackchannelRequestRow => ({
  tenant: text(row, 'tenant') as TenantId,
  handle: text(row, 'handle') as Handle,
  clientId: text(row, 'client_id'),
  request: json(row, 'request'),
  terms: json(row, 'backchannel'),
  subject: text(row, 'subject'),
  ip: maybeText(row, 'ip'),
  userAgent: maybeText(row, 'user_agent'),
  askedAt: instant(row, 'asked_at'),
  expiresAt: instant(row, 'expires_at'),
  interval: number(row, 'poll_interval'),
  salt: bytes(row, 'salt'),
})

export function* waitingFor(tenant: TenantId, subject: string, now: Instant): Verb<readonly BackchannelRequestRow[]> {
  const rows = yield* all(sql`select * from device_codes where tenant = ${tenant} and subject = ${subject}
    and expires_at > ${now} and denied_at is null and grant_id is null order by asked_at, handle`)
  return rows.map(requestOf)
}

/** The guard is in the WHERE: only its person can claim it, and the latest browser that opens it has it. */
export function* claimRequest(request: Handle, subject: string, interaction: InteractionRow): Verb<'claimed' | 'gone'> {
  yield* run(sql`update interactions set closed_at = ${interaction.openedAt}
    where tenant = ${interaction.tenant} and closed_at is null and handle = (select d.interaction from device_codes d
      where d.tenant = ${interaction.tenant} and d.handle = ${request} and d.subject = ${subject})`)
  const opened =
    yield* changed(sql`update device_codes set browser = ${interaction.browser}, interaction = ${interaction.handle}
    where tenant = ${interaction.tenant} and handle = ${request} and subject = ${subject} and expires_at > ${interaction.openedAt}
      and denied_at is null and grant_id is null`)
  if (!opened) {
    yield* undo()
    return 'gone'
  }
  yield* openInteraction(interaction)
  return 'claimed'
}

export function* userCodeHash(tenant: TenantId, subject: string): Verb<string | null> {
  const row = yield* first(sql`select hash from backchannel_user_codes
    where tenant = ${tenant} and subject = ${subject}`)
  return row && text(row, 'hash')
}

interface UserCodeChange {
  readonly tenant: TenantId
  readonly subject: string
  readonly hash: string | null
  readonly at: Instant
}

export function* setUserCode({ tenant, subject, hash, at }: UserCodeChange, entries: readonly Entry[]): Verb<void> {
  if (hash === null)
    yield* run(sql`delete from backchannel_user_codes where tenant = ${tenant} and subject = ${subject}`)
  else
    yield* run(sql`insert into backchannel_user_codes (tenant, subject, hash, changed_at)
      values (${tenant}, ${subject}, ${hash}, ${at})
      on conflict (tenant, subject) do update set hash = excluded.hash, changed_at = excluded.changed_at`)
  yield* log(entries)
}

export function* notificationsDue(now: Instant): Verb<boolean> {
  return (yield* first(sql`select 1 as due from device_codes where notify_at <= ${now} limit 1`)) !== null
}

interface NotificationRequest {
  readonly now: Instant
  readonly lease: number
  readonly busy: readonly string[]
}

/** The due time is checked twice, as for deliveries: the second of two takers checks the row again. */
export function* takeNotification({ now, lease, busy }: NotificationRequest): Verb<BackchannelNotification | null> {
  const [a = '', b = '', c = '', d = '', e = '', f = '', g = '', h = ''] = busy
  const [i = '', j = '', k = '', l = '', m = '', n = '', o = ''] = busy.slice(8)
  const row = yield* first(sql`update device_codes
    set notify_tries = notify_tries + 1, notify_at = ${now} + ${lease} * (notify_tries + 1) * (notify_tries + 1)
    where notify_at <= ${now} and (tenant, handle) in (
      select tenant, handle from device_codes
      where notify_at <= ${now} and (tenant || ' ' || client_id) not in
        (${a}, ${b}, ${c}, ${d}, ${e}, ${f}, ${g}, ${h}, ${i}, ${j}, ${k}, ${l}, ${m}, ${n}, ${o})
      order by notify_at, tenant, handle limit 1)
    returning tenant, handle, client_id, notification, expires_at, notify_tries`)
  return (
    row && {
      tenant: text(row, 'tenant') as TenantId,
      handle: text(row, 'handle') as Handle,
      clientId: text(row, 'client_id'),
      sealed: bytes(row, 'notification'),
      expiresAt: instant(row, 'expires_at'),
      tries: number(row, 'notify_tries'),
    }
  )
}

export function* settleNotification(
  { tenant, handle, tries }: Pick<BackchannelNotification, 'tenant' | 'handle' | 'tries'>,
  entries: readonly Entry[],
): Verb<'settled' | 'taken-again'> {
  const settled = yield* changed(sql`update device_codes set notify_at = null, notification = null
    where tenant = ${tenant} and handle = ${handle} and notify_at is not null and notify_tries = ${tries}`)
  if (!settled) return 'taken-again'
  yield* log(entries)
  return 'settled'
}
