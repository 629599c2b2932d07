/** Limits that all nodes share: as many units as there are, whoever asks at once. */
import { deepEqual, equal } from 'node:assert/strict'
import { type LimitUnit, mostLocks, type ReachedLock, type TakenUnit } from '../src/contract/limits.ts'
import type { Store } from '../src/contract/store.ts'
import { acme, at, event } from './samples.ts'
import { type OpenEngine, storeTest } from './store-test.ts'

/** Ten units a second. */
export const unit = (now: number, key = 'k') => ({ key, now, interval: 100_000, span: 1_000_000 })

export const lock = (key: string, more: Partial<ReachedLock> = {}): ReachedLock => ({
  tenant: acme,
  key,
  policy: { name: 'login-account', quota: 10, window: 1 },
  heldBy: { kind: 'user', id: 'ada', name: 'Ada ✓' },
  at: at(5_000),
  until: at(6_000),
  ...more,
})

const take = async ({ limits }: Store, of: LimitUnit): Promise<TakenUnit> => {
  const [answer] = await limits.takeUnits([of])
  if (answer === undefined) throw new Error('no answer')
  return answer
}

export function limitSuite(open: OpenEngine): void {
  storeTest(open, 'a lock is there as long as its limit is, and its end makes the limit whole', async ({ store }) => {
    const { limits } = store
    await limits.noteLock(lock('k'))
    deepEqual(await limits.locks(acme, at(5_000)), [], 'nothing was taken')
    const { tat } = await take(store, unit(5_000_000))
    deepEqual(await limits.locks(acme, at(5_000)), [{ ...lock('k'), tat }])
    equal(await limits.tatOf('k'), tat)
    await limits.noteLock(lock('k', { at: at(5_500), until: at(6_500) }))
    deepEqual(await limits.locks(acme, at(5_500)), [{ ...lock('k', { until: at(6_500) }), tat }])
    deepEqual(await limits.locks('globex' as typeof acme, at(5_500)), [])
    const gone = [event('admin.lock_removed')]
    equal(await limits.unlock('globex' as typeof acme, 'k', gone), 'absent')
    equal(await limits.tatOf('k'), tat)
    equal(await limits.unlock(acme, 'k', gone), 'unlocked')
    equal(await limits.unlock(acme, 'k', gone), 'absent')
    deepEqual([await limits.tatOf('k'), await limits.locks(acme, at(5_500))], [null, []])
  })

  storeTest(open, 'so many locks of a tenant are kept, the sweeper makes room', async ({ store }) => {
    for (let n = 0; n <= mostLocks; n += 1) await store.limits.noteLock(lock(`k${n}`))
    await store.limits.noteLock(lock('k0', { until: at(9_000) }))
    await take(store, { ...unit(5_000_000, `k${mostLocks}`) })
    deepEqual(await store.limits.locks(acme, at(5_000)), [], 'the last one was too many')
    equal(await store.sweep(at(8_000), 2_000), mostLocks)
    await store.limits.noteLock(lock('later', { at: at(8_000), until: at(9_500) }))
    await take(store, unit(8_000_000, 'later'))
    equal((await store.limits.locks(acme, at(8_000))).length, 1)
  })

  storeTest(open, 'a burst gets what there is, then one per interval', async ({ store }) => {
    for (let n = 1; n <= 10; n += 1)
      deepEqual(await take(store, unit(5_000)), { taken: true, tat: 5_000 + n * 100_000 })
    deepEqual(await take(store, unit(5_000)), { taken: false, tat: 1_005_000 })
    equal((await take(store, unit(104_999))).taken, false)
    equal((await take(store, unit(105_000))).taken, true)
    equal((await take(store, unit(105_000))).taken, false)
    equal((await take(store, unit(5_000, 'another'))).taken, true)
  })

  storeTest(open, 'what is given back can be taken again, and a whole limit does not grow', async ({ store }) => {
    const { limits } = store
    for (let n = 0; n < 10; n += 1) await take(store, unit(5_000))
    await limits.giveBackUnits([unit(5_000)])
    equal((await take(store, unit(5_000))).taken, true)
    equal((await take(store, unit(5_000))).taken, false)
    for (let n = 0; n < 30; n += 1) await limits.giveBackUnits([unit(5_000)])
    const answers: boolean[] = []
    for (let n = 0; n < 11; n += 1) answers.push((await take(store, unit(5_000))).taken)
    deepEqual(answers, [...Array.from({ length: 10 }, () => true), false])
    await limits.giveBackUnits([unit(5_000, 'never taken')])
  })

  storeTest(open, 'a clock that stepped back locks nobody out for longer than the limit itself', async ({ store }) => {
    for (let n = 0; n < 10; n += 1) await take(store, unit(900_000_000))
    deepEqual(await take(store, unit(5_000)), { taken: false, tat: 1_005_000 })
    equal((await take(store, unit(105_000))).taken, true)
  })

  storeTest(open, 'of 50 that take at once as many succeed as there are units', async ({ store }) => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => take(store, unit(5_000))))
    equal(answers.filter(({ taken }) => taken).length, 10)
  })

  storeTest(open, 'of several one unit each is taken, or none', async ({ store }) => {
    const both = [unit(5_000, 'wide'), { ...unit(5_000, 'narrow'), interval: 500_000 }]
    const answers = []
    for (let n = 0; n < 3; n += 1) answers.push((await store.limits.takeUnits(both)).map(({ taken }) => taken))
    deepEqual(answers, [
      [true, true],
      [true, true],
      [true, false],
    ])
    equal(await store.limits.tatOf('wide'), 205_000, 'what was refused took nothing of the other')
    deepEqual(await store.limits.takeUnits(both.toReversed()), [{ taken: false, tat: 1_005_000 }])
    equal(await store.limits.tatOf('wide'), 205_000)
    await store.limits.giveBackUnits(both)
    deepEqual([await store.limits.tatOf('wide'), await store.limits.tatOf('narrow')], [105_000, 505_000])
    deepEqual(await store.limits.takeUnits([]), [])
    await store.limits.giveBackUnits([])
  })

  storeTest(
    open,
    'of 40 that take of three at once as many succeed as the narrowest has, and no more is gone',
    async ({ store }) => {
      const of = (n: number) => [unit(5_000, `own ${n % 5}`), unit(5_000, 'shared'), unit(5_000, 'all')]
      const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => store.limits.takeUnits(of(n))))
      equal(answers.filter((it) => it.every(({ taken }) => taken)).length, 10)
      equal(await store.limits.tatOf('all'), 1_005_000)
      const own = await Promise.all([0, 1, 2, 3, 4].map((n) => store.limits.tatOf(`own ${n}`)))
      equal(
        own.reduce<number>((sum, tat) => sum + ((tat ?? 5_000) - 5_000) / 100_000, 0),
        10,
      )
    },
  )

  storeTest(open, 'the sweeper forgets limits that are whole again, and no others', async ({ store }) => {
    await take(store, unit(1_000_000, 'over'))
    await take(store, unit(1_950_000, 'not yet'))
    equal(await store.sweep(at(2_000), 10), 1)
    for (let n = 0; n < 9; n += 1) equal((await take(store, unit(2_000_000, 'not yet'))).taken, true)
    equal((await take(store, unit(2_000_000, 'not yet'))).taken, false)
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
