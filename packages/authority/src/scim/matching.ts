/** Selects the resources that fulfil a filter among the candidates, within a bound. */
import { ok } from '@grantor/protocol/result'
import type { Predicate } from '@grantor/protocol/scim'
import { type ScimPage, type ScimQuery, type ScimResource, type ScimResult, tooMany } from './result.ts'

/** The most rows that are examined for one filter. */
export const mostExamined = 5000
export const pageLength = 500

export interface Candidates<Row> {
  readonly rows: AsyncIterable<readonly Row[]>
  /** The rows as resources, as the filter sees them. */
  resources(rows: readonly Row[]): Promise<ScimResult<readonly ScimResource[]>>
  readonly fulfils: Predicate
  /** The advice in the error for too many rows. */
  readonly advice: string
}

/** The matching resources, ordered by id. */
export async function matching<Row>(
  { rows, resources, fulfils, advice }: Candidates<Row>,
  { startIndex, count }: ScimQuery,
): Promise<ScimResult<ScimPage>> {
  const found = new Map<string, ScimResource>()
  let examined = 0
  for await (const some of rows) {
    examined += some.length
    if (examined > mostExamined) return tooMany(advice)
    const read = await resources(some)
    if (read.kind === 'error') return read
    for (const it of read.value) if (fulfils(it.resource)) found.set(it.id, it)
  }
  const sorted = [...found.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return ok({ found: sorted.slice(startIndex - 1, startIndex - 1 + count), total: sorted.length })
}

/** Reads a list page by page, each from the last row of the previous one. */
export async function* pages<Row>(
  read: (after: Row | null) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let after: Row | null = null; ;) {
    const rows: readonly Row[] = await read(after)
    yield rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageLength) return
    after = last
  }
}
