/** Reads from Linux the CPU time of all threads of a process, and its memory. */
import { readdirSync, readFileSync } from 'node:fs'

/**
 * Microseconds on a CPU, user and system, of all living threads; null if there is no such process. From schedstat,
 * which counts nanoseconds: the clock of `stat` ticks a hundred times a second, too coarse for a short round.
 * `without`: threads of that name do not count.
 */
export function cpuMicros(pid: number, without: string | null = null): number | null {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).filter((it) => without === null || nameOf(pid, it) !== without)
    return threads.reduce((sum, thread) => sum + onCpu(pid, thread), 0) / 1_000
  } catch {
    return null
  }
}

const onCpu = (pid: number, thread: string): number =>
  Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0])

const nameOf = (pid: number, thread: string): string => readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8').trim()

/** The living child processes of a process. */
export const childrenOf = (pid: number): readonly number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )

export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}
