/** The programs of threads and workers, which are begun by name: `./writer-thread` with the ending of who begins it. */
import { join } from 'node:path'

export const packages = join(import.meta.dirname, '..', '..', 'packages')

export const threads = {
  'hashing-thread': join(packages, 'authority/src/people/hashing-thread.ts'),
  worker: join(packages, 'server/src/workers/worker.ts'),
  'writer-thread': join(packages, 'store/src/drivers/sqlite/writer-thread.ts'),
}
