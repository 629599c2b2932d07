/** Pushed authorization requests: kept whole, answered once, and gone when nothing can need them. */
import { deepEqual, equal } from 'node:assert/strict'
import { race } from '../races.ts'
import {
  acme,
  at,
  event,
  grant,
  handle,
  interaction,
  opening,
  other,
  pushedRequest,
  tenantWithClient,
} from '../samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'

const one = handle('pushed p1')

export function pushedRequestSuite(open: OpenEngine): void {
  storeTest(open, 'a pushed request reads back whole, in its tenant only', async ({ store }) => {
    const basis = await tenantWithClient(store)
    equal(await store.pushedRequests.push(pushedRequest('p1'), basis), 'pushed')
    deepEqual(await store.pushedRequests.find(acme, one), { ...pushedRequest('p1'), usedAt: null })
    equal(await store.pushedRequests.find(other, one), null)
    equal(await store.pushedRequests.use(other, one, at(2_000)), 'already-used')
    equal((await store.pushedRequests.find(acme, one))?.usedAt, null)
  })

  storeTest(open, 'what was decided on facts that changed is not pushed', async ({ store }) => {
    const basis = await tenantWithClient(store)
    equal(await store.pushedRequests.push(pushedRequest('p1'), { ...basis, revision: basis.revision - 1 }), 'stale')
    equal(await store.pushedRequests.find(acme, one), null)
  })

  storeTest(
    open,
    'of many answers to one pushed request one is given, codes and refusals together',
    async ({ store }) => {
      const basis = await tenantWithClient(store)
      await store.pushedRequests.push(pushedRequest('p1'), basis)
      const outcomes = await race(8, (i) =>
        i % 2 === 0
          ? store.pushedRequests.use(acme, one, at(2_000))
          : store.grants.open(
              opening(basis, `g${i}`, { pushed: one, consent: null, events: [event('consent.granted')] }),
            ),
      )
      equal((outcomes['used'] ?? 0) + (outcomes['opened'] ?? 0), 1, JSON.stringify(outcomes))
    },
  )

  storeTest(open, 'a grant that comes too late leaves nothing behind, and its interaction open', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.pushedRequests.push(pushedRequest('p1'), basis)
    await store.interactions.record(interaction('i1'), {})
    equal(await store.pushedRequests.use(acme, one, at(2_000)), 'used')
    const before = (await logged(store, acme)).length
    const late = opening(basis, 'g1', { pushed: one, interaction: interaction('i1') })
    equal(await store.grants.open(late), 'already-closed')
    equal(await store.grants.find(acme, grant('g1').id), null)
    equal((await store.interactions.find(acme, handle('interaction i1')))?.closedAt, null)
    equal((await logged(store, acme)).length, before)
  })

  storeTest(open, 'a sweep takes what is kept no longer, and nothing else', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.pushedRequests.push(pushedRequest('p1', { keptUntil: at(5_000) }), basis)
    await store.pushedRequests.push(pushedRequest('p2', { keptUntil: at(5_001) }), basis)
    await store.sweep(at(5_000), 100)
    equal(await store.pushedRequests.find(acme, one), null)
    equal((await store.pushedRequests.find(acme, handle('pushed p2')))?.clientId, 'web')
  })

  storeTest(open, 'a restore forgets what was pushed', async ({ store }) => {
    const basis = await tenantWithClient(store)
    await store.pushedRequests.push(pushedRequest('p1'), basis)
    await store.beginNewEpoch(at(3_000), [])
    equal(await store.pushedRequests.find(acme, one), null)
  })
}
