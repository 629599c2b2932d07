/**
 * How old the view's knowledge is, by the monotonic clock alone.
 *
 * A heartbeat says: the log was read at `asOf` (the server's clock). When was that on our clock? The request of its
 * connection left at `askedAt`, and the `hello` that answered it was read later: so the server's clock ran from
 * hello.asOf on no earlier than askedAt, and `asOf` was no earlier than askedAt + (asOf − hello.asOf). Only differences
 * of the server's clock count, neither wall clock is compared with the other, and bytes that lay in a buffer while this
 * process or the network stood still make nothing fresh. The price: the duration of the request counts as age, and the
 * server's clock must run evenly for the length of a connection (it takes a monotonic one).
 */
import type { Freshness } from './revocation-source.ts'

export interface StalenessLimits {
  /** Milliseconds; three missed heartbeats. */
  readonly lagging: number
  /** Milliseconds; beyond, no token is accepted on this view (the bound of 60 s rests on it). */
  readonly stale: number
}

export const defaultLimits: StalenessLimits = { lagging: 15_000, stale: 45_000 }

/** The limits for a `maxStaleness` in seconds; `lagging` is never longer than the default. */
export const stalenessLimits = (maxStaleness: number | undefined): StalenessLimits =>
  maxStaleness === undefined
    ? defaultLimits
    : { stale: 1000 * maxStaleness, lagging: Math.min(defaultLimits.lagging, (1000 * maxStaleness) / 3) }

/** What a connection learned about the server's clock. */
export interface Calibration {
  readonly askedAt: number
  readonly asOf: number
}

/** Milliseconds. A server's clock this far ahead of what is possible has stepped: connect again and measure anew. */
const impossible = 1000

export class Staleness {
  readonly #monotonic: () => number
  readonly #limits: StalenessLimits
  /** Monotonic: everything committed before this moment is in the view. */
  #knownUpTo = -Infinity

  constructor(monotonic: () => number, limits: StalenessLimits = defaultLimits) {
    this.#monotonic = monotonic
    this.#limits = limits
  }

  /**
   * Records that the view has everything committed before `asOf`. False, without effect, if the server's clock has
   * stepped.
   */
  claim(asOf: number, since: Calibration, receivedAt: number): boolean {
    const readAt = since.askedAt + (asOf - since.asOf)
    if (readAt > receivedAt + impossible) return false
    this.#knownUpTo = Math.max(this.#knownUpTo, Math.min(readAt, receivedAt))
    return true
  }

  /** Monotonic; rises with every claim that brought news. */
  get knownUpTo(): number {
    return this.#knownUpTo
  }

  /** Milliseconds. */
  age(): number {
    return this.#monotonic() - this.#knownUpTo
  }

  freshness(): Freshness {
    const age = this.age()
    if (age <= this.#limits.lagging) return 'live'
    if (age <= this.#limits.stale) return 'lagging'
    return age === Infinity ? 'cold' : 'stale'
  }
}
