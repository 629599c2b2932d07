/**
 * What is mostly there already. Most requests are decided from memory and wait for one thing, their commit; awaiting
 * what is there would cost each of them a dozen turns and frames.
 */
export type Soon<T> = T | Promise<T>

/**
 * The other way round: what is there, one step later. Where requests come in groups, all of them then take the step
 * before this one, and after that all of them the next: the processor need not change its mind for each.
 */
export const inStep = <T>(it: Soon<T>): Promise<T> => Promise.resolve(it)

export function whenThere<T, R>(it: Soon<T>, use: (value: T) => Promise<R>): Promise<R>
export function whenThere<T, R>(it: Soon<T>, use: (value: T) => Soon<R>): Soon<R>
export function whenThere<T, R>(it: Soon<T>, use: (value: T) => Soon<R>): Soon<R> {
  return it instanceof Promise ? it.then(use) : use(it)
}
