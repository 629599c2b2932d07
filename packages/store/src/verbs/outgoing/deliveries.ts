/**
 * The clients of a session, and the deliveries that notify them of its end: one row for each client, from the commit
 * that ends the session.
 */
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { Delivery, SessionParty, DeliveryRequest } from '../../contract/outgoing/deliveries.ts'
import type { Entry } from '../entry.ts'
import { instant, number, text } from '../row.ts'
import { all, changed, first, log, type Row, run, sql, type Verb } from '../verb.ts'

/** A session, and the time of a change of it. */
interface SessionMoment {
  readonly tenant: TenantId
  readonly id: string
  readonly at: Instant
}

const partyOf = (row: Row): SessionParty => ({
  clientId: text(row, 'client_id'),
  sid: text(row, 'sid'),
  sub: text(row, 'sub'),
})

export function* partiesOf(tenant: TenantId, session: string): Verb<readonly SessionParty[]> {
  const rows = yield* all(sql`select client_id, sid, sub from session_parties
    where tenant = ${tenant} and session_id = ${session} order by client_id`)
  return rows.map(partyOf)
}

/** For a session that has not ended. A client that signs the person in again keeps only its newest sid. */
export function* joinParty(session: string, tenant: TenantId, it: SessionParty): Verb<void> {
  yield* run(sql`insert into session_parties (tenant, session_id, client_id, sid, sub)
    values (${tenant}, ${session}, ${it.clientId}, ${it.sid}, ${it.sub})
    on conflict (tenant, session_id, client_id) do update set sid = excluded.sid, sub = excluded.sub`)
}

/** The renewed session is the same sign-in for the clients: its end notifies those of the old one. */
export function* inheritParties(tenant: TenantId, from: string, to: string): Verb<void> {
  yield* run(sql`update session_parties set session_id = ${to} where tenant = ${tenant} and session_id = ${from}`)
}

/** Part of every verb that ends a session: the notification is as durable as the end. */
export function* queueDeliveries({ tenant, id, at }: SessionMoment): Verb<void> {
  yield* run(sql`insert into deliveries (tenant, client_id, sid, sub, created_at, due_at, tries)
    select tenant, client_id, sid, sub, ${at}, ${at}, 0 from session_parties
    where tenant = ${tenant} and session_id = ${id}
    on conflict (tenant, client_id, sid) do nothing`)
  yield* run(sql`delete from session_parties where tenant = ${tenant} and session_id = ${id}`)
}

export function* due(now: Instant): Verb<boolean> {
  return (yield* first(sql`select 1 as due from deliveries where due_at <= ${now} limit 1`)) !== null
}

/**
 * The due time is checked twice: on PostgreSQL the second of two takers checks the row again after the first has
 * changed it.
 */
export function* takeDue({ now, lease, busy }: DeliveryRequest): Verb<Delivery | null> {
  const [a = '', b = '', c = '', d = '', e = '', f = '', g = '', h = ''] = busy
  const [i = '', j = '', k = '', l = '', m = '', n = '', o = ''] = busy.slice(8)
  const row = yield* first(sql`update deliveries
    set tries = tries + 1, due_at = ${now} + ${lease} * (tries + 1) * (tries + 1)
    where due_at <= ${now} and (tenant, client_id, sid) in (
      select tenant, client_id, sid from deliveries
      where due_at <= ${now} and (tenant || ' ' || client_id) not in
        (${a}, ${b}, ${c}, ${d}, ${e}, ${f}, ${g}, ${h}, ${i}, ${j}, ${k}, ${l}, ${m}, ${n}, ${o})
      order by due_at, tenant, client_id, sid limit 1)
    returning *`)
  return (
    row && {
      ...partyOf(row),
      tenant: text(row, 'tenant') as TenantId,
      createdAt: instant(row, 'created_at'),
      tries: number(row, 'tries'),
    }
  )
}

export function* settle(it: Delivery, entries: readonly Entry[]): Verb<'settled' | 'taken-again'> {
  const settled = yield* changed(sql`delete from deliveries where tenant = ${it.tenant} and client_id = ${it.clientId}
    and sid = ${it.sid} and tries = ${it.tries}`)
  if (!settled) return 'taken-again'
  yield* log(entries)
  return 'settled'
}
