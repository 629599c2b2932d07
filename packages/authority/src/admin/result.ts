/** What an administrative act answers: a value, or why nothing was changed. */
import type { Result } from '@grantor/protocol/result'

export interface FieldProblem {
  /** A path such as `clients[0].redirect_uris[1]`. */
  readonly field: string
  readonly problem: string
}

export type AdminError =
  | { readonly reason: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly reason: 'absent'; readonly what: string }
  | { readonly reason: 'exists'; readonly what: string }
  | { readonly reason: 'conflict'; readonly what: string }
  | { readonly reason: 'forbidden'; readonly what: string }
  | { readonly reason: 'unavailable' }

export type AdminResult<T> = Result<T, AdminError>
