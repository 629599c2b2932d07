/** Limits that all nodes share: as many units as there are, whoever asks at once. */
import { deepEqual, equal } from 'node:assert/strict'
import { array, assert, asyncProperty, boolean, constantFrom, record, uniqueArray } from 'fast-check'
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

/** Of limits of 1, 2 and 5 units a second, several at once, at times that also run backwards. */
const operations = record({
  keys: uniqueArray(constantFrom('1', '2', '5'), { minLength: 1 }),
  now: constantFrom(5_000_000, 5_200_000, 5_900_000, 7_000_000, 4_000_000),
  back: boolean(),
})

/** The rule in memory: all or none, and the answers end with the one that refuses. */
function takenBy(held: Map<string, number>, units: readonly LimitUnit[]): readonly TakenUnit[] {
  const next = units.map(({ key, now, interval }) => Math.max(held.get(key) ?? now, now) + interval)
  const refused = units.findIndex(({ now, span }, n) => (next[n] ?? 0) > now + span)
  const answers = next.map((tat) => ({ taken: true, tat }))
  if (refused < 0) {
    units.forEach(({ key }, n) => held.set(key, next[n] ?? 0))
    return answers
  }
  const { key, now, span } = units[refused] as LimitUnit
  const tat = Math.min(held.get(key) ?? 0, now + span)
  held.set(key, tat)
  // Taken and given back: a limit that was whole is counted from now.
  for (const [n, before] of units.slice(0, refused).entries()) held.set(before.key, (next[n] ?? 0) - before.interval)
  return [...answers.slice(0, refused), { taken: false, tat }]
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

  storeTest(open, 'whatever is taken and given back together, a limit is what its rule says', async ({ store }) => {
    let round = 0
    await assert(
      asyncProperty(array(operations, { minLength: 1, maxLength: 12 }), async (history) => {
        // What the round before left is of other keys.
        const prefix = `${(round += 1)} `
        const held = new Map<string, number>()
        for (const { keys, now, back } of history) {
          const units = keys.map((key) => ({ ...unit(now, prefix + key), interval: 1_000_000 / Number(key) }))
          if (back) {
            await store.limits.giveBackUnits(units)
            for (const { key, interval } of units) if (held.has(key)) held.set(key, (held.get(key) ?? 0) - interval)
          } else deepEqual(await store.limits.takeUnits(units), takenBy(held, units))
        }
        for (const [key, tat] of held) equal(await store.limits.tatOf(key), tat)
      }),
      { numRuns: 40 },
    )
  })

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
