/**
 * PostgreSQL's own text for verbs that every request needs: guards, change and events in one statement, which is one
 * round trip and its own transaction. The same contract suite tests both texts.
 */
import type { Basis } from '../../contract/directory/basis.ts'
import type { LimitUnit, ReturnedUnit, TakenUnit } from '../../contract/limits.ts'
import type { NewSession } from '../../contract/people/sessions.ts'
import type { NewPushedRequest } from '../../contract/tokens/pushed-requests.ts'
import type { Entry } from '../../verbs/entry.ts'
import type { VerbArgs, VerbName } from '../../verbs/index.ts'
import { sessionColumns } from '../../verbs/people/sessions.ts'
import { asText, number } from '../../verbs/row.ts'
import type { Revocation } from '../../verbs/tokens/tokens.ts'
import type { Row, Value } from '../../verbs/verb.ts'

export interface HotStatement {
  readonly text: string
  readonly values: readonly Value[]
  /** Whether it writes events to the log. */
  readonly logs: boolean
  /** Returns `leftToVerb` where the statement changed nothing, because only the verb can determine the answer. */
  answer(rows: readonly Row[]): unknown
}

export const leftToVerb = Symbol('left to the general way')

/** With more events than this, running the verb is as fast. */
const maxEntries = 50

/** Null: this call must run as a verb. */
export function hotStatement<N extends VerbName>(name: N, args: VerbArgs<N>): HotStatement | null {
  if (name === 'tokens.revoke') return revoke(args[0] as Revocation, args[1] as readonly Entry[])
  if (name === 'events.append') return append(args[0] as readonly Entry[])
  if (name === 'pushedRequests.push') return push(args[0] as NewPushedRequest, args[1] as Basis)
  if (name === 'sessions.start') return startSession(...(args as VerbArgs<'sessions.start'>))
  if (name === 'limits.takeUnits') return takeUnits(args[0] as readonly LimitUnit[])
  if (name === 'limits.giveBackUnits') return giveBackUnits(args[0] as readonly ReturnedUnit[])
  return null
}

/** Collects values and returns their placeholders. */
class Placeholders {
  readonly values: Value[] = []
  add(value: Value): string {
    return `?${this.values.push(value)}`
  }
}

const rowsOf = (entries: readonly Entry[], placeholders: Placeholders): string =>
  entries
    .map(
      ({ tenant, at, feed, subject, body }) =>
        `(${placeholders.add(tenant)}, ${placeholders.add(at)}::bigint, ${placeholders.add(feed)}::bigint, ${placeholders.add(subject)}::text, ${placeholders.add(body)})`,
    )
    .join(', ')

const logged = (entries: readonly Entry[], placeholders: Placeholders, guard: string): string =>
  entries.length === 0
    ? ''
    : `, logged as (insert into events_pending (tenant, at, feed, subject, body)
        select e.* from ${guard}, (values ${rowsOf(entries, placeholders)}) e)`

function revoke({ tenant, jti, at, expiresAt }: Revocation, entries: readonly Entry[]): HotStatement | null {
  if (entries.length > maxEntries || entries.some((e) => e.cutoff !== undefined)) return null
  const placeholders = new Placeholders()
  const fresh = `fresh as (insert into revoked_tokens (tenant, jti, revoked_at, expires_at)
    values (${placeholders.add(tenant)}, ${placeholders.add(jti)}, ${placeholders.add(at)}, ${placeholders.add(expiresAt)})
    on conflict (tenant, jti) do nothing returning jti)`
  return {
    text: `with ${fresh}${logged(entries, placeholders, 'fresh')} select 1 as ok from fresh`,
    values: placeholders.values,
    logs: entries.length > 0,
    answer: (rows) => (rows.length === 1 ? 'revoked' : 'already-revoked'),
  }
}

function append(entries: readonly Entry[]): HotStatement | null {
  if (entries.length === 0 || entries.length > maxEntries || entries.some((e) => e.cutoff !== undefined)) return null
  const placeholders = new Placeholders()
  return {
    text: `insert into events_pending (tenant, at, feed, subject, body) values ${rowsOf(entries, placeholders)}`,
    values: placeholders.values,
    logs: true,
    answer: () => undefined,
  }
}

function push(request: NewPushedRequest, { tenant, revision, client }: Basis): HotStatement | null {
  if (client === null) return null
  const row = [
    request.tenant,
    request.handle,
    request.clientId,
    asText(request.request),
    request.expiresAt,
    request.keptUntil,
  ]
  return {
    text: `insert into pushed_requests (tenant, handle, client_id, request, expires_at, kept_until)
      select ?1, ?2, ?3, ?4, ?5::bigint, ?6::bigint from tenants t join clients c on c.tenant = t.id
      where t.id = ?7 and t.revision = ?8 and c.id = ?9 and c.version = ?10 returning 1 as ok`,
    values: [...row, tenant, revision, client.id, client.version],
    logs: false,
    answer: (rows) => (rows.length === 1 ? 'pushed' : 'stale'),
  }
}

/** As the verb does, if no other session of the person ends with it. */
function startSession(session: NewSession, replaces: string | null, entries: readonly Entry[]): HotStatement | null {
  if (replaces !== null || entries.length > maxEntries || entries.some((e) => e.cutoff !== undefined)) return null
  const { passwordSeen, returned = [] } = session
  if (sharesKeys(returned)) return null
  const placeholders = new Placeholders()
  const [tenant, subject] = [placeholders.add(session.tenant), placeholders.add(session.authentication.subject)]
  const changed =
    passwordSeen === undefined
      ? ''
      : ` or password_changed_at is distinct from ${placeholders.add(passwordSeen)}::bigint`
  const held = (table: string): string =>
    `exists (select 1 from ${table} where tenant = ${tenant} and subject = ${subject})`
  const second = session.unlessSecondFactor === true ? `${held('totp_secrets')} or ${held('passkeys')}` : 'false'
  const refund = returned.length === 0 ? '' : `, ${givenBack(returned, placeholders)}`
  const values = Object.values(sessionColumns).map(([type, of]) => `${placeholders.add(of(session) ?? null)}::${type}`)
  return {
    text: `with who as (update users set version = version where tenant = ${tenant} and id = ${subject}
        returning disabled_at, password_changed_at),
      proven as (select 1 as ok where not exists (select 1 from who where disabled_at is not null${changed})),
      second as materialized (select (${second})::int as held),
      allowed as (select 1 as ok from proven, second where held = 0),
      started as (insert into sessions (${Object.keys(sessionColumns).join(', ')})
        select ${values.join(', ')} from allowed)${logged(entries, placeholders, 'allowed')}${refund}
      select held, (select ok from allowed) as allowed from second`,
    values: placeholders.values,
    logs: entries.length > 0,
    answer: ([row]) => (row?.['held'] === 1 ? 'second-factor' : row?.['allowed'] === null ? 'outdated' : 'started'),
  }
}

/**
 * All units or none, decided on rows that are locked in the given order, as the verb does. If one refuses, the verb
 * finds out which; a key that is inserted concurrently is a collision.
 */
function takeUnits(units: readonly LimitUnit[]): HotStatement | null {
  const keys = units.map(({ key }) => key)
  if (keys.length === 0 || new Set(keys).size < keys.length) return null
  const placeholders = new Placeholders()
  const rows = units.map(
    ({ key, now, interval, span }, n) =>
      `(${n}, ${placeholders.add(key)}, ${placeholders.add(now)}::bigint, ${placeholders.add(interval)}::bigint, ${placeholders.add(now + span)}::bigint)`,
  )
  return {
    text: `with asked (n, key, now, interval, whole) as (values ${rows.join(', ')}),
      held as materialized (select l.key, l.tat from asked a join limits l on l.key = a.key order by a.n for update of l),
      next as materialized (select a.n, a.key, h.key is null as is_new, a.whole,
        case when h.tat > a.now then h.tat else a.now end + a.interval as tat from asked a left join held h on h.key = a.key),
      granted as (select n, key, is_new, tat from next where not exists (select 1 from next where tat > whole)),
      made as (insert into limits (key, tat) select key, tat from granted where is_new),
      moved as (update limits l set tat = g.tat from granted g where l.key = g.key and not g.is_new)
      select tat from granted order by n`,
    values: placeholders.values,
    logs: false,
    answer: (granted) =>
      granted.length === 0 ? leftToVerb : granted.map((row): TakenUnit => ({ taken: true, tat: number(row, 'tat') })),
  }
}

function giveBackUnits(units: readonly ReturnedUnit[]): HotStatement | null {
  if (units.length === 0 || sharesKeys(units)) return null
  const placeholders = new Placeholders()
  return {
    text: `with ${givenBack(units, placeholders)} select 1 as ok`,
    values: placeholders.values,
    logs: false,
    answer: () => undefined,
  }
}

const sharesKeys = (units: readonly ReturnedUnit[]): boolean => new Set(units.map(({ key }) => key)).size < units.length

function givenBack(units: readonly ReturnedUnit[], placeholders: Placeholders): string {
  const rows = units.map(
    ({ key, interval }, n) => `(${n}, ${placeholders.add(key)}, ${placeholders.add(interval)}::bigint)`,
  )
  return `given (n, key, interval) as (values ${rows.join(', ')}),
      held as materialized (select l.key, g.interval from given g join limits l on l.key = g.key order by g.n for update of l),
      back as (update limits l set tat = l.tat - h.interval from held h where l.key = h.key)`
}
