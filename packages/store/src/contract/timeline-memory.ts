/**
 * Timelines of PostgreSQL, of which every promotion begins one: they distinguish a primary from one that was replaced.
 */

export interface SeenTimeline {
  /** The cluster's own identifier. */
  readonly system: string
  readonly timeline: number
}

/** Stores the newest timeline beyond the end of the process. */
export interface TimelineMemory {
  /** Where operators find it. */
  readonly place: string
  read(): SeenTimeline | null
  keep(seen: SeenTimeline): void
}
