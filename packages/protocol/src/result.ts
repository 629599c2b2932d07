/** The result of a function that can fail in an expected way: a value, or an error named for its layer. */

export interface Ok<T> {
  readonly kind: 'ok'
  readonly value: T
}

export interface Err<E> {
  readonly kind: 'error'
  readonly error: E
}

export type Result<T, E> = Ok<T> | Err<E>

export const ok = <T>(value: T): Ok<T> => ({ kind: 'ok', value })
export const err = <E>(error: E): Err<E> => ({ kind: 'error', error })
