/** One entry of what is known about revocation: which tokens it kills, and how long it has to be known. */

export interface Cutoff {
  /** Tokens with `iat` up to here are dead; for a single token, when it was revoked. */
  upTo: number
  /** When it was said. */
  at: number
  /** Wall clock: no token this can kill outlives it. */
  until: number
  /** Monotonic clock: the same moment as the server sees it. Both must pass, so that a stepped clock forgets nothing. */
  monotonicUntil: number
  /** Monotonic clock: when it arrived here, the last time. */
  heardAt: number
}

/** Whatever it says of tokens: what it names may be another than it was. */
export const isNews = (entry: Cutoff | null | undefined, since: number): boolean =>
  entry != null && entry.heardAt >= since

export const covers = (entry: Cutoff | null | undefined, issuedAt: number): boolean =>
  entry != null && issuedAt <= entry.upTo

export function hits(map: ReadonlyMap<string, Cutoff>, key: string | null, issuedAt: number): boolean {
  return map.size > 0 && key !== null && covers(map.get(key), issuedAt)
}

/**
 * `iat` is a whole second, rounded either way by its issuer: round the cutoff up. What ended for good has no last `iat`;
 * others than its own tokens are spared from when that was said.
 */
export const wholeSecond = (entry: Cutoff): Cutoff => ({
  ...entry,
  upTo: Math.ceil(Math.min(entry.upTo, entry.at) / 1000) * 1000,
})

export function merged(a: Cutoff | null | undefined, b: Cutoff): Cutoff {
  if (a == null) return b
  return {
    upTo: Math.max(a.upTo, b.upTo),
    at: Math.max(a.at, b.at),
    until: Math.max(a.until, b.until),
    monotonicUntil: Math.max(a.monotonicUntil, b.monotonicUntil),
    heardAt: Math.max(a.heardAt, b.heardAt),
  }
}
