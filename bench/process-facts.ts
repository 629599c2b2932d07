/** What Linux knows of a process: the CPU time of all its threads, and the memory it holds. */
import { readFileSync } from 'node:fs'

/** USER_HZ, which the kernel fixes at 100 for every architecture that Node runs on. */
const ticksPerSecond = 100

/** User and system time of the process and its ended children's none: microseconds. Null when there is no such process. */
export function cpuMicros(pid: number): number | null {
  try {
    // The second field is the name in parentheses, which may hold anything; count from behind it (proc_pid_stat(5)).
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return ((Number(fields[11]) + Number(fields[12])) * 1_000_000) / ticksPerSecond
  } catch {
    return null
  }
}

export function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}
