/** Limits that all nodes share: the generic cell rate algorithm (protocol/http/quota.ts), one number per key. */

/** All in microseconds. `interval` is the time of one unit, `span` that of all; neither is 0, and span ≥ interval. */
export interface LimitUnit {
  /** A hash. */
  readonly key: string
  readonly now: number
  readonly interval: number
  readonly span: number
}

export interface TakenUnit {
  readonly taken: boolean
  /** When the limit would be whole again: after what was taken, or unchanged where nothing was. */
  readonly tat: number
}

export interface LimitStore {
  /** Takes one unit if there is one. Of any number at once no more succeed than there are units. */
  takeUnit(unit: LimitUnit): Promise<TakenUnit>
  /** Gives one unit back. */
  giveBackUnit(unit: Pick<LimitUnit, 'key' | 'interval'>): Promise<void>
}
