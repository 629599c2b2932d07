/** Why a receiver's request is refused. */
import { type Err, err, type Result } from '@grantor/protocol/result'

export interface SsfError {
  readonly status: 400 | 403 | 404 | 409
  /** A code of RFC 8935 §2.4, or one of our own. */
  readonly err: string
  readonly description: string
}

export type SsfResult<T> = Result<T, SsfError>

export const invalid = (description: string): Err<SsfError> => err({ status: 400, err: 'invalid_request', description })

/** Also for a stream of another client, whose existence must not be revealed. */
export const noStream: Err<SsfError> = err({
  status: 404,
  err: 'stream_unknown',
  description: 'There is no such stream of this client.',
})

export const conflict = (description: string): Err<SsfError> => err({ status: 409, err: 'conflict', description })

/** SSF 1.0 §8.1.2.2. */
export const heldStream: Err<SsfError> = err({
  status: 403,
  err: 'access_denied',
  description: 'An administrator has stopped this stream.',
})
