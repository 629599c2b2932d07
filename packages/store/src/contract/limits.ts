/** Limits that all nodes share: the generic cell rate algorithm (protocol/api/quota.ts), one number per key. */

/** All in microseconds. `interval` is the time of one unit, `span` that of all; neither is 0, and span ≥ interval. */
export interface LimitTake {
  /** A hash. */
  readonly key: string
  readonly now: number
  readonly interval: number
  readonly span: number
}

export interface LimitTaken {
  readonly taken: boolean
  /** When the limit would be whole again: after what was taken, or unchanged where nothing was. */
  readonly tat: number
}

export interface LimitStore {
  /** Takes one unit if there is one. Of any number at once no more succeed than there are units. */
  take(wish: LimitTake): Promise<LimitTaken>
  /** Gives one unit back. */
  giveBack(wish: Pick<LimitTake, 'key' | 'interval'>): Promise<void>
}
