/**
 * One connection may fall silent while others answer, because a path is broken or a session is stuck. Its caller gets
 * an error after the time limit; nobody waits behind it, and reads are tried again on another connection.
 */

/** Milliseconds after which a statement that normally takes no time is considered lost. */
export const silentAfter = (patience: number): number => Math.min(patience / 4, 1_000)

/** Milliseconds of allowed silence for statements that scan or rewrite a table. */
export const patientSilence = 60 * 60 * 1000

/** If more are late at once, the database is slow: it is not sent additional statements. */
const mostAgain = 3

/** For idempotent calls: repeated on another connection when the first is silent. */
export type AskTwice = <T>(ask: () => Promise<T>) => Promise<T>

export function askingTwice(patience: number): AskTwice {
  let again = 0
  return async (ask) => {
    const first = ask()
    if ((await isOver(first, silentAfter(patience))) || again === mostAgain) return first
    again += 1
    const second = ask().finally(() => (again -= 1))
    return Promise.any([first, second]).catch(() => first)
  }
}

/** Whether the work ended within so many milliseconds, with or without success. */
export const isOver = (work: Promise<unknown>, within: number): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, within, false)
    const over = (): void => (clearTimeout(timer), resolve(true))
    work.then(over, over)
  })
