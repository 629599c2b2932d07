/** Asks again until the answer is the one that is waited for; the bound is what "by itself" may take. */
import { setImmediate } from 'node:timers/promises'

export async function until<T>(ask: () => Promise<T>, is: (answer: T) => boolean, bound = 60_000): Promise<T> {
  const deadline = performance.now() + bound
  for (;;) {
    // What is answered without waiting for anything must not keep out what is waited for.
    await setImmediate()
    const answer = await ask()
    if (is(answer)) return answer
    if (performance.now() > deadline) throw new Error(`not within ${bound} ms; last: ${JSON.stringify(answer)}`)
  }
}
