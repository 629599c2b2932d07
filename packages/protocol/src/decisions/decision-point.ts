/**
 * External decisions about a token: where they are asked for, with which deadline, and what applies without an answer.
 */

/** A policy service with AuthZEN (Authorization API 1.0), by the address of its evaluation endpoint. */
export type PolicyService = {
  readonly url: string
  /** Milliseconds; left out, a second. */
  readonly deadline_ms?: number
  /** What applies if no valid answer comes in time; left out, `deny`. */
  readonly on_failure?: 'deny' | 'allow'
}

/** A program of the API's operator, which may deny, remove scopes, or add claims. */
export type IssuanceHook = PolicyService & {
  /** The claims that it may add; left out, none. */
  readonly claims?: readonly string[]
  /** Another number gives another key. */
  readonly key?: number
}

export const decisionLimits = Object.freeze({
  deadline: 1_000,
  longest: 4_000,
  answer: 16_384,
  claims: 30,
  reason: 200,
})
