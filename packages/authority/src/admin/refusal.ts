/** What an administrative act answers: a value, or why nothing was changed. */
export interface FieldProblem {
  /** A path such as `clients[0].redirect_uris[1]`. */
  readonly field: string
  readonly problem: string
}

export type AdminRefusal =
  | { readonly reason: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly reason: 'absent'; readonly what: string }
  | { readonly reason: 'exists'; readonly what: string }
  | { readonly reason: 'conflict'; readonly what: string }
  | { readonly reason: 'forbidden'; readonly what: string }
  | { readonly reason: 'unavailable' }

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: AdminRefusal }

export const done = <T>(value: T): Outcome<T> => ({ ok: true, value })
export const failed = (refusal: AdminRefusal): Outcome<never> => ({ ok: false, refusal })
