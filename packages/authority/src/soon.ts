/**
 * What is mostly there already. Most requests are decided from memory and wait for one thing, their commit; awaiting
 * what is there would cost each of them a dozen turns and frames.
 */
export type Soon<T> = T | Promise<T>

export const whenThere = <T, R>(it: Soon<T>, use: (value: T) => Soon<R>): Soon<R> =>
  it instanceof Promise ? it.then(use) : use(it)
