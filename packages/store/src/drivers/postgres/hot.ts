/**
 * PostgreSQL's own text for verbs that every request needs: guards, change and events in one statement, one round trip,
 * which is its own transaction. The same suite holds them to the same contract.
 */
import type { Basis } from '../../contract/directory/basis.ts'
import type { NewPushedRequest } from '../../contract/tokens/pushed-requests.ts'
import type { Entry } from '../../verbs/entry.ts'
import type { VerbArgs, VerbName } from '../../verbs/index.ts'
import { asText } from '../../verbs/row.ts'
import type { Revocation } from '../../verbs/tokens/tokens.ts'
import type { Row, Value } from '../../verbs/verb.ts'

export interface HotStatement {
  readonly text: string
  readonly values: readonly Value[]
  answer(rows: readonly Row[]): unknown
}

/** Beyond this many events the general way is as good. */
const maxEntries = 50

/** Null: this call needs the general way. */
export function hotStatement<N extends VerbName>(name: N, args: VerbArgs<N>): HotStatement | null {
  if (name === 'tokens.revoke') return revoke(args[0] as Revocation, args[1] as readonly Entry[])
  if (name === 'events.append') return append(args[0] as readonly Entry[])
  if (name === 'pushedRequests.push') return push(args[0] as NewPushedRequest, args[1] as Basis)
  return null
}

/** Collects values and hands out their placeholders. */
class Placeholders {
  readonly values: Value[] = []
  add(value: Value): string {
    return `?${this.values.push(value)}`
  }
}

const rowsOf = (entries: readonly Entry[], it: Placeholders): string =>
  entries
    .map(
      (e) =>
        `(${it.add(e.tenant)}, ${it.add(e.at)}::bigint, ${it.add(e.feed)}::bigint, ${it.add(e.subject)}::text, ${it.add(e.body)})`,
    )
    .join(', ')

const logged = (entries: readonly Entry[], it: Placeholders, guard: string): string =>
  entries.length === 0
    ? ''
    : `, logged as (insert into events_pending (tenant, at, feed, subject, body)
        select e.* from ${guard}, (values ${rowsOf(entries, it)}) e)`

function revoke({ tenant, jti, at, expiresAt }: Revocation, entries: readonly Entry[]): HotStatement | null {
  if (entries.length > maxEntries || entries.some((e) => e.cutoff !== undefined)) return null
  const it = new Placeholders()
  const fresh = `fresh as (insert into revoked_tokens (tenant, jti, revoked_at, expires_at)
    values (${it.add(tenant)}, ${it.add(jti)}, ${it.add(at)}, ${it.add(expiresAt)})
    on conflict (tenant, jti) do nothing returning jti)`
  return {
    text: `with ${fresh}${logged(entries, it, 'fresh')} select 1 as ok from fresh`,
    values: it.values,
    answer: (rows) => (rows.length === 1 ? 'revoked' : 'already-revoked'),
  }
}

function append(entries: readonly Entry[]): HotStatement | null {
  if (entries.length === 0 || entries.length > maxEntries || entries.some((e) => e.cutoff !== undefined)) return null
  const it = new Placeholders()
  return {
    text: `insert into events_pending (tenant, at, feed, subject, body) values ${rowsOf(entries, it)}`,
    values: it.values,
    answer: () => undefined,
  }
}

function push(it: NewPushedRequest, { tenant, revision, client }: Basis): HotStatement | null {
  if (client === null) return null
  const row = [it.tenant, it.handle, it.clientId, asText(it.request), it.expiresAt, it.keptUntil]
  return {
    text: `insert into pushed_requests (tenant, handle, client_id, request, expires_at, kept_until)
      select ?1, ?2, ?3, ?4, ?5::bigint, ?6::bigint from tenants t join clients c on c.tenant = t.id
      where t.id = ?7 and t.revision = ?8 and c.id = ?9 and c.version = ?10 returning 1 as ok`,
    values: [...row, tenant, revision, client.id, client.version],
    answer: (rows) => (rows.length === 1 ? 'pushed' : 'stale'),
  }
}
