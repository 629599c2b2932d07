/**
 * PostgreSQL's own text for verbs that every request needs: guards, change and events in one statement, one round trip,
 * which is its own transaction. The same suite holds them to the same contract.
 */
import { asText, asWords } from '../row.ts'
import type { Entry, Row, Value } from '../verb.ts'
import type { VerbArgs, VerbName } from '../verbs/index.ts'
import type { Issuance, Revocation } from '../verbs/tokens.ts'

export interface HotStatement {
  readonly text: string
  readonly values: readonly Value[]
  answer(rows: readonly Row[]): unknown
}

/** Beyond this many events the general way is as good. */
const maxEntries = 50

/** Null: this call needs the general way. */
export function hotStatement<N extends VerbName>(name: N, args: VerbArgs<N>): HotStatement | null {
  if (name === 'tokens.issue') return issue(args[0] as Issuance)
  if (name === 'tokens.revoke') return revoke(args[0] as Revocation, args[1] as readonly Entry[])
  if (name === 'events.append') return append(args[0] as readonly Entry[])
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

/** Client credentials and the like: no grant, nothing to spend. */
function issue({ basis, grantId, spend, successor, opaque, entries }: Issuance): HotStatement | null {
  if (grantId !== null || spend !== null || successor !== null || entries.length > maxEntries) return null
  const it = new Placeholders()
  const tenant = it.add(basis.tenant)
  const client =
    basis.client === null
      ? ''
      : `join clients c on c.tenant = t.id and c.id = ${it.add(basis.client.id)} and c.version = ${it.add(basis.client.version)}`
  const guard = `holds as (select 1 from tenants t ${client} where t.id = ${tenant} and t.revision = ${it.add(basis.revision)})`
  const stored =
    opaque === null
      ? ''
      : `, stored as (insert into opaque_tokens
          (tenant, handle, jti, client_id, subject, grant_id, audience, scope, issued_at, expires_at, claims)
          select ${tenant}, ${it.add(opaque.handle)}, ${it.add(opaque.jti)}, ${it.add(opaque.clientId)},
            ${it.add(opaque.subject)}, ${it.add(opaque.grantId)}, ${it.add(opaque.audience)}, ${it.add(asWords(opaque.scope))},
            ${it.add(opaque.issuedAt)}::bigint, ${it.add(opaque.expiresAt)}::bigint, ${it.add(asText(opaque.claims))} from holds)`
  return {
    text: `with ${guard}${stored}${logged(entries, it, 'holds')} select 1 as ok from holds`,
    values: it.values,
    answer: (rows) => (rows.length === 1 ? 'committed' : 'stale'),
  }
}

function revoke({ tenant, jti, at, expiresAt }: Revocation, entries: readonly Entry[]): HotStatement | null {
  if (entries.length > maxEntries) return null
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
  if (entries.length === 0 || entries.length > maxEntries) return null
  const it = new Placeholders()
  return {
    text: `insert into events_pending (tenant, at, feed, subject, body) values ${rowsOf(entries, it)}`,
    values: it.values,
    answer: () => undefined,
  }
}
