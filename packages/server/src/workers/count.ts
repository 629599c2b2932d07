/** The number of processes that serve requests. */
import { availableParallelism } from 'node:os'
import { usesPostgres } from '../config/conflicts.ts'
import type { Settings } from '../config/settings.ts'

const most = 64

/** With SQLite one process serves, because one process writes the file; it has threads for long work. */
export function workersFor(
  settings: Pick<Settings, 'workers' | 'databaseUrl'>,
  cores = availableParallelism(),
): number {
  if (settings.workers !== 'auto') return settings.workers
  return usesPostgres(settings) ? Math.min(cores, most) : 1
}
