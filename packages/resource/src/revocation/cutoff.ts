/** One entry of the revocation view: which tokens it ends, and how long it has to be remembered. */

export interface Cutoff {
  /** Tokens with `iat` up to here are dead; for a single token, when it was revoked. */
  upTo: number
  /** When the issuer recorded it. */
  at: number
  /** Wall clock: when every token that the entry can end has expired. */
  until: number
  /**
   * Monotonic clock: the same moment by the server's clock. Both must pass, so that a stepped clock forgets nothing.
   */
  monotonicUntil: number
  /** Monotonic clock: when it last arrived here. */
  heardAt: number
}

/** Whether the entry arrived at or after `since`: the client or person it names may have changed in other ways, too. */
export const isNews = (entry: Cutoff | null | undefined, since: number): boolean =>
  entry != null && entry.heardAt >= since

export const covers = (entry: Cutoff | null | undefined, issuedAt: number): boolean =>
  entry != null && issuedAt <= entry.upTo

export function hits(map: ReadonlyMap<string, Cutoff>, key: string | null, issuedAt: number): boolean {
  return map.size > 0 && key !== null && covers(map.get(key), issuedAt)
}

/**
 * Widens an entry to stand for a whole tenant. `iat` is a whole second, which an issuer may have rounded up, so the
 * cutoff is rounded up as well. An entry for something that ended for good covers every future `iat`; for the rest of
 * the tenant it must only cover tokens from before it was recorded (`at`).
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
