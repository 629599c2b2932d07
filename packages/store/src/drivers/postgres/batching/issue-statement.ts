/**
 * `tokens.issue` for many issuances in one statement. Each is guarded by its own basis, by what it spends, by its grant
 * and by its proof, and only those whose guards all held are carried out and returned. The others change nothing, also
 * where another transaction has locked one of their rows: the verb itself then waits, and determines the answer.
 */
import type { Columns } from '../../../verbs/columns.ts'
import type { Issuance } from '../../../verbs/tokens/tokens.ts'
import type { Value } from '../../../verbs/verb.ts'
import { basisColumns, grantColumns, type Insertion, insertions, proofColumns, spendColumns } from './issued-rows.ts'

/**
 * The spendable credentials and their tables. A spent code remembers no successor: presenting it again is an attack.
 */
const spendables = {
  code: { table: 'codes', spentAt: 'spent_at', memory: '' },
  refresh: {
    table: 'refresh_tokens',
    spentAt: 'spent_at',
    memory: ', successor = d.successor, spent_for = d.spent_for',
  },
  device: {
    table: 'device_codes',
    spentAt: 'redeemed_at',
    memory: ', successor = d.successor, spent_for = d.spent_for',
  },
} as const

/** Named by the credential that is spent; an issuance that spends none is told apart by whether it has a grant. */
export type IssueKind = keyof typeof spendables | 'grant' | 'client'

export function issueStatement(
  kind: IssueKind,
  batch: readonly Issuance[],
): { readonly text: string; readonly values: readonly (readonly Value[])[] } {
  const proofs = batch.some(({ proof }) => proof !== null)
  const values = arraysOf(askedColumns(kind, proofs), [...batch.entries()])
  const present = insertions.filter(({ rowsOf, columns }) => {
    const rows = batch.flatMap((issuance, i) => rowsOf(issuance).map((row) => [i, row] as const))
    if (rows.length > 0) values.push(...arraysOf(columns, rows))
    return rows.length > 0
  })
  return { text: textFor(kind, proofs, present), values }
}

const askedColumns = (kind: IssueKind, proofs: boolean): Columns<Issuance> => ({
  ...basisColumns,
  ...(kind === 'client' ? {} : grantColumns),
  ...(kind in spendables ? spendColumns : {}),
  ...(proofs ? proofColumns : {}),
})

/** One array for each column; the first is the index of the issuance in its batch. */
const arraysOf = <T>(columns: Columns<T>, rows: readonly (readonly [number, T])[]): (readonly Value[])[] => [
  rows.map(([i]) => i),
  ...Object.values(columns).map(([, pick]) => rows.map(([, row]) => pick(row) ?? null)),
]

const texts = new Map<string, string>()

function textFor(kind: IssueKind, proofs: boolean, present: readonly Insertion<unknown>[]): string {
  const name = [kind, proofs, ...present.map(({ into }) => into)].join()
  const text = texts.get(name) ?? writtenText(kind, proofs, present)
  texts.set(name, text)
  return text
}

function writtenText(kind: IssueKind, proofs: boolean, present: readonly Insertion<unknown>[]): string {
  const steps = new Steps()
  steps.guard('asked', `select * from ${steps.relation(askedColumns(kind, proofs))}`)
  steps.guard(
    'holds',
    `select d.* from asked d join tenants t on t.id = d.tenant and t.revision = d.revision
      join clients c on c.tenant = d.tenant and c.id = d.client and c.version = d.version`,
  )
  const spendable = kind === 'client' || kind === 'grant' ? null : spendables[kind]
  const hasGrant = kind !== 'client'
  if (spendable !== null) lock(steps, 'unspent', `${spendable.table} x`, unspent(spendable))
  if (hasGrant) lock(steps, 'alive', 'grants x', 'x.id = d.grant_id and x.revoked_at is null')
  if (proofs) useProofs(steps)
  if (spendable !== null) {
    const { spentAt, memory } = spendable
    mark(steps, 'spent', `${spendable.table} x set ${spentAt} = d.at${memory}`, 'x.handle = d.handle')
  }
  if (hasGrant) mark(steps, 'last_used', `grants x set ${lastUsed}`, 'x.id = d.grant_id')
  for (const insertion of present) insert(steps, insertion)
  return steps.text
}

type Spendable = (typeof spendables)[keyof typeof spendables]

const unspent = ({ spentAt }: Spendable): string => `x.handle = d.handle and x.${spentAt} is null`
const lastUsed = 'last_used_at = d.at, confirmation = coalesce(d.binding, x.confirmation)'

/** The steps of one statement. Each guard passes a subset of what the previous one passed. */
class Steps {
  readonly #steps: string[] = []
  #arrays = 0
  /** The last guard: the issuances that all guards passed. */
  passed = ''

  add(name: string, text: string): void {
    this.#steps.push(`${name} as (${text})`)
  }

  guard(name: string, text: string): void {
    this.add(name, text)
    this.passed = name
  }

  /** The arrays are numbered in the order in which they are sent. */
  relation(columns: Columns<never>): string {
    const types = ['bigint', ...Object.values(columns).map(([type]) => type)]
    const arrays = types.map((type) => `?${++this.#arrays}::${type}[]`)
    return `unnest(${arrays.join(', ')}) with ordinality as r (i, ${Object.keys(columns).join(', ')}, place)`
  }

  get text(): string {
    return `with ${this.#steps.join(',\n  ')}\n  select i from ${this.passed}`
  }
}

function lock(steps: Steps, name: string, table: string, condition: string): void {
  steps.guard(
    name,
    `select d.* from ${steps.passed} d, lateral (select 1 from ${table}
      where x.tenant = d.tenant and ${condition} for no key update skip locked) x`,
  )
}

/** In a fixed order, so that no two statements wait for each other in a circle. */
function useProofs(steps: Steps): void {
  const { passed } = steps
  steps.add(
    'used_now',
    `insert into used_proofs (tenant, handle, expires_at) select tenant, proof, proof_until from ${passed}
      where proof is not null order by tenant, proof on conflict (tenant, handle) do nothing returning tenant, handle`,
  )
  steps.guard(
    'proven',
    `select d.* from ${passed} d where d.proof is null or (d.tenant, d.proof) in (select tenant, handle from used_now)`,
  )
}

function mark(steps: Steps, name: string, change: string, condition: string): void {
  steps.add(name, `update ${change} from ${steps.passed} d where x.tenant = d.tenant and ${condition}`)
}

function insert(steps: Steps, { into, columns }: Insertion<unknown>): void {
  const names = Object.keys(columns).join(', ')
  steps.add(
    `new_in_${into}`,
    `insert into ${into} (${names}) select ${names} from ${steps.relation(columns)}
      where i in (select i from ${steps.passed}) order by place`,
  )
}
