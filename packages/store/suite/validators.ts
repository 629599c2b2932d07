/** Validators of the feed: what each acknowledged, whoever writes it down. */
import { deepEqual, equal } from 'node:assert/strict'
import type { Instant } from '@grantor/protocol/types'
import type { Store } from '../src/contract/store.ts'
import { acme, at, other } from './samples.ts'
import { type OpenEngine, storeTest } from './store-test.ts'
import { validatorNote } from './validator-samples.ts'

const heard = async (store: Store, tenant = acme) =>
  Object.fromEntries(
    (await store.validators.known([tenant], at(0), 0)).map((it) => [
      it.id,
      it.heard.map(({ pos, at: when }) => `${it.epoch}.${pos} ${when - at(0)}`).join(', '),
    ]),
  )

const seen = (id: string, seenAt: Instant) => ({ ...validatorNote(id, []), seenAt })

export function validatorSuite(open: OpenEngine): void {
  storeTest(
    open,
    'what a validator heard is kept, the newest first, with when it was seen first and last',
    async ({ store }) => {
      await store.validators.note([validatorNote('one', [[7, 100]]), validatorNote('two', [[3, 50]])])
      const later = {
        ...validatorNote('one', [
          [9, 300],
          [8, 200],
        ]),
        seenAt: at(300),
      }
      await store.validators.note([later])
      deepEqual(await heard(store), { one: 'e.9 300, e.8 200, e.7 100', two: 'e.3 50' })
      const one = (await store.validators.known([acme], at(300), 0)).find(({ id }) => id === 'one')
      deepEqual([one?.id, one?.since, one?.seenAt], ['one', at(0), at(300)])
      deepEqual([one?.clientId, one?.connections, one?.closesAfter], ['api', later.connections, later.closesAfter])
    },
  )

  storeTest(open, 'who says the same again and again says it once: what was heard before stays', async ({ store }) => {
    const note = (...said: readonly (readonly [number, number])[]) =>
      store.validators.note([validatorNote('one', said)])
    await note([7, 100])
    for (let n = 0; n < 50; n += 1) await note([70, 200 + n])
    await note([71, 400], [70, 390])
    await note()
    deepEqual(await heard(store), { one: 'e.71 400, e.70 200, e.7 100' })
  })

  storeTest(open, 'another epoch is another log: nothing of the old one counts', async ({ store }) => {
    await store.validators.note([validatorNote('one', [[7, 100]])])
    await store.validators.note([{ ...validatorNote('one', [[2, 200]]), epoch: 'f' }])
    deepEqual(await heard(store), { one: 'f.2 200' })
  })

  storeTest(open, 'what is kept has a bound, and what was cut off in the middle is not read', async ({ store }) => {
    const far = 10_000_000_000
    for (let n = 1; n <= 100; n += 1) await store.validators.note([validatorNote('one', [[far + n, n]])])
    const [one] = await store.validators.known([acme], at(0), 0)
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
      await store.validators.note([validatorNote(id, [[1, 1]])])
      await store.validators.note([validatorNote(id, [...long, [10, last]])])
    }
    const counts = (await store.validators.known([acme], at(0), 0)).map(
      ({ id, heard: all }) => [id, all.length] as const,
    )
    deepEqual(Object.fromEntries(counts), { within: 23, beyond: 22 })
  })

  storeTest(open, 'two days are whole ones, and of very many a thousand are forgotten at once', async ({ store }) => {
    const twoDays = 2 * 86_400_000
    await store.validators.note(Array.from({ length: 1_001 }, (_, n) => validatorNote(`v${n}`, [])))
    const left = async (now: number) => {
      await store.validators.forget(at(now), 2000)
      return (await store.validators.known([acme], at(0), 0)).length
    }
    deepEqual([await left(twoDays), await left(twoDays + 1), await left(twoDays + 1)], [1_001, 1, 0])
  })

  storeTest(open, 'of a client with very many those go that were not seen for longest', async ({ store }) => {
    await store.validators.note(['v0', 'v1', 'v2', 'v3', 'v4'].map((id, n) => seen(id, at(n))))
    await store.validators.note([{ ...seen('v0', at(0)), clientId: 'else' }])
    await store.validators.forget(at(10), 3)
    const left = (await store.validators.known([acme], at(0), 0)).map(({ clientId, id }) => `${clientId} ${id}`)
    deepEqual(left.toSorted(), ['api v2', 'api v3', 'api v4', 'else v0'])
  })

  storeTest(open, 'who was seen last is there for as long as its own bound, or as is said', async ({ store }) => {
    await store.validators.note([validatorNote('one', []), { ...validatorNote('long', []), closesAfter: 100_000 }])
    const known = async (when: number) =>
      (await store.validators.known([acme], at(when), 90_000)).map(({ id }) => id).toSorted()
    deepEqual(await known(90_000), ['long', 'one'])
    deepEqual(await known(90_001), ['long'])
    deepEqual([await known(100_000), await known(100_001)], [['long'], []])
  })

  storeTest(open, 'tenants and clients are kept apart', async ({ store }) => {
    const mine = validatorNote('one', [[7, 100]])
    await store.validators.note([mine, { ...mine, tenant: other }, { ...mine, clientId: 'else', heard: [] }])
    equal((await store.validators.known([acme, other, acme], at(0), 0)).length, 3)
    deepEqual(await heard(store, other), { one: 'e.7 100' })
  })

  storeTest(open, 'two nodes write at once, and each is written', async ({ store }) => {
    const notes = ['a', 'b', 'c'].map((id) => validatorNote(id, [[1, 1]]))
    await Promise.all([store.validators.note(notes), store.validators.note(notes.toReversed())])
    deepEqual(Object.keys(await heard(store)).toSorted(), ['a', 'b', 'c'])
  })
}
