/** A list as a filter over all rows would show it: what the store shows is compared with that, whole and page by page. */
import { deepEqual, equal } from 'node:assert/strict'

const inTwos = 2

/** Every combination of these choices. */
export function combinations<T extends object>(choices: { readonly [K in keyof T]: readonly T[K][] }): readonly T[] {
  let found: readonly Partial<T>[] = [{}]
  for (const [name, values] of Object.entries(choices) as [string, readonly unknown[]][])
    found = found.flatMap((one) => values.map((value) => ({ ...one, [name]: value })))
  return found as readonly T[]
}

export interface List<Row, Filter> {
  readonly rows: readonly Row[]
  readonly filters: readonly Filter[]
  shows(row: Row, filter: Filter): boolean
  /** What comes before what. */
  before(one: Row, another: Row, filter: Filter): boolean
  nameOf(row: Row): string
  read(filter: Filter, after: Row | null, limit: number): Promise<readonly string[]>
}

export async function isAsModelled<Row, Filter>(list: List<Row, Filter>): Promise<void> {
  const byName = new Map(list.rows.map((row) => [list.nameOf(row), row]))
  let shown = 0
  for (const filter of list.filters) {
    const expected = list.rows
      .filter((row) => list.shows(row, filter))
      .toSorted((one, another) => (list.before(one, another, filter) ? -1 : 1))
      .map((row) => list.nameOf(row))
    shown += expected.length
    const asked = JSON.stringify(filter)
    deepEqual(await list.read(filter, null, 100), expected, asked)
    const paged: string[] = []
    for (let after: Row | null = null; ;) {
      const page = await list.read(filter, after, inTwos)
      paged.push(...page)
      if (page.length < inTwos) break
      after = byName.get(page.at(-1) ?? '') ?? null
    }
    deepEqual(paged, expected, `${asked}, in pages`)
  }
  equal(shown > list.filters.length, true, 'most of what is asked for is there')
}
