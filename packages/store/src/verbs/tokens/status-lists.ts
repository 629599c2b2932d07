/** Token Status Lists: leasing blocks of indexes, and finding the indexes of tokens that were revoked together. */
import { statusListSize } from '@grantor/protocol/status-list'
import type { Instant, TenantId } from '@grantor/protocol/types'
import type {
  ListedPopulation,
  NewStatusBlock,
  StatusBlock,
  StatusEntry,
  StatusListRow,
  StatusPlace,
} from '../../contract/tokens/status-lists.ts'
import { instant, maybeInstant, number, text } from '../row.ts'
import { all, first, type Row, run, sql, type Statement, type Value, type Verb } from '../verb.ts'

/**
 * The update locks the row, so a concurrent lease gets the next block. A list that is full or ended by then matches no
 * more, and a new list is begun; the conditions are repeated because PostgreSQL checks only the row itself again.
 */
export function* lease({ tenant, size, until, newList }: NewStatusBlock): Verb<StatusBlock> {
  const last = statusListSize - size
  const row = yield* first(sql`update status_lists
    set next_index = next_index + ${size}, until = case when until < ${until} then ${until} else until end
    where tenant = ${tenant} and ended_at is null and next_index <= ${last} and id = (select id from status_lists
      where tenant = ${tenant} and ended_at is null and next_index <= ${last} order by id limit 1)
    returning id, next_index`)
  if (row !== null) return { list: text(row, 'id'), first: number(row, 'next_index') - size }
  yield* run(sql`insert into status_lists (tenant, id, next_index, until)
    values (${tenant}, ${newList}, ${size}, ${until})`)
  return { list: newList, first: 0 }
}

export function* insertEntry(tenant: TenantId, it: StatusEntry): Verb<void> {
  yield* run(sql`insert into status_entries (tenant, list, idx, client_id, grant_id, session_id, issued_at)
    values (${tenant}, ${it.list}, ${it.idx}, ${it.clientId}, ${it.grantId}, ${it.sessionId}, ${it.issuedAt})`)
}

export function* lists(tenant: TenantId, after: Instant): Verb<readonly StatusListRow[]> {
  const rows = yield* all(sql`select id, until, ended_at from status_lists
    where tenant = ${tenant} and until > ${after} order by id`)
  return rows.map((row) => ({
    id: text(row, 'id'),
    until: instant(row, 'until'),
    endedAt: maybeInstant(row, 'ended_at'),
  }))
}

/** Sessions may end by the thousand; this many are looked up by one statement. */
const atOnce = 50

export function* places(tenant: TenantId, populations: readonly ListedPopulation[]): Verb<readonly StatusPlace[]> {
  const found: StatusPlace[] = []
  for (const dimension of ['grant', 'session'] as const) {
    const matching = populations.filter((it) => it.dimension === dimension)
    for (let i = 0; i < matching.length; i += atOnce) {
      const some = matching.slice(i, i + atOnce)
      const rows = yield* all(byKeys(dimension, tenant, some))
      const upTo = new Map<string, number>()
      for (const { key, issuedUpTo } of some) upTo.set(key, Math.max(upTo.get(key) ?? 0, issuedUpTo))
      for (const row of rows)
        if (number(row, 'issued_at') <= (upTo.get(text(row, 'key')) ?? -1)) found.push(placeOf(row))
    }
  }
  for (const it of populations) for (const row of yield* byKey(tenant, it)) found.push(placeOf(row))
  return found
}

const placeOf = (row: Row): StatusPlace => ({ list: text(row, 'list'), idx: number(row, 'idx') })

/** Always the same number of placeholders, so that there is one text: the last key is repeated. */
function byKeys(dimension: 'grant' | 'session', tenant: TenantId, some: readonly ListedPopulation[]): Statement {
  const values: Value[] = [tenant, ...Array.from({ length: atOnce }, (_, i) => (some[i] ?? some.at(-1))?.key ?? '')]
  return { do: 'sql', text: keyTexts[dimension], values }
}

const keyText = (column: string): string => {
  const keys = Array.from({ length: atOnce }, (_, i) => `?${i + 2}`).join(', ')
  return `select list, idx, issued_at, ${column} as key from status_entries where tenant = ?1 and ${column} in (${keys})`
}
const keyTexts = { grant: keyText('grant_id'), session: keyText('session_id') }

function* byKey(tenant: TenantId, { dimension, key, issuedUpTo }: ListedPopulation): Verb<readonly Row[]> {
  switch (dimension) {
    case 'client':
      return yield* all(sql`select list, idx from status_entries
        where tenant = ${tenant} and client_id = ${key} and issued_at <= ${issuedUpTo}`)
    case 'list':
      return yield* all(sql`select list, idx from status_entries
        where tenant = ${tenant} and list = ${key} and issued_at <= ${issuedUpTo}`)
    case 'subject':
      // A token that speaks for a person belongs to a grant of that person.
      return yield* all(sql`select e.list, e.idx from grants g join status_entries e on e.tenant = g.tenant and e.grant_id = g.id
        where g.tenant = ${tenant} and g.subject = ${key} and e.issued_at <= ${issuedUpTo}`)
    // Looked up together elsewhere.
    case 'grant':
    case 'session':
      return []
  }
}

/** Twice the longest token lifetime that can be declared. */
const longestLife = 2 * 86_400_000

/** Ends all lists, because every issued token is revoked and its record is gone or in doubt. */
export function* endLists(at: Instant): Verb<void> {
  const keptUntil = at + longestLife
  yield* run(sql`update status_lists set ended_at = ${at} where ended_at is null`)
  yield* run(sql`update status_lists set until = ${keptUntil} where until > ${keptUntil}`)
  yield* run(sql`delete from status_entries`)
}
