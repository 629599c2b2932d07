/** Shows the progress of long work: one line that is rewritten on a terminal, and nothing anywhere else. */
import { type Environment, writeText } from '../program/environment.ts'

export type ReportProgress = (done: number, total: number) => void

/** Runs the work; until the work reports progress, the line shows the elapsed time. */
export type ShowProgress = <T>(what: string, work: (report: ReportProgress) => Promise<T>) => Promise<T>

/** Milliseconds between two updates of the line: nobody would see more of them. */
const between = 100
const clearLine = '\r\u001B[K'

export function progressOn({ stderr }: Pick<Environment, 'stderr'>): ShowProgress {
  return async (what, work) => {
    const begun = performance.now()
    let [last, reported] = [Number.NEGATIVE_INFINITY, false]
    const show = (state: string): void => {
      last = performance.now()
      // The work goes on even if the line cannot be written.
      void writeText(stderr, `${clearLine}${what}: ${state}`).catch(() => {})
    }
    const elapsed = setInterval(() => {
      if (!reported) show(`${Math.round((performance.now() - begun) / 1000)} s`)
    }, 1000)
    elapsed.unref()
    try {
      return await work((done, total) => {
        reported = true
        if (performance.now() - last >= between) show(progressText(done, total))
      })
    } finally {
      clearInterval(elapsed)
      if (last !== Number.NEGATIVE_INFINITY) await writeText(stderr, clearLine)
    }
  }
}

/** Shows nothing: for pipes, files and scripts. */
export const noProgress: ShowProgress = (_what, work) => work(() => {})

const progressText = (done: number, total: number): string => {
  const share = total <= 0 ? 100 : Math.min(100, Math.floor((done / total) * 100))
  return `${share} % (${done.toLocaleString('en')} of ${total.toLocaleString('en')})`
}
