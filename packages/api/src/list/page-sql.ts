/** A page of a list as SQL: the keyset condition, the filters, and the order, with `?` placeholders. */
import type { FilterTerm, Scalar, SortKey } from '@grantor/protocol/http'
import type { PageQuery } from '../collection/handlers.ts'

export interface PageSql {
  /** The condition for WHERE; never empty. */
  readonly where: string
  /** The terms for ORDER BY. */
  readonly order: string
  readonly values: readonly Scalar[]
}

/**
 * `columns` maps a field of the schema to its column; sort columns must not be null. With an index over (tenant, sort
 * columns …, id), page 10 000 costs no more than page 1.
 */
export function pageSql(query: PageQuery, columns: Readonly<Record<string, string>>): PageSql {
  const column = (field: string): string => {
    const name = Object.hasOwn(columns, field) ? columns[field] : undefined
    if (name === undefined) throw new Error(`no column for the field ${field}`)
    return name
  }
  const parts = [...query.filter.map((term) => filterSql(term, column(term.field))), keysetSql(query, column)]
  return {
    where: parts.map(({ sql }) => `(${sql})`).join(' AND '),
    order: query.sort.map(({ field, descending }) => `${column(field)} ${descending ? 'DESC' : 'ASC'}`).join(', '),
    values: parts.flatMap(({ values }) => values),
  }
}

interface Condition {
  readonly sql: string
  readonly values: readonly Scalar[]
}

const comparisons = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const

function filterSql({ op, values }: FilterTerm, column: string): Condition {
  const stored = values.map((value) => (typeof value === 'boolean' ? Number(value) : value))
  if (op === 'in') return { sql: `${column} IN (${stored.map(() => '?').join(', ')})`, values: stored }
  // Every text begins with the empty one, and contains it.
  if (op === 'contains' && values[0] === '') return { sql: `${column} IS NOT NULL`, values: [] }
  if (op === 'contains') return { sql: `replace(${column}, ?, '') <> ${column}`, values: stored }
  if (op !== 'prefix') return { sql: `${column} ${comparisons[op]} ?`, values: stored }
  // No LIKE: its wildcards and case rules differ between databases.
  return { sql: `substr(${column}, 1, length(?)) = ?`, values: [...stored, ...stored] }
}

/** (a, b) > (1, 2) where all keys have one direction; the same written out where directions differ. */
function keysetSql({ sort, after }: PageQuery, column: (field: string) => string): Condition {
  if (after === null) return { sql: '1 = 1', values: [] }
  const beyond = ({ descending }: SortKey): string => (descending ? '<' : '>')
  const [first] = sort
  if (first !== undefined && sort.every(({ descending }) => descending === first.descending)) {
    const keys = sort.map(({ field }) => column(field)).join(', ')
    return { sql: `(${keys}) ${beyond(first)} (${sort.map(() => '?').join(', ')})`, values: after }
  }
  const steps = sort.map((key, i) => {
    const equal = sort.slice(0, i).map(({ field }) => `${column(field)} = ?`)
    return { sql: [...equal, `${column(key.field)} ${beyond(key)} ?`].join(' AND '), values: after.slice(0, i + 1) }
  })
  return { sql: steps.map(({ sql }) => `(${sql})`).join(' OR '), values: steps.flatMap(({ values }) => values) }
}
