/** Subjects of streams of shared signals. */
import type { TenantId } from '@grantor/protocol/types'
import type { StreamSubject, StreamSubjectStore } from '../../contract/outgoing/stream-subjects.ts'
import { asText, json, number, text } from '../row.ts'
import { first, run, sql, type Verb } from '../verb.ts'
import { stamp } from './event-receivers.ts'

export function* put(it: Parameters<StreamSubjectStore['put']>[0]): Verb<'put' | 'full' | 'absent'> {
  const { tenant, stream, subject } = it
  if ((yield* stamp({ tenant, id: stream })) === null) return 'absent'
  // Counted in the index, at most up to the bound.
  const held = yield* first(sql`select count(*) as held from (select 1 from stream_subjects
    where tenant = ${tenant} and stream = ${stream} and subject <> ${subject} limit ${it.most}) s`)
  if (held !== null && number(held, 'held') >= it.most) return 'full'
  const subId = it.subId === null ? null : asText(it.subId)
  yield* run(sql`insert into stream_subjects (tenant, stream, subject, removed, sub_id, created_at)
    values (${tenant}, ${stream}, ${subject}, ${it.removed ? 1 : 0}, ${subId}, ${it.at})
    on conflict (tenant, stream, subject) do update set removed = excluded.removed, sub_id = excluded.sub_id`)
  return 'put'
}

export function* find(tenant: TenantId, stream: string, subject: string): Verb<StreamSubject | null> {
  const row = yield* first(sql`select * from stream_subjects
    where tenant = ${tenant} and stream = ${stream} and subject = ${subject}`)
  return (
    row && {
      tenant: text(row, 'tenant') as TenantId,
      stream: text(row, 'stream'),
      subject: text(row, 'subject'),
      removed: number(row, 'removed') === 1,
      subId: row['sub_id'] === null ? null : json(row, 'sub_id'),
    }
  )
}

/** Removes a deleted person from every stream of the tenant. */
export function* forget({ tenant, subject }: Pick<StreamSubject, 'tenant' | 'subject'>): Verb<void> {
  yield* run(sql`delete from stream_subjects where tenant = ${tenant} and subject = ${subject}
    and stream in (select id from event_receivers where tenant = ${tenant} and kind = 'stream')`)
}

/** The same, only for disabled streams, which get no further events, not even about the removal. */
export function* forgetWhereDisabled({ tenant, subject }: Pick<StreamSubject, 'tenant' | 'subject'>): Verb<void> {
  yield* run(sql`delete from stream_subjects where tenant = ${tenant} and subject = ${subject}
    and stream in (select id from event_receivers
      where tenant = ${tenant} and kind = 'stream' and status = 'disabled')`)
}

export function* isKnown(tenant: TenantId, subject: string, clientId: string): Verb<boolean> {
  const row = yield* first(sql`select 1 as known from grants
    where tenant = ${tenant} and subject = ${subject} and client_id = ${clientId} limit 1`)
  return row !== null
}
