/** Providers that are polled for security events: a node that takes a row polls, and sets when it is due again. */
import type { Tenant } from '@grantor/protocol/oauth'
import { isPolled } from '@grantor/protocol/providers'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { SignalPoll, SignalPollStore } from '../contract/signal-polls.ts'
import { maybeInstant, maybeText, number, text } from './row.ts'
import { all, changed, first, type Row, run, sql, type Verb } from './verb.ts'

const pollOf = (row: Row): SignalPoll => ({
  tenant: text(row, 'tenant') as TenantId,
  provider: text(row, 'provider'),
  turn: number(row, 'turn'),
  askedAt: maybeInstant(row, 'asked_at'),
  receivedAt: maybeInstant(row, 'received_at'),
  failures: number(row, 'failures'),
  failingSince: maybeInstant(row, 'failing_since'),
  error: maybeText(row, 'error'),
})

/**
 * A change of providers may change their polling addresses: all are due at once, and the result of a turn under way at
 * an old address does not reschedule them.
 */
export function* followProviders(
  tenant: TenantId,
  providers: NonNullable<Tenant['providers']>,
  at: Instant,
): Verb<void> {
  const polled = providers.filter(isPolled).map(({ id }) => id)
  for (const { provider } of yield* of(tenant))
    if (!polled.includes(provider))
      yield* run(sql`delete from signal_polls where tenant = ${tenant} and provider = ${provider}`)
  for (const provider of polled)
    yield* run(sql`insert into signal_polls (tenant, provider, next_at, turn, failures)
      values (${tenant}, ${provider}, ${at}, 0, 0)
      on conflict (tenant, provider) do update
        set next_at = excluded.next_at, failures = 0, turn = signal_polls.turn + 1`)
}

export function* due(now: Instant): Verb<boolean> {
  return (yield* first(sql`select 1 as due from signal_polls where next_at <= ${now} limit 1`)) !== null
}

export function* take({ now, lease, busy }: Parameters<SignalPollStore['take']>[0]): Verb<SignalPoll | null> {
  const [one = '', two = '', three = '', four = ''] = busy
  const waiting = yield* first(sql`select tenant, provider from signal_polls
    where next_at <= ${now} and tenant not in (${one}, ${two}, ${three}, ${four})
    order by next_at, tenant, provider limit 1`)
  if (waiting === null) return null
  // The second of two takers finds the row taken.
  const row = yield* first(sql`update signal_polls set next_at = ${now + lease}, turn = turn + 1
    where tenant = ${text(waiting, 'tenant')} and provider = ${text(waiting, 'provider')} and next_at <= ${now}
    returning *`)
  return row && pollOf(row)
}

export function* settle(it: SignalPoll, nextAt: Instant): Verb<'settled' | 'taken-again'> {
  return (yield* changed(sql`update signal_polls set next_at = ${nextAt}, asked_at = ${it.askedAt},
      received_at = ${it.receivedAt}, failures = ${it.failures}, failing_since = ${it.failingSince}, error = ${it.error}
    where tenant = ${it.tenant} and provider = ${it.provider} and turn = ${it.turn}`))
    ? 'settled'
    : 'taken-again'
}

export function* of(tenant: TenantId): Verb<readonly SignalPoll[]> {
  return (yield* all(sql`select * from signal_polls where tenant = ${tenant} order by provider`)).map(pollOf)
}
