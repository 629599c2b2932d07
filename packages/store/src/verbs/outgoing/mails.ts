/** Queued mails, and the cursor of the log reading for notices. */
import type { SealedEvent } from '@grantor/protocol/events'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { MailChange, MailChanged, MailRow, MailStore, NewMail, QueuedMail } from '../../contract/outgoing/mails.ts'
import type { Entry } from '../entry.ts'
import { sealedOf } from '../events.ts'
import { bytes, instant, maybeText, number, text } from '../row.ts'
import { all, changed, first, log, type Row, run, sql, type Verb } from '../verb.ts'

const mailOf = (row: Row): MailRow => ({
  tenant: text(row, 'tenant') as TenantId,
  id: text(row, 'id'),
  kind: text(row, 'kind'),
  subject: maybeText(row, 'subject'),
  sealed: bytes(row, 'sealed'),
  madeAt: instant(row, 'made_at'),
  expiresAt: instant(row, 'expires_at'),
  attempts: number(row, 'attempts'),
})

export function* insertMails(mails: readonly NewMail[]): Verb<void> {
  for (const it of mails) {
    yield* run(sql`insert into mails (tenant, id, kind, subject, sealed, made_at, due_at, expires_at, attempts)
      values (${it.tenant}, ${it.id}, ${it.kind}, ${it.subject}, ${it.sealed}, ${it.madeAt}, ${it.madeAt},
        ${it.expiresAt}, 0)`)
  }
}

export function* queue(mails: readonly NewMail[], entries: readonly Entry[]): Verb<void> {
  yield* insertMails(mails)
  yield* log(entries)
}

/** One at a time: two nodes that locked several in different orders would deadlock. */
export function* takeDue(now: Instant, until: Instant): Verb<MailRow | null> {
  const row = yield* first(sql`update mails set due_at = ${until}, attempts = attempts + 1, last_error = null
    where due_at <= ${now}
      and (tenant, id) in (select tenant, id from mails where due_at <= ${now} order by due_at limit 1)
    returning *`)
  return row && mailOf(row)
}

export function* postpone(tenant: TenantId, id: string, dueAt: Instant, why = ''): Verb<void> {
  yield* run(sql`update mails set due_at = ${dueAt}, last_error = ${why} where tenant = ${tenant} and id = ${id}`)
}

export function* settle(tenant: TenantId, id: string, entries: readonly Entry[]): Verb<'settled' | 'absent'> {
  const gone = yield* changed(sql`delete from mails where tenant = ${tenant} and id = ${id}`)
  if (!gone) return 'absent'
  yield* log(entries)
  return 'settled'
}

const queuedOf = (row: Row): QueuedMail => ({
  ...mailOf(row),
  dueAt: instant(row, 'due_at'),
  lastError: maybeText(row, 'last_error'),
})

export function* search(
  tenant: TenantId,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Verb<readonly QueuedMail[]> {
  const rows = yield* all(
    before === null
      ? sql`select * from mails where tenant = ${tenant} order by id desc limit ${limit}`
      : sql`select * from mails where tenant = ${tenant} and id < ${before} order by id desc limit ${limit}`,
  )
  return rows.map(queuedOf)
}

export function* find(tenant: TenantId, id: string): Verb<QueuedMail | null> {
  const row = yield* first(sql`select * from mails where tenant = ${tenant} and id = ${id}`)
  return row && queuedOf(row)
}

type BareChange = Omit<MailChange, 'events'>

/** Has no effect while a try is under way: a mail that was taken has no error, and a due time in the future. */
export function* retry({ tenant, id, at }: BareChange, entries: readonly Entry[]): Verb<MailChanged> {
  const due = yield* changed(sql`update mails set due_at = ${at} where tenant = ${tenant} and id = ${id}
    and (attempts = 0 or last_error is not null or due_at <= ${at})`)
  return yield* changeOf({ tenant, id }, due, entries)
}

export function* drop({ tenant, id, at }: BareChange, entries: readonly Entry[]): Verb<MailChanged> {
  const gone = yield* changed(sql`delete from mails where tenant = ${tenant} and id = ${id}
    and (attempts = 0 or last_error is not null or due_at <= ${at})`)
  return yield* changeOf({ tenant, id }, gone, entries)
}

function* changeOf(
  { tenant, id }: Pick<MailChange, 'tenant' | 'id'>,
  isDone: boolean,
  entries: readonly Entry[],
): Verb<MailChanged> {
  if (!isDone) return (yield* find(tenant, id)) === null ? 'absent' : 'under-way'
  yield* log(entries)
  return 'changed'
}

export function* cursor(): Verb<number | null> {
  const row = yield* first(sql`select pos from mail_cursor where one = 1 and pos >= 0`)
  return row && number(row, 'pos')
}

export function* news(pos: number, limit: number): Verb<readonly SealedEvent[]> {
  const rows = yield* all(
    sql`select pos, seq, body from events where subject is not null and pos > ${pos} order by pos limit ${limit}`,
  )
  return rows.map(sealedOf)
}

export function* derive(it: Parameters<MailStore['derive']>[0]): Verb<'derived' | 'elsewhere'> {
  const moved = yield* changed(sql`update mail_cursor set pos = ${it.to} where one = 1 and pos = ${it.from ?? -1}`)
  if (!moved) return 'elsewhere'
  yield* insertMails(it.mails)
  return 'derived'
}
