/** What an endpoint of the issuer answered that did neither what was asked nor refuse it: a limit, an outage. */
import * as oauth from 'oauth4webapi'
import { ApiProblem } from '../../api/problem.ts'

/** RFC 6749 §5.2: it was understood, and is not granted. */
export const isRefusal = (error: unknown): boolean =>
  (error instanceof oauth.ResponseBodyError || error instanceof oauth.WWWAuthenticateChallengeError) &&
  error.status < 500 &&
  error.status !== 429

/** With its status, by which it is known for temporary; what is another failure stays what it is. */
export function endpointProblem(error: unknown): unknown {
  if (isRefusal(error)) return error
  if (error instanceof oauth.ResponseBodyError)
    return new ApiProblem(
      error.status,
      error.error_description === undefined ? {} : { detail: error.error_description },
    )
  const answer = error instanceof oauth.OperationProcessingError ? error.cause : null
  return answer instanceof Response && !answer.ok ? new ApiProblem(answer.status, {}) : error
}
