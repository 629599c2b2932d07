/** Where a decision on a token is asked for beyond what is declared: how long, and what holds where no answer comes. */

/** A policy service that speaks AuthZEN (Authorization API 1.0), by the address of its evaluation endpoint. */
export type PolicyService = {
  readonly url: string
  /** Milliseconds; left out, a second. */
  readonly deadline_ms?: number
  /** What holds where no answer comes in time, or none that is one; left out, `deny`. */
  readonly on_failure?: 'deny' | 'allow'
}

/** A program of whoever runs the API, which may deny, take away scopes, or add claims. */
export type IssuanceHook = PolicyService & {
  /** The claims that it may add; left out, none. */
  readonly claims?: readonly string[]
  /** Another number is another key. */
  readonly key?: number
}

export const decisionLimits = Object.freeze({
  deadline: 1_000,
  longest: 4_000,
  answer: 16_384,
  claims: 30,
  reason: 200,
})
