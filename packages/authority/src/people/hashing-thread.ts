/**
 * A thread that hashes and checks passwords, one at a time, at a lower priority than the threads that serve requests.
 */
import { getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync } from '@node-rs/argon2'
import { verifyPasswordHash } from './hash-schemes.ts'
import type { HashingAnswer, HashingJob } from './hashing-queue.ts'

const port = parentPort
if (port === null) throw new Error('passwords are hashed in a worker thread')

// On Linux niceness is per thread, and 0 means the calling thread; elsewhere it would slow the whole process down. Ten
// steps leave the thread a tenth of a contested core, so that a sign-in still ends on a busy machine.
if (process.platform === 'linux') setPriority(0, Math.min(19, getPriority(0) + 10))

port.on('message', (job: HashingJob) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port.postMessage(answer(job))
})

function answer(job: HashingJob): HashingAnswer {
  try {
    if ('cost' in job) return { value: hashSync(job.password, job.cost) }
    return { value: verifyPasswordHash(job.stored, job.password) }
  } catch (cause) {
    return { failure: String(cause) }
  }
}
