/** A writer thread that dies of its first message, and in its next life is the real one. */
import { existsSync, writeFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type { WriterData } from '../../src/drivers/sqlite/worker-message.ts'

const grave = `${(workerData as WriterData).path}.died`
if (existsSync(grave)) await import('../../src/drivers/sqlite/writer-thread.ts')
else {
  parentPort?.on('message', () => {
    writeFileSync(grave, '')
    process.exit(1)
  })
}
