/**
 * One connection may fall silent while others answer, because a path is broken or a session is stuck. Who waits on it is
 * told at the end of the time that a database has; nobody waits behind them, and what may be asked twice is.
 */

/** Milliseconds after which a statement that any server answers at once may have gone astray. */
export const silentAfter = (patience: number): number => Math.min(patience / 4, 1_000)

/** Milliseconds of silence for what reads or writes a table from end to end. */
export const patientSilence = 60 * 60 * 1000

/** More that are late at once speak of a database that is slow: it is not asked for still more. */
const mostAgain = 3

/** For what changes nothing when it is done twice: asked again on another connection when the first is silent. */
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

/** Whether it ended within so many milliseconds, however it did. */
export const isOver = (work: Promise<unknown>, within: number): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, within, false)
    const over = (): void => (clearTimeout(timer), resolve(true))
    work.then(over, over)
  })
