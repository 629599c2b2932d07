/** The result of an administrative act: a value, or why nothing was changed. */
import type { FieldProblem } from '@grantor/protocol/registration'
import type { Result } from '@grantor/protocol/result'

export type { FieldProblem }

export type AdminError =
  | { readonly reason: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly reason: 'absent'; readonly what: string }
  | { readonly reason: 'exists'; readonly what: string }
  | { readonly reason: 'conflict'; readonly what: string }
  /** The row exists but cannot be read; `what` says which and why. */
  | { readonly reason: 'unreadable'; readonly what: string }
  | { readonly reason: 'forbidden'; readonly what: string }
  /** The tenant would be left without an owner. */
  | { readonly reason: 'last-owner' }
  | { readonly reason: 'unavailable' }

export type AdminResult<T> = Result<T, AdminError>
