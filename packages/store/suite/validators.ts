/** Validators of the feed: what each acknowledged, whoever writes it down. */
import { deepEqual, equal } from 'node:assert/strict'
import type { Store } from '../src/contract/store.ts'
import { acme, at, other } from './samples.ts'
import { type OpenEngine, storeTest } from './store-test.ts'
import { validatorNote } from './validator-samples.ts'

const heard = async (store: Store, tenant = acme) =>
  Object.fromEntries(
    (await store.validators.known([tenant], at(0))).map((it) => [
      it.id,
      it.heard.map(({ pos, at: when }) => `${it.epoch}.${pos} ${when - at(0)}`).join(', '),
    ]),
  )

export function validatorSuite(open: OpenEngine): void {
  storeTest(
    open,
    'what a validator heard is kept, the newest first, with when it was seen first and last',
    async ({ store }) => {
      await store.validators.note([validatorNote('one', [[7, 100]]), validatorNote('two', [[3, 50]])], at(0))
      const later = {
        ...validatorNote('one', [
          [9, 300],
          [8, 200],
        ]),
        seenAt: at(300),
      }
      await store.validators.note([later], at(0))
      deepEqual(await heard(store), { one: 'e.9 300, e.8 200, e.7 100', two: 'e.3 50' })
      const [one] = await store.validators.known([acme], at(300))
      deepEqual([one?.id, one?.since, one?.seenAt], ['one', at(0), at(300)])
      deepEqual([one?.clientId, one?.connections, one?.closesAfter], ['api', later.connections, later.closesAfter])
    },
  )

  storeTest(open, 'another epoch is another log: nothing of the old one counts', async ({ store }) => {
    await store.validators.note([validatorNote('one', [[7, 100]])], at(0))
    await store.validators.note([{ ...validatorNote('one', [[2, 200]]), epoch: 'f' }], at(0))
    deepEqual(await heard(store), { one: 'f.2 200' })
  })

  storeTest(open, 'what is kept has a bound, and what was cut off in the middle is not read', async ({ store }) => {
    const far = 10_000_000_000
    for (let n = 1; n <= 100; n += 1) await store.validators.note([validatorNote('one', [[far + n, n]])], at(0))
    const [one] = await store.validators.known([acme], at(0))
    equal(one?.heard[0]?.pos, far + 100)
    equal((one?.heard.length ?? 0) < 50, true)
    for (const { pos, at: when } of one?.heard ?? []) equal(when, at(pos - far))
  })

  storeTest(open, 'what was heard first is read as long as all of it is within the bound', async ({ store }) => {
    // Thirty characters each, and six or seven: with the four of the first 640, or one more.
    const long = Array.from({ length: 21 }, (_, n) => [100_000_000_000_000 + n, 1_000_000_000_000] as const)
    for (const [id, last] of [
      ['within', 10],
      ['beyond', 100],
    ] as const) {
      await store.validators.note([validatorNote(id, [[1, 1]])], at(0))
      await store.validators.note([validatorNote(id, [...long, [10, last]])], at(0))
    }
    const counts = (await store.validators.known([acme], at(0))).map(({ id, heard: all }) => [id, all.length] as const)
    deepEqual(Object.fromEntries(counts), { within: 23, beyond: 22 })
  })

  storeTest(open, 'an hour is a whole one, and of very many a thousand are forgotten at once', async ({ store }) => {
    const hour = 3_600_000
    await store.validators.note(
      Array.from({ length: 1_001 }, (_, n) => validatorNote(`v${n}`, [])),
      at(hour),
    )
    const left = async (now: number) => {
      await store.validators.note([], at(now))
      return (await store.validators.known([acme], at(0))).length
    }
    deepEqual([await left(hour), await left(hour + 1), await left(hour + 1)], [1_001, 1, 0])
  })

  storeTest(open, 'tenants and clients are kept apart, and who goes is gone', async ({ store }) => {
    const mine = validatorNote('one', [[7, 100]])
    await store.validators.note([mine, { ...mine, tenant: other }, { ...mine, clientId: 'else', heard: [] }], at(0))
    equal((await store.validators.known([acme, other, acme], at(0))).length, 3)
    await store.validators.remove({ ...mine, clientId: 'nobody' })
    await store.validators.remove(mine)
    deepEqual(await heard(store), { one: '' })
    deepEqual(await heard(store, other), { one: 'e.7 100' })
  })

  storeTest(open, 'two nodes write at once, and what was not seen for an hour is forgotten', async ({ store }) => {
    const notes = ['a', 'b', 'c'].map((id) => validatorNote(id, [[1, 1]]))
    await Promise.all([store.validators.note(notes, at(0)), store.validators.note(notes.toReversed(), at(0))])
    deepEqual(Object.keys(await heard(store)).toSorted(), ['a', 'b', 'c'])
    await store.validators.note([{ ...validatorNote('d', []), seenAt: at(3_700_000) }], at(3_700_000))
    deepEqual(await heard(store), { d: '' })
  })
}
