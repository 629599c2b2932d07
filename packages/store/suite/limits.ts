/** Limits that all nodes share: as many units as there are, whoever asks at once. */
import { deepEqual, equal } from 'node:assert/strict'
import { at } from './samples.ts'
import { type OpenEngine, storeTest } from './store-test.ts'

/** Ten units a second. */
const unit = (now: number, key = 'k') => ({ key, now, interval: 100_000, span: 1_000_000 })

export function limitSuite(open: OpenEngine): void {
  storeTest(open, 'a burst gets what there is, then one per interval', async ({ store }) => {
    const { limits } = store
    for (let n = 1; n <= 10; n += 1)
      deepEqual(await limits.takeUnit(unit(5_000)), { taken: true, tat: 5_000 + n * 100_000 })
    deepEqual(await limits.takeUnit(unit(5_000)), { taken: false, tat: 1_005_000 })
    equal((await limits.takeUnit(unit(104_999))).taken, false)
    equal((await limits.takeUnit(unit(105_000))).taken, true)
    equal((await limits.takeUnit(unit(105_000))).taken, false)
    equal((await limits.takeUnit(unit(5_000, 'another'))).taken, true)
  })

  storeTest(open, 'what is given back can be taken again, and a whole limit does not grow', async ({ store }) => {
    const { limits } = store
    for (let n = 0; n < 10; n += 1) await limits.takeUnit(unit(5_000))
    await limits.giveBackUnit(unit(5_000))
    equal((await limits.takeUnit(unit(5_000))).taken, true)
    equal((await limits.takeUnit(unit(5_000))).taken, false)
    for (let n = 0; n < 30; n += 1) await limits.giveBackUnit(unit(5_000))
    const answers: boolean[] = []
    for (let n = 0; n < 11; n += 1) answers.push((await limits.takeUnit(unit(5_000))).taken)
    deepEqual(answers, [...Array.from({ length: 10 }, () => true), false])
    await limits.giveBackUnit(unit(5_000, 'never taken'))
  })

  storeTest(open, 'a clock that stepped back locks nobody out for longer than the limit itself', async ({ store }) => {
    for (let n = 0; n < 10; n += 1) await store.limits.takeUnit(unit(900_000_000))
    deepEqual(await store.limits.takeUnit(unit(5_000)), { taken: false, tat: 1_005_000 })
    equal((await store.limits.takeUnit(unit(105_000))).taken, true)
  })

  storeTest(open, 'of 50 that take at once as many succeed as there are units', async ({ store }) => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => store.limits.takeUnit(unit(5_000))))
    equal(answers.filter(({ taken }) => taken).length, 10)
  })

  storeTest(open, 'the sweeper forgets limits that are whole again, and no others', async ({ store }) => {
    await store.limits.takeUnit(unit(1_000_000, 'over'))
    await store.limits.takeUnit(unit(1_950_000, 'not yet'))
    equal(await store.sweep(at(2_000), 10), 1)
    for (let n = 0; n < 9; n += 1) equal((await store.limits.takeUnit(unit(2_000_000, 'not yet'))).taken, true)
    equal((await store.limits.takeUnit(unit(2_000_000, 'not yet'))).taken, false)
  })

  storeTest(
    open,
    'a write that only asks whether writes are kept leaves nothing behind the sweeper',
    async ({ store }) => {
      await store.probeWrite(at(1_000))
      await store.probeWrite(at(1_500))
      equal(await store.sweep(at(1_499), 10), 0)
      equal(await store.sweep(at(1_501), 10), 1)
    },
  )
}
