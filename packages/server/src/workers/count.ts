/** How many processes serve. */
import { availableParallelism } from 'node:os'
import { usesPostgres } from '../config/conflicts.ts'
import type { Settings } from '../config/settings.ts'

const most = 64

/** A SQLite file has one process that writes it; that one has threads for what takes long. */
export function workersFor(
  settings: Pick<Settings, 'workers' | 'databaseUrl'>,
  cores = availableParallelism(),
): number {
  if (settings.workers !== 'auto') return settings.workers
  return usesPostgres(settings) ? Math.min(cores, most) : 1
}
