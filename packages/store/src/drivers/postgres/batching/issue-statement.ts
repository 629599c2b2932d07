/**
 * `tokens.issue` for many in one statement. Each is guarded by its own basis, by what it spends, by its grant and by its
 * proof, and only those come back for which everything held and was done. The others are left as they were, also where
 * another transaction has one of their rows: the verb itself then waits, and says why.
 */
import { asMaybeText, asText, asWords } from '../../../verbs/row.ts'
import type { Issuance } from '../../../verbs/tokens/tokens.ts'
import type { Value } from '../../../verbs/verb.ts'

/** What is spent, and where. Of a code nothing is remembered: its repetition is an attack. */
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

/** By what is spent; of those that spend nothing, whether there is a grant. */
export type IssueKind = keyof typeof spendables | 'grant' | 'client'

type Columns<T> = Readonly<Record<string, readonly ['text' | 'bigint' | 'bytea', (it: T) => Value | undefined]>>

const basisColumns: Columns<Issuance> = {
  tenant: ['text', ({ basis }) => basis.tenant],
  revision: ['bigint', ({ basis }) => basis.revision],
  client: ['text', ({ basis }) => basis.client?.id],
  version: ['bigint', ({ basis }) => basis.client?.version],
}
const grantColumns: Columns<Issuance> = {
  at: ['bigint', ({ at }) => at],
  grant_id: ['text', ({ grantId }) => grantId],
  binding: ['text', ({ binding }) => asMaybeText(binding)],
}
const spendColumns: Columns<Issuance> = {
  handle: ['text', ({ spend }) => spend?.handle],
  successor: ['text', ({ successor }) => successor?.handle],
  spent_for: ['text', ({ spend }) => (spend !== null && 'spentFor' in spend ? spend.spentFor : null)],
}
const proofColumns: Columns<Issuance> = {
  proof: ['text', ({ proof }) => proof?.handle],
  proof_until: ['bigint', ({ proof }) => proof?.expiresAt],
}

interface Insertion<T> {
  readonly into: string
  rowsOf(it: Issuance): readonly T[]
  readonly columns: Columns<T>
}
const insertion = <T>(it: Insertion<T>): Insertion<unknown> => it as Insertion<unknown>
const ofTenant = <T>({ basis: { tenant } }: Issuance, it: T | null | undefined) => (it ? [{ ...it, tenant }] : [])

/** What comes of an issuance, beside the marks on what it was made from. */
const insertions = [
  insertion({
    into: 'refresh_tokens',
    rowsOf: (it) => ofTenant(it, it.successor),
    columns: {
      tenant: ['text', ({ tenant }) => tenant],
      handle: ['text', ({ handle }) => handle],
      grant_id: ['text', ({ grantId }) => grantId],
      scope: ['text', ({ scope }) => scope],
      salt: ['bytea', ({ salt }) => salt],
      expires_at: ['bigint', ({ expiresAt }) => expiresAt],
    },
  }),
  insertion({
    into: 'opaque_tokens',
    rowsOf: (it) => ofTenant(it, it.opaque),
    columns: {
      tenant: ['text', ({ tenant }) => tenant],
      handle: ['text', ({ handle }) => handle],
      jti: ['text', ({ jti }) => jti],
      client_id: ['text', ({ clientId }) => clientId],
      subject: ['text', ({ subject }) => subject],
      grant_id: ['text', ({ grantId }) => grantId],
      audience: ['text', ({ audience }) => audience],
      scope: ['text', ({ scope }) => asWords(scope)],
      issued_at: ['bigint', ({ issuedAt }) => issuedAt],
      expires_at: ['bigint', ({ expiresAt }) => expiresAt],
      claims: ['text', ({ claims }) => asText(claims)],
    },
  }),
  insertion({
    into: 'status_entries',
    rowsOf: (it) => ofTenant(it, it.statusEntry),
    columns: {
      tenant: ['text', ({ tenant }) => tenant],
      list: ['text', ({ list }) => list],
      idx: ['bigint', ({ idx }) => idx],
      client_id: ['text', ({ clientId }) => clientId],
      grant_id: ['text', ({ grantId }) => grantId],
      session_id: ['text', ({ sessionId }) => sessionId],
      issued_at: ['bigint', ({ issuedAt }) => issuedAt],
    },
  }),
  insertion({
    into: 'events_pending',
    rowsOf: ({ entries }) => entries,
    columns: {
      tenant: ['text', ({ tenant }) => tenant],
      at: ['bigint', ({ at }) => at],
      feed: ['bigint', ({ feed }) => feed],
      subject: ['text', ({ subject }) => subject],
      body: ['text', ({ body }) => body],
    },
  }),
]

export function issueStatement(
  kind: IssueKind,
  batch: readonly Issuance[],
): { readonly text: string; readonly values: readonly (readonly Value[])[] } {
  const proofs = batch.some(({ proof }) => proof !== null)
  const values = arraysOf(askedColumns(kind, proofs), [...batch.entries()])
  const present = insertions.filter(({ rowsOf, columns }) => {
    const rows = batch.flatMap((it, i) => rowsOf(it).map((row) => [i, row] as const))
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

/** One for each column, the first for the place of the issuance in its batch. */
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

/** The arrays are numbered in the order in which they are sent. */
function writtenText(kind: IssueKind, proofs: boolean, present: readonly Insertion<unknown>[]): string {
  let arrays = 0
  const relation = (columns: Columns<never>): string => {
    const types = ['bigint', ...Object.values(columns).map(([type]) => type)]
    return `unnest(${types.map((type) => `?${++arrays}::${type}[]`).join(', ')}) with ordinality
      as r (i, ${Object.keys(columns).join(', ')}, place)`
  }
  const steps = [
    `asked as (select * from ${relation(askedColumns(kind, proofs))})`,
    `holds as (select a.* from asked a
      join tenants t on t.id = a.tenant and t.revision = a.revision
      join clients c on c.tenant = a.tenant and c.id = a.client and c.version = a.version)`,
  ]
  // Each guard lets through what the one before let through, in this order.
  let guard = 'holds'
  const add = (name: string, text: string): void => void steps.push(`${name} as (${text})`)
  const addGuard = (name: string, text: string): void => (add(name, text), void (guard = name))
  const spendable = kind === 'client' || kind === 'grant' ? null : spendables[kind]
  if (spendable !== null)
    addGuard(
      'unspent',
      `select d.* from ${guard} d, lateral (select 1 from ${spendable.table} x where x.tenant = d.tenant
        and x.handle = d.handle and x.${spendable.spentAt} is null for no key update skip locked) x`,
    )
  if (kind !== 'client')
    addGuard(
      'alive',
      `select d.* from ${guard} d, lateral (select 1 from grants g where g.tenant = d.tenant
        and g.id = d.grant_id and g.revoked_at is null for no key update skip locked) g`,
    )
  if (proofs) {
    // In one order, so that no two statements wait for each other.
    add(
      'used_now',
      `insert into used_proofs (tenant, handle, expires_at) select tenant, proof, proof_until from ${guard}
        where proof is not null order by tenant, proof on conflict (tenant, handle) do nothing returning tenant, handle`,
    )
    addGuard(
      'proven',
      `select d.* from ${guard} d where d.proof is null or (d.tenant, d.proof) in (select tenant, handle from used_now)`,
    )
  }
  if (spendable !== null)
    add(
      'spent',
      `update ${spendable.table} x set ${spendable.spentAt} = d.at${spendable.memory} from ${guard} d
        where x.tenant = d.tenant and x.handle = d.handle`,
    )
  if (kind !== 'client')
    add(
      'last_used',
      `update grants g set last_used_at = d.at, confirmation = coalesce(d.binding, g.confirmation) from ${guard} d
        where g.tenant = d.tenant and g.id = d.grant_id`,
    )
  for (const { into, columns } of present) {
    const names = Object.keys(columns).join(', ')
    add(
      `new_in_${into}`,
      `insert into ${into} (${names}) select ${names} from ${relation(columns)}
        where i in (select i from ${guard}) order by place`,
    )
  }
  return `with ${steps.join(',\n  ')}\n  select i from ${guard}`
}
