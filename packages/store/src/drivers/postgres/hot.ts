/**
 * PostgreSQL's own text for verbs that every request needs: guards, change and events in one statement, one round trip,
 * which is its own transaction. The same suite holds them to the same contract.
 */
import type { Basis } from '../../contract/directory/basis.ts'
import type { NewRefresh, Spend } from '../../contract/tokens/grants.ts'
import type { StatusEntry } from '../../contract/tokens/status-lists.ts'
import type { NewOpaqueToken } from '../../contract/tokens/tokens.ts'
import type { Entry } from '../../verbs/entry.ts'
import type { VerbArgs, VerbName } from '../../verbs/index.ts'
import { asText, asWords, number } from '../../verbs/row.ts'
import type { Issuance, Revocation } from '../../verbs/tokens/tokens.ts'
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

function issue(issuance: Issuance): HotStatement | null {
  const { grantId, spend, successor, entries } = issuance
  if (entries.length > maxEntries) return null
  if (grantId === null && spend === null && successor === null) return issueAlone(issuance)
  // A retry is rare, and locks rows of its own; so is a device, next to all that it does afterwards.
  if (grantId === null || (spend?.kind !== 'code' && spend?.kind !== 'refresh')) return null
  return redeem({ ...issuance, grantId, spend })
}

const holds = ({ tenant, revision, client }: Basis, it: Placeholders): string => {
  const version =
    client === null
      ? ''
      : `join clients c on c.tenant = t.id and c.id = ${it.add(client.id)} and c.version = ${it.add(client.version)}`
  return `holds as (select 1 from tenants t ${version} where t.id = ${it.add(tenant)} and t.revision = ${it.add(revision)})`
}

/** What everything else waits for: the guard itself, or that the proof which came along is inserted and so is new. */
const proven = ({ basis, proof }: Issuance, it: Placeholders, guard: string): readonly [text: string, guard: string] =>
  proof === null
    ? ['', guard]
    : [
        `, proven as (insert into used_proofs (tenant, handle, expires_at)
        select ${it.add(basis.tenant)}, ${it.add(proof.handle)}, ${it.add(proof.expiresAt)}::bigint from ${guard}
        on conflict (tenant, handle) do nothing returning 1)`,
        'proven',
      ]

/** Client credentials and the like: no grant, nothing to spend. */
function issueAlone(issuance: Issuance): HotStatement {
  const { basis, opaque, statusEntry, entries } = issuance
  const it = new Placeholders()
  const holding = holds(basis, it)
  const [proof, guard] = proven(issuance, it, 'holds')
  const kept = `${stored(basis, opaque, it, guard)}${listed(basis, statusEntry, it, guard)}`
  const done = `${kept}${logged(entries, it, guard)}`
  return {
    text: `with ${holding}${proof}${done} select (select count(*) from ${guard}) as proven from holds`,
    values: it.values,
    answer: ([row]) => (row === undefined ? 'stale' : number(row, 'proven') === 0 ? 'proof-used' : 'committed'),
  }
}

interface Redemption extends Issuance {
  readonly grantId: NonNullable<Issuance['grantId']>
  readonly spend: Extract<Spend, { readonly kind: 'code' | 'refresh' }>
}

/**
 * Code exchange and refresh. What is spent and its grant are locked before anything is written, in the order of the
 * general way: a row that another one changed first is looked at again, and then there is nothing to take back.
 */
function redeem(issuance: Redemption): HotStatement {
  const { basis, at, grantId, spend, successor, opaque, statusEntry, binding, entries } = issuance
  const it = new Placeholders()
  const holding = holds(basis, it)
  const [tenant, handle, now] = [it.add(basis.tenant), it.add(spend.handle), `${it.add(at)}::bigint`]
  const table = spend.kind === 'refresh' ? 'refresh_tokens' : 'codes'
  const next =
    spend.kind === 'refresh'
      ? `, successor = ${it.add(successor?.handle ?? null)}, spent_for = ${it.add(spend.spentFor ?? null)}`
      : ''
  const bound = binding === null ? '' : `, confirmation = ${it.add(asText(binding))}`
  const id = it.add(grantId)
  const [proof, guard] = proven(issuance, it, 'alive')
  const text = `with ${holding},
    unspent as (select x.handle from holds, ${table} x
      where x.tenant = ${tenant} and x.handle = ${handle} and x.spent_at is null for no key update of x),
    alive as (select g.id from unspent, grants g
      where g.tenant = ${tenant} and g.id = ${id} and g.revoked_at is null for no key update of g)${proof},
    spent as (update ${table} x set spent_at = ${now}${next} from ${guard} where x.tenant = ${tenant} and x.handle = ${handle}),
    used as (update grants g set last_used_at = ${now}${bound} from ${guard} where g.tenant = ${tenant} and g.id = ${id})
    ${succeeded(basis, successor, it, guard)}${stored(basis, opaque, it, guard)}
    ${listed(basis, statusEntry, it, guard)}${logged(entries, it, guard)}
    select (select count(*) from holds) as holds, (select count(*) from unspent) as unspent,
      (select count(*) from alive) as alive, (select count(*) from ${guard}) as proven`
  return { text, values: it.values, answer: ([row]) => redeemed(row as Row) }
}

function redeemed(row: Row): 'committed' | 'stale' | 'already-spent' | 'grant-dead' | 'proof-used' {
  if (number(row, 'holds') === 0) return 'stale'
  if (number(row, 'unspent') === 0) return 'already-spent'
  if (number(row, 'alive') === 0) return 'grant-dead'
  return number(row, 'proven') === 0 ? 'proof-used' : 'committed'
}

const succeeded = ({ tenant }: Basis, successor: NewRefresh | null, it: Placeholders, guard: string): string =>
  successor === null
    ? ''
    : `, succeeded as (insert into refresh_tokens (tenant, handle, grant_id, scope, salt, expires_at)
        select ${it.add(tenant)}, ${it.add(successor.handle)}, ${it.add(successor.grantId)}, ${it.add(successor.scope)},
          ${it.add(successor.salt)}::bytea, ${it.add(successor.expiresAt)}::bigint from ${guard})`

const stored = ({ tenant }: Basis, opaque: NewOpaqueToken | null, it: Placeholders, guard: string): string =>
  opaque === null
    ? ''
    : `, stored as (insert into opaque_tokens
        (tenant, handle, jti, client_id, subject, grant_id, audience, scope, issued_at, expires_at, claims)
        select ${it.add(tenant)}, ${it.add(opaque.handle)}, ${it.add(opaque.jti)}, ${it.add(opaque.clientId)},
          ${it.add(opaque.subject)}, ${it.add(opaque.grantId)}, ${it.add(opaque.audience)}, ${it.add(asWords(opaque.scope))},
          ${it.add(opaque.issuedAt)}::bigint, ${it.add(opaque.expiresAt)}::bigint, ${it.add(asText(opaque.claims))} from ${guard})`

const listed = ({ tenant }: Basis, entry: StatusEntry | undefined, it: Placeholders, guard: string): string =>
  entry === undefined
    ? ''
    : `, listed as (insert into status_entries (tenant, list, idx, client_id, grant_id, session_id, issued_at)
        select ${it.add(tenant)}, ${it.add(entry.list)}, ${it.add(entry.idx)}::bigint, ${it.add(entry.clientId)},
          ${it.add(entry.grantId)}, ${it.add(entry.sessionId)}, ${it.add(entry.issuedAt)}::bigint from ${guard})`

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
