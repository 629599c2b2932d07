/** Reads from the events of node's test runner which files failed, and which were never begun. */
import type { run } from 'node:test'
import type { TestProcess } from './divide.ts'

export interface Verdict {
  readonly failed: readonly TestProcess[]
  /** What processes had not begun when they ended. */
  readonly left: readonly TestProcess[]
  readonly tests: number
  readonly passed: number
  readonly skipped: number
}

type Events = ReturnType<typeof run>

/** What came of one process, as far as it told. */
interface Told {
  readonly done: Set<string>
  readonly failed: Set<string>
  endedBadly: boolean
}

/** Of processes by the path they begin with; the answer is asked for when the events have ended. */
export function listen(events: Events, processes: ReadonlyMap<string, TestProcess>): () => Verdict {
  const told = new Map<string, Told>()
  const ofEntry = (entry: string | undefined): Told => {
    const found = told.get(entry ?? '') ?? { done: new Set(), failed: new Set(), endedBadly: false }
    told.set(entry ?? '', found)
    return found
  }
  let summary = { success: false, counts: { tests: 0, passed: 0, skipped: 0, todo: 0 } }
  events.on('test:pass', ({ entryFile, name, nesting }) => {
    if (nesting === 0) ofEntry(entryFile).done.add(name)
  })
  events.on('test:fail', ({ entryFile, file, name, nesting }) => {
    // The runner itself says of a process how it ended, and does not say that it began it.
    if (entryFile === undefined) ofEntry(file).endedBadly = true
    if (entryFile === undefined || nesting > 0) return
    ofEntry(entryFile).done.add(name)
    ofEntry(entryFile).failed.add(name)
  })
  events.on('test:summary', (data) => {
    if (data.file === undefined) summary = data
  })
  return () => {
    const verdicts = [...processes].map(([entry, files]) => verdictOf(files, ofEntry(entry)))
    const failed = verdicts.flatMap((verdict) => verdict.failed)
    const { tests, passed, skipped, todo } = summary.counts
    const everything = [...processes.values()]
    return {
      failed: summary.success || failed.length > 0 ? failed : everything,
      left: verdicts.flatMap((verdict) => verdict.left),
      tests,
      passed,
      skipped: skipped + todo,
    }
  }
}

function verdictOf(files: TestProcess, { done, failed, endedBadly }: Told): Pick<Verdict, 'failed' | 'left'> {
  const [only] = files
  if (files.length === 1) return { failed: endedBadly || failed.size > 0 ? [[only]] : [], left: [] }
  const [broken, ...left] = files.filter((file) => !done.has(file))
  const named = files.filter((file) => failed.has(file) || file === broken)
  return {
    failed: endedBadly && named.length === 0 ? [files] : named.map((file) => [file]),
    left: left.length > 0 ? [left as [string, ...string[]]] : [],
  }
}
