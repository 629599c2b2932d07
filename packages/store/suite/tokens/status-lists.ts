/** Status lists: no place is leased twice, an entry is written with its token, and what ends together is found together. */
import { deepEqual, equal } from 'node:assert/strict'
import { statusListSize } from '@grantor/protocol/status-list'
import {
  type ListedPopulation,
  type StatusBlock,
  type StatusEntry,
  statusListKeeping,
  type StatusPlace,
} from '../../src/contract/tokens/status-lists.ts'
import { storeFromEngine } from '../../src/drivers/engine-store.ts'
import {
  acme,
  at,
  authentication,
  event,
  grant,
  grantId,
  issuance,
  opening,
  other,
  statusBlock,
  statusEntry,
  tenantWithClient,
} from '../samples.ts'
import { type OpenEngine, storeTest, type StoreUnderTest } from '../store-test.ts'

const whole = (dimension: ListedPopulation['dimension'], key: string, issuedUpTo = 9_000): ListedPopulation => ({
  dimension,
  key,
  issuedUpTo: at(issuedUpTo),
})

/** Tokens that differ in what they hang on, each with a place of its own. */
const issued: readonly (readonly [idx: number, entry: Partial<StatusEntry>])[] = [
  [1, {}],
  [2, { clientId: 'other client' }],
  [3, { grantId: 'g1', sessionId: 's1' }],
  [4, { grantId: 'g1', sessionId: null, issuedAt: at(5_000) }],
  [5, { grantId: 'g2', sessionId: 's2' }],
  [6, { list: 'list 2' }],
]

const sorted = (places: readonly StatusPlace[]) => places.map(({ idx }) => idx).toSorted((a, b) => a - b)

async function issueAll({ store }: StoreUnderTest): Promise<void> {
  const basis = await tenantWithClient(store)
  const bob = { ...authentication(), subject: 'bob' }
  await store.grants.open(opening(basis, 'g1', { consent: null, events: [] }))
  await store.grants.open(
    opening(basis, 'g2', { grant: grant('g2', { authentication: bob }), consent: null, events: [] }),
  )
  for (const [idx, more] of issued)
    equal(await store.tokens.issue(issuance(basis, { statusEntry: statusEntry(idx, more) })), 'committed')
}

export function statusListSuite(open: OpenEngine): void {
  storeTest(open, 'blocks follow each other in a list, and a full list is followed by another', async ({ store }) => {
    const size = statusListSize / 4
    const lease = (n: number, until: number) =>
      store.statusLists.lease(statusBlock({ size, until: at(until), newList: `list ${n}` }))
    const leased: StatusBlock[] = []
    for (const [n, until] of [7_000, 9_000, 8_000, 3_000, 6_000].entries()) leased.push(await lease(n, until))
    deepEqual(leased, [
      { list: 'list 0', first: 0 },
      { list: 'list 0', first: size },
      { list: 'list 0', first: 2 * size },
      { list: 'list 0', first: 3 * size },
      { list: 'list 4', first: 0 },
    ])
    // The latest of all ends counts.
    deepEqual(await store.statusLists.lists(acme, at(0)), [
      { id: 'list 0', until: 9_000, endedAt: null },
      { id: 'list 4', until: 6_000, endedAt: null },
    ])
    deepEqual(
      (await store.statusLists.lists(acme, at(6_000))).map(({ id }) => id),
      ['list 0'],
    )
  })

  storeTest(open, 'tenants have lists of their own', async ({ store }) => {
    await store.statusLists.lease(statusBlock())
    equal((await store.statusLists.lease(statusBlock({ tenant: other, newList: 'list 2' }))).list, 'list 2')
    deepEqual(
      (await store.statusLists.lists(other, at(0))).map(({ id }) => id),
      ['list 2'],
    )
  })

  storeTest(open, 'of 200 that lease at once no two have a place in common', async ({ engine }) => {
    const [one, another] = [storeFromEngine(engine), storeFromEngine(engine)]
    // Few blocks to a list, so that lists fill up under them.
    const size = statusListSize / 16
    const lease = (n: number) =>
      (n % 2 === 0 ? one : another).statusLists.lease(statusBlock({ size, newList: `list ${n}` }))
    const leased = await Promise.all(Array.from({ length: 200 }, (_, n) => lease(n)))
    equal(new Set(leased.map((it) => `${it.list} ${it.first}`)).size, 200)
    equal(
      leased.some((it) => it.first + size > statusListSize),
      false,
    )
  })

  storeTest(open, 'a token that is not issued has no entry', async ({ store }) => {
    const basis = await tenantWithClient(store)
    const stale = { ...basis, revision: basis.revision - 1 }
    equal(await store.tokens.issue(issuance(stale, { statusEntry: statusEntry(1) })), 'stale')
    equal(
      await store.tokens.issue(issuance(basis, { grantId: grantId('none'), statusEntry: statusEntry(1) })),
      'grant-dead',
    )
    deepEqual(await store.statusLists.places(acme, [whole('list', 'list 1')]), [])
  })

  const populations: readonly (readonly [ListedPopulation, readonly number[]])[] = [
    [whole('client', 'web'), [1, 3, 4, 5, 6]],
    [whole('client', 'web', 4_999), [1, 3, 5, 6]],
    [whole('client', 'other client'), [2]],
    [whole('client', 'nobody'), []],
    [whole('grant', 'g1'), [3, 4]],
    [whole('grant', 'g1', 5_000), [3, 4]],
    [whole('grant', 'g1', 4_999), [3]],
    [whole('session', 's1'), [3]],
    [whole('session', 's1', 1_999), []],
    [whole('subject', 'ada'), [3, 4]],
    [whole('subject', 'bob', 2_000), [5]],
    [whole('subject', 'web'), []],
    [whole('list', 'list 1'), [1, 2, 3, 4, 5]],
    [whole('list', 'list 1', 2_000), [1, 2, 3, 5]],
    [whole('list', 'list 2'), [6]],
  ]
  storeTest(open, 'what ends with a client, grant, session, person or list is found, and no more', async (it) => {
    const { store } = it
    await issueAll(it)
    for (const [population, expected] of populations) {
      const found = await store.statusLists.places(acme, [population])
      deepEqual(sorted(found), expected, JSON.stringify(population))
      deepEqual(await store.statusLists.places(other, [population]), [])
    }
    const all = await store.statusLists.places(
      acme,
      populations.map(([population]) => population),
    )
    deepEqual([...new Set(sorted(all))], [1, 2, 3, 4, 5, 6])
  })

  storeTest(open, 'more ends at once than one statement asks for are all found', async ({ store }) => {
    const basis = await tenantWithClient(store)
    const ends = Array.from({ length: 123 }, (_, n) => whole(n % 2 === 0 ? 'grant' : 'session', `${n}`))
    for (const [n, { dimension, key }] of ends.entries()) {
      const member = dimension === 'grant' ? { grantId: key } : { sessionId: key }
      await store.tokens.issue(issuance(basis, { statusEntry: statusEntry(n, member) }))
    }
    const found = await store.statusLists.places(acme, ends)
    equal(new Set(found.map(({ idx }) => idx)).size, 123)
  })

  for (const end of ['a restore', 'a clock set back'] as const)
    storeTest(open, `after ${end} every list has ended and no place of it is leased again`, async (it) => {
      const { store } = it
      await issueAll(it)
      await store.statusLists.lease(statusBlock({ until: at(900_000_000) }))
      if (end === 'a restore') await store.beginNewEpoch(at(6_000), [event('admin.restored')])
      else await store.setBack({ from: at(9_000), at: at(6_000), event: event('clock.set_back') })
      const longest = 2 * 86_400_000
      deepEqual(await store.statusLists.lists(acme, at(0)), [{ id: 'list 1', until: 6_000 + longest, endedAt: 6_000 }])
      deepEqual(await store.statusLists.places(acme, [whole('list', 'list 1')]), [])
      equal((await store.statusLists.lease(statusBlock({ newList: 'list 3' }))).list, 'list 3')
    })

  storeTest(open, 'a list goes with its entries in batches, after the margin, and another stays', async (it) => {
    const { store } = it
    await issueAll(it)
    await store.statusLists.lease(statusBlock({ until: at(7_000) }))
    await store.statusLists.lease(statusBlock({ tenant: other, newList: 'list 2', until: at(8_000) }))
    equal(await store.sweep(at(6_999 + statusListKeeping), 3), 0)
    const over = at(7_000 + statusListKeeping)
    equal(await store.sweep(over, 3), 3)
    // The last two, and with them the list.
    equal(await store.sweep(over, 3), 3)
    equal(await store.sweep(over, 3), 0)
    deepEqual(await store.statusLists.lists(acme, at(0)), [])
    deepEqual(await store.statusLists.places(acme, [whole('client', 'web')]), [{ list: 'list 2', idx: 6 }])
    equal((await store.statusLists.lists(other, at(0))).length, 1)
  })
}
