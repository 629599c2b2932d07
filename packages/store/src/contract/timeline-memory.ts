/** Timelines of PostgreSQL, of which every promotion begins one: what tells a primary from one that was replaced. */

export interface SeenTimeline {
  /** The cluster's own identifier. */
  readonly system: string
  readonly timeline: number
}

/** Keeps the newest timeline beyond the end of the process. */
export interface TimelineMemory {
  /** What operators find it by. */
  readonly place: string
  read(): SeenTimeline | null
  keep(seen: SeenTimeline): void
}
