/**
 * Issuances that arrive together go to PostgreSQL together: one statement, one commit, one fsync for all of them, and
 * each still guarded by its own basis. What comes while two such statements are in flight makes the next one.
 */
import { StoreUnavailable } from '../../contract/store.ts'
import type { Entry } from '../../verbs/entry.ts'
import type { VerbArgs, VerbName } from '../../verbs/index.ts'
import { number } from '../../verbs/row.ts'
import type { Issuance } from '../../verbs/tokens/tokens.ts'
import type { Row } from '../../verbs/verb.ts'
import { orUnavailable } from './outage.ts'
import type { ConnectionPool } from './pool.ts'
import { runCall } from './run-verb.ts'

type IssueAnswer = 'committed' | 'stale' | 'proof-used'

interface Caller {
  readonly it: Batchable
  readonly resolve: (answer: IssueAnswer) => void
  readonly reject: (error: unknown) => void
}

/** What fits: no grant, nothing to spend or to store, one event that is no person's, a client. That is a JWT by client credentials. */
export interface Batchable {
  readonly issuance: Issuance
  readonly client: { readonly id: string; readonly version: number }
  readonly entry: Entry
}

const maxBatch = 200
const maxInFlight = 2

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

export class IssueBatches {
  readonly #pool: ConnectionPool
  #waiting: Caller[] = []
  #inFlight = 0
  #scheduled = false

  constructor(pool: ConnectionPool) {
    this.#pool = pool
  }

  issue(it: Batchable): Promise<IssueAnswer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ it, resolve, reject })
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#scheduled || this.#inFlight >= maxInFlight || this.#waiting.length === 0) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      const batch = this.#waiting.splice(0, maxBatch)
      this.#inFlight += 1
      void this.#send(batch).finally(() => {
        this.#inFlight -= 1
        this.#schedule()
      })
      this.#schedule()
    })
  }

  async #send(batch: readonly Caller[]): Promise<void> {
    try {
      const answers = await this.#commit(batch)
      batch.forEach((caller, i) => caller.resolve(answers.get(i) ?? 'stale'))
    } catch (error) {
      if (error instanceof StoreUnavailable) for (const caller of batch) caller.reject(error)
      // Because of one of them, perhaps: each by itself.
      else for (const caller of batch) this.#issueAlone(caller.it.issuance).then(caller.resolve, caller.reject)
    }
  }

  async #issueAlone(issuance: Issuance): Promise<IssueAnswer> {
    return (await runCall(this.#pool, 'tokens.issue', [issuance], null)) as IssueAnswer
  }

  /** The answers by their place; who has none was stale. */
  async #commit(batch: readonly Caller[]): Promise<ReadonlyMap<number, IssueAnswer>> {
    const column = <T>(pick: (it: Batchable) => T): T[] => batch.map((caller) => pick(caller.it))
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
    const { rows } = await orUnavailable(this.#pool.query<Row>({ name, text, values }))
    return new Map(rows.map((row) => [number(row, 'i'), row['proven'] === 0 ? 'proof-used' : 'committed']))
  }
}
