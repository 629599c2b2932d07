/** A request that passed all checks but those of its resource, as operations receive it. */
import type { RequestContext } from '../collection/handlers.ts'
import type { Cursors } from '../list/cursor.ts'
import type { RequestInput } from '../serve/request-input.ts'
import type { Route } from '../serve/routes.ts'
import type { KeyedMutex } from './keyed-mutex.ts'

export interface OperationRequest {
  readonly method: string
  readonly route: Route
  readonly input: RequestInput
  readonly context: RequestContext
  readonly cursors: Cursors
  readonly locks: KeyedMutex
  /** The query as sent, for links. */
  readonly search: string
}
