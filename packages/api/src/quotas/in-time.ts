/** Waits for an answer with a deadline. */

/** Rejects if there is no answer in so many milliseconds; a later answer is ignored. */
export async function inTime<T>(answer: Promise<T>, milliseconds: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no answer in ${milliseconds} ms`)), milliseconds)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
