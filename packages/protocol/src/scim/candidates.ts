/** The part of a filter that indexes can answer: a few candidate resources, or null where all must be examined. */
import type { Filter } from './filter.ts'
import type { AttributePath } from './path.ts'

/** A lookup in an index: by the whole value of an attribute, or its beginning. */
export interface IndexQuestion {
  readonly attribute: string
  readonly op: 'eq' | 'sw'
  readonly value: string
}

/** Attribute names in lower case (`emails.value`), and the supported lookups of each. */
export type Indexes = Readonly<Record<string, readonly IndexQuestion['op'][]>>

/**
 * Every resource that fulfils the filter is among the results of these lookups; null where no index narrows the search.
 */
// oxlint-disable-next-line typescript/consistent-return -- the switch is exhaustive; the compiler would say so
export function candidateQuestions(filter: Filter, indexes: Indexes): readonly IndexQuestion[] | null {
  switch (filter.kind) {
    case 'compare': {
      const { op, value } = filter
      const attribute = nameOf(filter.path)
      if (typeof value !== 'string' || (op !== 'eq' && op !== 'sw')) return null
      return (indexes[attribute] ?? []).includes(op) ? [{ attribute, op, value }] : null
    }
    case 'values':
      return candidateQuestions(within(filter.path, filter.where), indexes)
    case 'and': {
      // The narrowest term: that with the fewest lookups.
      const found = filter.terms.flatMap((term) =>
        [candidateQuestions(term, indexes) ?? []].filter((it) => it.length > 0),
      )
      return found.toSorted((a, b) => a.length - b.length)[0] ?? null
    }
    case 'or': {
      const found = filter.terms.map((term) => candidateQuestions(term, indexes))
      return found.some((it) => it === null) ? null : found.flatMap((it) => it ?? [])
    }
    case 'not':
    case 'present':
      return null
  }
}

const lists: ReadonlySet<string> = new Set(['emails', 'groups', 'members'])

const nameOf = ({ attribute, sub }: AttributePath): string => {
  const name = attribute.toLowerCase()
  // `emails eq` means `emails.value eq`.
  return sub === null ? (lists.has(name) ? `${name}.value` : name) : `${name}.${sub.toLowerCase()}`
}

/** `emails[value eq "a"]` as a lookup of `emails.value`; other terms narrow nothing. */
function within(list: AttributePath, where: Filter): Filter {
  if (where.kind === 'compare') return { ...where, path: { ...list, sub: where.path.attribute } }
  if (where.kind === 'and' || where.kind === 'or')
    return { ...where, terms: where.terms.map((term) => within(list, term)) }
  return where
}
