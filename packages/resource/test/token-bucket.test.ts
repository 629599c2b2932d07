/** How often something may be done: so many at once, then one per interval, and never more for having waited long. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TokenBucket } from '../src/token-bucket.ts'
import { FakeTime } from './fake-time.ts'

test('a burst, then one per interval, and at most a burst after a pause', async () => {
  const time = new FakeTime()
  const bucket = new TokenBucket(time, 3, 100)
  const takeAll = () => {
    let taken = 0
    while (bucket.tryTake()) taken += 1
    return taken
  }
  assert.equal(bucket.wait(), 0)
  assert.equal(takeAll(), 3)
  assert.equal(bucket.wait(), 100)
  await time.advance(99)
  assert.deepEqual([bucket.tryTake(), bucket.wait()], [false, 1])
  await time.advance(1)
  assert.equal(bucket.wait(), 0)
  assert.deepEqual([bucket.tryTake(), bucket.tryTake()], [true, false])
  await time.advance(250)
  assert.equal(takeAll(), 2)
  assert.equal(bucket.wait(), 50, 'half an interval was earned already')
  await time.advance(100_000)
  assert.equal(takeAll(), 3)
})

test('what is spent beyond what there is, is owed, up to another burst', async () => {
  const time = new FakeTime()
  const bucket = new TokenBucket(time, 3, 100)
  for (let n = 0; n < 4; n += 1) bucket.spend()
  assert.deepEqual([bucket.tryTake(), bucket.wait()], [false, 200])
  for (let n = 0; n < 10; n += 1) bucket.spend()
  assert.equal(bucket.wait(), 400)
  await time.advance(399)
  assert.deepEqual([bucket.tryTake(), bucket.wait()], [false, 1])
  await time.advance(1)
  assert.deepEqual([bucket.tryTake(), bucket.tryTake()], [true, false])
})
