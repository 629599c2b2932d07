/** Validators of the feed: one row each, with their latest acknowledgements. */
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { ValidatorNote, ValidatorRow } from '../contract/validators.ts'
import { instant, number, text } from './row.ts'
import { all, type Row, run, sql, type Verb } from './verb.ts'

/** Characters of `heard` that are stored: about the last twenty acknowledgements. */
const kept = 640
/** Receipts are kept for a day, and count validators that were present up to a day before. */
const rowsKept = 2 * 24 * 60 * 60 * 1000
const forgottenAtOnce = 1000
const forgottenTogether = 20_000

/** `pos:at;` each, the newest first. A truncated entry at the end has no semicolon, and is ignored. */
const heardText = (heard: ValidatorNote['heard']): string => heard.map(({ pos, at }) => `${pos}:${at};`).join('')

/** In a fixed order, so that two nodes that do this at once do not deadlock. */
export function* note(notes: readonly ValidatorNote[]): Verb<void> {
  const keyOf = ({ tenant, clientId, id }: ValidatorNote): string => `${tenant} ${clientId} ${id}`
  for (const it of notes.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))) {
    const { tenant, clientId, id, epoch, closesAfter, connections, seenAt } = it
    const heard = heardText(it.heard)
    // An acknowledgement that is repeated because nothing new came: the time of the first one counts.
    const again = `${it.heard.at(-1)?.pos ?? ''}:`
    const since = heardText(it.heard.slice(0, -1))
    yield* run(sql`insert into validators (tenant, client_id, id, epoch, heard, closes_after, connections, since, seen_at)
      values (${tenant}, ${clientId}, ${id}, ${epoch}, ${heard}, ${closesAfter}, ${connections}, ${seenAt}, ${seenAt})
      on conflict (tenant, client_id, id) do update set epoch = excluded.epoch,
        heard = case when validators.epoch <> excluded.epoch then excluded.heard
          when substr(validators.heard, 1, ${again.length}) = ${again} then substr(${since} || validators.heard, 1, ${kept})
          else substr(excluded.heard || validators.heard, 1, ${kept}) end,
        closes_after = excluded.closes_after, connections = excluded.connections,
        seen_at = case when validators.seen_at > excluded.seen_at then validators.seen_at else excluded.seen_at end`)
  }
}

export function* forget(now: Instant, mostOfClient: number): Verb<void> {
  // Checked twice, as by a sweep: a validator that another node is just hearing from stays.
  yield* run(sql`delete from validators where seen_at < ${now - rowsKept} and (tenant, client_id, id) in
    (select tenant, client_id, id from validators where seen_at < ${now - rowsKept} limit ${forgottenAtOnce})`)
  const crowded = yield* all(
    sql`select tenant, client_id from validators group by tenant, client_id having count(*) > ${mostOfClient}`,
  )
  for (const row of crowded)
    yield* run(sql`delete from validators where (tenant, client_id, id) in (select tenant, client_id, id from validators
      where tenant = ${text(row, 'tenant')} and client_id = ${text(row, 'client_id')}
      order by seen_at desc, id limit ${forgottenTogether} offset ${mostOfClient})`)
}

export function* known(tenants: readonly TenantId[], at: Instant, presence: number): Verb<readonly ValidatorRow[]> {
  const found: ValidatorRow[] = []
  for (const tenant of new Set(tenants))
    found.push(
      ...(yield* all(sql`select * from validators where tenant = ${tenant}
        and (seen_at >= ${at - presence} or seen_at + closes_after >= ${at})`)).map(rowOf),
    )
  return found
}

const rowOf = (row: Row): ValidatorRow => ({
  tenant: text(row, 'tenant') as TenantId,
  clientId: text(row, 'client_id'),
  id: text(row, 'id'),
  epoch: text(row, 'epoch'),
  heard: heardIn(text(row, 'heard')),
  closesAfter: number(row, 'closes_after'),
  connections: number(row, 'connections'),
  since: instant(row, 'since'),
  seenAt: instant(row, 'seen_at'),
})

const heardIn = (heard: string): ValidatorNote['heard'] =>
  heard
    .split(';')
    .slice(0, -1)
    .map((pair) => pair.split(':').map(Number))
    .map(([pos = 0, at = 0]) => ({ pos, at: at as Instant }))
