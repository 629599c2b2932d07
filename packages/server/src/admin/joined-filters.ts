/** Filters are a conjunction, also those of one field: none may be ignored because another one is found first. */
import type { Collection } from '@grantor/api'
import type { FilterTerm, Problem } from '@grantor/protocol/http'
import { invalidFilter } from './admin-problem.ts'

/** The same collection, whose `list` gets at most one term of values (`eq`, `in`) for each field. */
export function withJoinedFilters(of: Collection): Collection {
  const { list } = of.handlers
  if (list === undefined) return of
  const joined: Collection['handlers']['list'] = (query, context) => {
    const filter = joinedFilter(query.filter)
    if (filter === 'nothing') return []
    return 'kind' in filter ? filter : list({ ...query, filter }, context)
  }
  return { ...of, handlers: { ...of.handlers, list: joined } }
}

const namesValues = ({ op }: FilterTerm): boolean => op === 'eq' || op === 'in'

/** Intersects the values of several terms of a field; `nothing` where the intersection is empty. */
function joinedFilter(filter: readonly FilterTerm[]): readonly FilterTerm[] | Problem | 'nothing' {
  const joined = filter.filter((term) => !namesValues(term))
  for (const [field, terms] of Map.groupBy(filter.filter(namesValues), (term) => term.field)) {
    // Only the list itself knows whether two spellings (`Ada`, `ada`) are the same value.
    if (terms.filter(({ op }) => op === 'eq').length > 1)
      return invalidFilter([field, `${field}[eq]`], 'These are the same filter. Send it once.')
    const [first, ...others] = terms as [FilterTerm, ...FilterTerm[]]
    const values = first.values.filter((value) => others.every((other) => other.values.includes(value)))
    if (values.length === 0) return 'nothing'
    joined.push({ field, op: others.length === 0 ? first.op : 'in', values })
  }
  return joined
}
