/** What is known of whoever came back from a provider, once all of it is believed; or why it is not. */
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
  /** When the session there ends, and so one that came of it at the latest; absent where that is not said. */
  readonly until?: Instant
  /** All that it says of the person, for those who are new here. */
  more(): Promise<Result<JsonObject, AnswerProblem>>
}

/** For the operator's log; `unavailable` where another try may do. */
export interface AnswerProblem {
  readonly problem: string
  readonly unavailable: boolean
}

export const answerProblem = (problem: string, unavailable = false) => err<AnswerProblem>({ problem, unavailable })
