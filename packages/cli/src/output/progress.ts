/** How far something is that takes long: one line on a terminal, rewritten as it goes on; nothing anywhere else. */
import { type Environment, writeText } from '../program/environment.ts'

export type ReportProgress = (done: number, total: number) => void

/** Runs the work; without a report the line says how long it takes already. */
export type ShowProgress = <T>(what: string, work: (report: ReportProgress) => Promise<T>) => Promise<T>

/** Milliseconds between two lines: more is not seen. */
const between = 100
const clearLine = '\r\u001B[K'

export function progressOn({ stderr }: Pick<Environment, 'stderr'>): ShowProgress {
  return async (what, work) => {
    const begun = performance.now()
    let [last, reported] = [Number.NEGATIVE_INFINITY, false]
    const show = (state: string): void => {
      last = performance.now()
      // Whatever becomes of the line, the work goes on.
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

/** Nothing is shown where nobody looks: in a pipe, a file, or for a script. */
export const noProgress: ShowProgress = (_what, work) => work(() => {})

const progressText = (done: number, total: number): string => {
  const share = total <= 0 ? 100 : Math.min(100, Math.floor((done / total) * 100))
  return `${share} % (${done.toLocaleString('en')} of ${total.toLocaleString('en')})`
}
