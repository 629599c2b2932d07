/** Issuances that arrive together go to PostgreSQL together. */
import type { Entry } from '../../verbs/entry.ts'
import type { VerbArgs, VerbName } from '../../verbs/index.ts'
import { number } from '../../verbs/row.ts'
import type { Issuance } from '../../verbs/tokens/tokens.ts'
import type { Row } from '../../verbs/verb.ts'
import { Batches } from './batches.ts'
import { orUnavailable } from './outage.ts'
import type { ConnectionPool } from './pool.ts'
import { runCall } from './run-verb.ts'

type IssueAnswer = 'committed' | 'stale' | 'proof-used'

/** What fits: no grant, nothing to spend or to store, one event that is no person's, a client. That is a JWT by client credentials. */
export interface Batchable {
  readonly issuance: Issuance
  readonly client: { readonly id: string; readonly version: number }
  readonly entry: Entry
}

/** What some of a batch come with beyond the event; a batch without has the shorter text. */
interface BatchParts {
  /** A DPoP proof that is used up. */
  readonly proofs: boolean
  /** A place in a status list. */
  readonly places: boolean
}

/**
 * Of two with the same proof, the first is served; proofs are inserted in one order, so that no two statements wait for
 * each other.
 */
function statementOf({ proofs, places }: BatchParts): string {
  const columns = ['i', 'tenant', 'revision', 'client', 'version', 'log', 'at', 'feed', 'body']
  const types = ['bigint', 'text', 'bigint', 'text', 'bigint', 'text', 'bigint', 'bigint', 'text']
  if (proofs) columns.push('proof', 'proof_until')
  if (proofs) types.push('text', 'bigint')
  if (places) columns.push('list', 'idx', 'client_id', 'grant_id', 'session_id', 'issued_at')
  if (places) types.push('text', 'bigint', 'text', 'text', 'text', 'bigint')
  const guard = proofs ? 'proven' : 'holds'
  const proven = `,
  first as (select distinct on (tenant, proof) tenant, proof, proof_until, i from holds
    where proof is not null order by tenant, proof, i),
  used as (insert into used_proofs (tenant, handle, expires_at) select tenant, proof, proof_until from first
    on conflict (tenant, handle) do nothing returning tenant, handle),
  proven as (select h.* from holds h where h.proof is null
    or h.i in (select f.i from first f join used u on u.tenant = f.tenant and u.handle = f.proof))`
  const listed = `,
  listed as (insert into status_entries (tenant, list, idx, client_id, grant_id, session_id, issued_at)
    select tenant, list, idx, client_id, grant_id, session_id, issued_at from ${guard} where list is not null)`
  return `with
  asked as (select * from unnest(${types.map((type, i) => `$${i + 1}::${type}[]`).join(', ')})
    as a (${columns.join(', ')})),
  holds as (select a.* from asked a
    join tenants t on t.id = a.tenant and t.revision = a.revision
    join clients c on c.tenant = a.tenant and c.id = a.client and c.version = a.version)${proofs ? proven : ''}${places ? listed : ''},
  logged as (insert into events_pending (tenant, at, feed, body) select log, at, feed, body from ${guard} order by i)
  select h.i${proofs ? ', (select count(*) from proven p where p.i = h.i) as proven' : ''} from holds h`
}

const statements = [
  { name: 'issues', proofs: false, places: false },
  { name: 'proven-issues', proofs: true, places: false },
  { name: 'listed-issues', proofs: false, places: true },
  { name: 'proven-listed-issues', proofs: true, places: true },
].map((it) => ({ ...it, text: statementOf(it) }))
type Prepared = (typeof statements)[number]

export function batchable<N extends VerbName>(name: N, args: VerbArgs<N>): Batchable | null {
  if (name !== 'tokens.issue') return null
  const issuance = args[0] as Issuance
  const { basis, grantId, spend, successor, opaque, entries } = issuance
  const [entry] = entries
  if (grantId !== null || spend !== null || successor !== null || opaque !== null) return null
  return basis.client === null || entry === undefined || entry.subject !== null || entries.length > 1
    ? null
    : { issuance, client: basis.client, entry }
}

/** One statement, one commit, one fsync for all of them, and each still guarded by its own basis. */
export const issueBatches = (pool: ConnectionPool): Batches<Batchable, IssueAnswer> =>
  new Batches({
    together: (batch) => commit(pool, batch),
    alone: async ({ issuance }) => (await runCall(pool, 'tokens.issue', [issuance], null)) as IssueAnswer,
  })

async function commit(pool: ConnectionPool, batch: readonly Batchable[]): Promise<readonly IssueAnswer[]> {
  const column = <T>(pick: (it: Batchable) => T): T[] => batch.map(pick)
  const values: unknown[][] = [
    batch.map((_, i) => i),
    column((it) => it.issuance.basis.tenant),
    column((it) => it.issuance.basis.revision),
    column((it) => it.client.id),
    column((it) => it.client.version),
    column((it) => it.entry.tenant),
    column((it) => it.entry.at),
    column((it) => it.entry.feed),
    column((it) => it.entry.body),
  ]
  const proofs = column((it) => it.issuance.proof)
  const places = column((it) => it.issuance.statusEntry)
  const has = { proofs: proofs.some((it) => it !== null), places: places.some((it) => it !== undefined) }
  const { name, text } = statements.find((it) => it.proofs === has.proofs && it.places === has.places) as Prepared
  if (has.proofs)
    values.push(
      proofs.map((it) => it?.handle ?? null),
      proofs.map((it) => it?.expiresAt ?? null),
    )
  if (has.places) {
    for (const name of ['list', 'idx', 'clientId', 'grantId', 'sessionId', 'issuedAt'] as const)
      values.push(places.map((it) => it?.[name] ?? null))
  }
  const { rows } = await orUnavailable(pool.query<Row>({ name, text, values }))
  // Who has no row was stale.
  const answers: IssueAnswer[] = batch.map(() => 'stale')
  for (const row of rows) answers[number(row, 'i')] = row['proven'] === 0 ? 'proof-used' : 'committed'
  return answers
}
