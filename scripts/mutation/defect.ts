/** A piece of a source, and what stands there instead. */

export interface Defect {
  readonly operator: string
  readonly start: number
  readonly end: number
  readonly becomes: string
}
