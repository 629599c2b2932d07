/** The explanation of one error code. */

export interface Explanation {
  readonly title: string
  readonly happened: string
  readonly why: readonly string[]
  readonly remedy: readonly string[]
}

export interface SourcedExplanation extends Explanation {
  readonly source: string
}

export interface ProblemText extends SourcedExplanation {
  /** The value of `error`, or the end of a problem's `type`. */
  readonly code: string
  readonly family: 'authorize' | 'token' | 'api'
  /** As shown; null where the error travels in a redirect and has no status of its own. */
  readonly status: string | null
}
