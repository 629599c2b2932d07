/** A verified answer of a provider about a person who returned from it; or why it was not accepted. */
import type { SignInStrength } from '@grantor/protocol/authorize'
import { err, type Result } from '@grantor/protocol/result'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import type { UpstreamName } from '@grantor/store'

export interface UpstreamAnswer {
  readonly name: UpstreamName
  readonly strength: SignInStrength
  /** When the person signed in there. */
  readonly at: Instant
  readonly sid: string | null
  /** When the session there ends, and so the latest end of the session here; absent where the provider does not say. */
  readonly until?: Instant
  /** All claims about the person, for a new account. */
  more(): Promise<Result<JsonObject, AnswerProblem>>
}

/** For the operator's log; `unavailable` if trying again may help. */
export interface AnswerProblem {
  readonly problem: string
  readonly unavailable: boolean
}

export const answerProblem = (problem: string, unavailable = false) => err<AnswerProblem>({ problem, unavailable })
