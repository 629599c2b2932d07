/** What is announced in a burst is looked at once, and nothing of it is missed. */
import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { ChangeWatcher } from '../src/drivers/change-watcher.ts'
import type { Row, Verb } from '../src/verbs/verb.ts'

test('the first announcement is looked at at once, and all that follow it in a moment together', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let committed = 1
  let looks = 0
  /** Nobody changes the directory; the position is what was committed. */
  async function read<T>(verb: Verb<T>): Promise<T> {
    const step = verb.next().value as { readonly text: string }
    const isPosition = step.text.includes('log_position')
    if (isPosition) looks += 1
    const rows: readonly Row[] = isPosition ? [{ pos: committed }] : []
    return verb.next(rows).value as T
  }
  const watcher = new ChangeWatcher(read, 60_000)
  t.after(() => watcher.close())
  let told = 0
  watcher.watchEvents(() => (told += 1))
  await setImmediate()
  const [looksBefore, toldBefore] = [looks, told]

  for (committed = 2; committed < 50; committed++) watcher.checkAnnounced()
  await setImmediate()
  equal(looks - looksBefore, 1)
  committed = 50
  t.mock.timers.tick(10)
  await setImmediate()
  equal(looks - looksBefore, 2)
  equal(told - toldBefore, 2, 'what came after the first look was seen by the second')
  t.mock.timers.tick(10)
  await setImmediate()
  equal(looks - looksBefore, 2, 'nothing was announced since')
})

test('what is announced with its place in the log is told without a look, and once', async (t) => {
  let reads = 0
  const watcher = new ChangeWatcher(async (verb) => {
    reads += 1
    return verb.next([]).value as never
  }, 60_000)
  t.after(() => watcher.close())
  let told = 0
  watcher.watchEvents(() => (told += 1))
  await setImmediate()
  const before = { reads, told }
  for (const pos of [7, 7, 9]) watcher.announceSealed(pos)
  deepEqual({ reads, told }, { reads: before.reads, told: before.told + 2 })
})
