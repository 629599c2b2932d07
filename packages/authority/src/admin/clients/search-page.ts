/** A page of a search without an index: it reads for a limited time, and reports how far it has come. */

export interface SearchPage<T, Place> {
  readonly found: readonly T[]
  /** Where the next request continues; null where nothing remains, or as many rows as requested were found. */
  readonly resumesAfter: Place | null
}

/** Whether a search has read for long enough since it began. */
export type SearchDeadline = () => boolean

/**
 * The longest time, in milliseconds, that one request reads: with all its other work it stays below a tenth of a
 * second.
 */
const longest = 30

export function searchDeadline(): SearchDeadline {
  const until = performance.now() + longest
  return () => performance.now() >= until
}
