/** What is said of one error code. */

export interface ProblemText {
  /** As it stands in `error` or at the end of a problem's `type`. */
  readonly code: string
  readonly family: 'authorize' | 'token' | 'api'
  readonly title: string
  /** As shown; null where the error travels in a redirect and has no status of its own. */
  readonly status: string | null
  readonly source: string
  readonly happened: string
  readonly why: readonly string[]
  readonly remedy: readonly string[]
}
