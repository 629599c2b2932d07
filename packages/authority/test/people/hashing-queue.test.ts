/** Hashing passwords: bounded in how many at once and how many wait, and at a lower priority than serving. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { HashingBusy, HashingQueue, threadsFor } from '../../src/people/hashing-queue.ts'
import { checkPassword, hashPassword } from '../../src/people/password.ts'

const cheap = { algorithm: 2, memoryCost: 64, timeCost: 1, parallelism: 1 } as const
const job = { password: 'correct-horse', cost: cheap }
const program = (text: string): URL => new URL(`data:text/javascript,${encodeURIComponent(text)}`)
/** Answers when told how many it has; dies of the password `poison`. */
const recording = program(`
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', ({ password }) => {
    if (password === 'poison') throw new Error('died of it')
    parentPort.postMessage({ value: password })
  })`)

/** Answers who it is. */
const numbered = program(`
  import { parentPort, threadId } from 'node:worker_threads'
  parentPort.on('message', () => parentPort.postMessage({ value: String(threadId) }))`)

describe('hashing passwords', () => {
  test(
    'the right password matches, a wrong one, a longer one and a missing one do not',
    { timeout: 60_000 },
    async () => {
      const stored = await hashPassword('correct-horse')
      assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/, 'OWASP’s minimum')
      assert.equal(await checkPassword(stored, 'correct-horse'), true)
      assert.equal(await checkPassword(stored, 'correct-horses'), false)
      assert.equal(await checkPassword(null, 'nobody has this password'), false)
      await assert.rejects(checkPassword('no hash at all', 'correct-horse'))
    },
  )

  test(
    'more than may wait are refused at once, and told when; all others are served',
    { timeout: 60_000 },
    async () => {
      const queue = new HashingQueue({ threads: 2, mostWaiting: 5 })
      const settled = await Promise.allSettled(Array.from({ length: 20 }, () => queue.run(job)))
      const refused = settled.flatMap((it) => (it.status === 'rejected' ? [it.reason as unknown] : []))
      assert.equal(refused.length, 20 - 2 - 5)
      for (const one of refused) assert.ok(one instanceof HashingBusy && one.retryAfter >= 1)
      assert.match(String(await queue.run(job)), /^\$argon2id\$/, 'there is room again')
    },
  )

  test('serving keeps half of the cores, and no machine hashes with more than four', () => {
    const hashing = [1, 2, 3, 4, 5, 7, 8, 9, 64].map(threadsFor)
    assert.deepEqual(hashing, [1, 1, 1, 2, 2, 3, 4, 4, 4])
  })

  test(
    'a thread that dies idle is not given anything more, and takes no other along',
    { timeout: 60_000 },
    async (t) => {
      const workers: Worker[] = []
      const note = (worker: Worker) => workers.push(worker)
      process.on('worker', note)
      t.after(() => process.off('worker', note))
      const queue = new HashingQueue({ threads: 2, mostWaiting: 10 }, numbered)
      const run = () => queue.run({ password: 'one', cost: cheap })
      const both = await Promise.all([run(), run()])
      const [first, second] = workers
      assert.ok(first !== undefined && second !== undefined)
      assert.deepEqual(both.toSorted(), [String(first.threadId), String(second.threadId)].toSorted())
      const survivor = String(second.threadId)
      await first.terminate()
      assert.deepEqual([await run(), await run()], [survivor, survivor])
      await Promise.all([run(), run()])
      assert.equal(workers.length, 3, 'one more in its place')
      for (const worker of workers) await worker.terminate()
      assert.equal(typeof (await run()), 'string', 'and another when none is left')
    },
  )

  test('a thread that dies fails its own job only', { timeout: 60_000 }, async () => {
    const queue = new HashingQueue({ threads: 1, mostWaiting: 10 }, recording)
    const run = (password: string) => queue.run({ password, cost: cheap })
    const settled = await Promise.allSettled([run('one'), run('poison'), run('two')])
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.equal(await run('three'), 'three')
  })

  test(
    'on Linux the thread yields to all others, which keep their priority',
    {
      timeout: 60_000,
      skip: process.platform === 'linux' ? false : 'niceness of threads is read from /proc',
    },
    async () => {
      const before = niceness()
      const own = nicenessOf(String(process.pid))
      const lower = Math.min(19, own + 10)
      await new HashingQueue({ threads: 1, mostWaiting: 1 }).run(job)
      assert.equal(niceness().filter((it) => it === lower).length, before.filter((it) => it === lower).length + 1)
      assert.equal(nicenessOf(String(process.pid)), own)
    },
  )
})

/** proc_pid_stat(5): the 19th field, the second being the name in brackets. */
const nicenessOf = (thread: string): number =>
  Number(readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[16])

const niceness = (): readonly number[] => readdirSync('/proc/self/task').map(nicenessOf)
