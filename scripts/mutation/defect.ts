/** A piece of a source, and what stands there instead. */

export interface Defect {
  readonly operator: string
  readonly start: number
  readonly end: number
  readonly becomes: string
  /** What must be executed for the defect to show, where that is not the piece itself: of an operator its left side. */
  readonly reachedAt?: number
}
