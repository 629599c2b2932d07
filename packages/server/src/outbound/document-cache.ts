/**
 * A cache of fetched documents. A copy is used for its `maxAge`. Then, or when a caller needs a newer one, it is
 * fetched again, one fetch at a time for each URL, and at most every ten seconds. If that fails, the last good copy is
 * used for another day, because a client should not fail with its web server; after that it is dropped. A failure
 * without a copy is remembered for five seconds.
 */
import type { Fetched, OutboundError } from '@grantor/authority'
import type { Err, Ok, Result } from '@grantor/protocol/result'

type FetchResult = Result<Fetched, OutboundError>

interface Entry {
  good: Ok<Fetched> | null
  failed: Err<OutboundError> | null
  /** When the last fetch ended, well or not. */
  triedAt: number
  flight: Promise<FetchResult> | null
}

export interface DocumentCache {
  get(key: string, noOlderThan: number | undefined, anew: () => Promise<FetchResult>): Promise<FetchResult>
}

export interface CacheBounds {
  readonly entries: number
  readonly bytes: number
}

const pauseAfterCopy = 10_000
const pauseAfterFailure = 5_000
/** Milliseconds that a copy is used beyond its `maxAge` while no newer one can be fetched. */
export const staleLifetime = 86_400_000

export function createDocumentCache(now: () => number, most: CacheBounds): DocumentCache {
  const entries = new Map<string, Entry>()
  let bytes = 0

  function entryOf(key: string): Entry {
    const entry = entries.get(key) ?? { good: null, failed: null, triedAt: -Infinity, flight: null }
    // A Map keeps insertion order, so the first entry is the one unused for longest.
    entries.delete(key)
    entries.set(key, entry)
    return entry
  }

  function keep(entry: Entry, good: Ok<Fetched> | null): void {
    bytes += (good?.value.body.length ?? 0) - (entry.good?.value.body.length ?? 0)
    entry.good = good
  }

  function tidy(): void {
    for (const [key, entry] of entries) {
      if (entries.size <= most.entries && bytes <= most.bytes) return
      if (entry.flight !== null) continue
      keep(entry, null)
      entries.delete(key)
    }
  }

  // The absolute difference, because a clock can be set back.
  const since = (then: number): number => Math.abs(now() - then)
  const isAlive = ({ value: { fetchedAt, maxAge } }: Ok<Fetched>) => since(fetchedAt) <= maxAge * 1000 + staleLifetime

  /** The answer that needs no fetch; null where there is none. */
  function known({ good, failed, triedAt }: Entry, noOlderThan = Infinity): FetchResult | null {
    const rested = since(triedAt)
    if (good !== null && isAlive(good)) {
      const age = since(good.value.fetchedAt)
      return age <= Math.min(good.value.maxAge, noOlderThan) * 1000 || rested < pauseAfterCopy ? good : null
    }
    return failed !== null && rested < pauseAfterFailure ? failed : null
  }

  async function refetch(entry: Entry, anew: () => Promise<FetchResult>): Promise<FetchResult> {
    try {
      const answer = await anew()
      entry.triedAt = now()
      entry.failed = answer.kind === 'ok' ? null : answer
      if (answer.kind === 'ok') keep(entry, answer)
      else if (entry.good !== null && !isAlive(entry.good)) keep(entry, null)
      return entry.good ?? answer
    } finally {
      entry.flight = null
      tidy()
    }
  }

  return {
    get(key, noOlderThan, anew) {
      const entry = entryOf(key)
      if (entry.flight !== null) return entry.flight
      const answer = known(entry, noOlderThan)
      if (answer !== null) return Promise.resolve(answer)
      entry.flight = refetch(entry, anew)
      return entry.flight
    },
  }
}
