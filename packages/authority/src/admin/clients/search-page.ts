/** A page of a search for what no index knows: it reads, for a while at most, and says how far it has come. */

export interface SearchPage<T, Place> {
  readonly found: readonly T[]
  /** Where the next request goes on; null where nothing is left, or as much was found as was asked for. */
  readonly resumesAfter: Place | null
}

/** Says whether a search that begins now has read for long enough. */
export type SearchDeadline = () => boolean

/** Milliseconds that one request reads for: with all else that it costs it stays below a tenth of a second. */
const longest = 30

export function searchDeadline(): SearchDeadline {
  const until = performance.now() + longest
  return () => performance.now() >= until
}
