/** Interactions on their way through the pages. */
import { deepEqual, equal } from 'node:assert/strict'
import { acme, at, handle, interaction, other } from '../samples.ts'
import { type OpenEngine, storeTest } from '../store-test.ts'

export function interactionSuite(open: OpenEngine): void {
  storeTest(open, 'an interaction reads back whole, in its tenant only', async ({ store }) => {
    await store.interactions.open(interaction('i1'))
    deepEqual(await store.interactions.find(acme, handle('interaction i1')), interaction('i1'))
    equal(await store.interactions.find(other, handle('interaction i1')), null)
  })

  storeTest(open, 'two steps at once cannot overwrite each other', async ({ store }) => {
    await store.interactions.open(interaction('i1'))
    const fact = {
      tenant: acme,
      handle: handle('interaction i1'),
      version: 1,
      progress: { subject: 'ada' },
      at: at(2_000),
    }
    equal(await store.interactions.record(fact), 'recorded')
    equal(await store.interactions.record({ ...fact, progress: { subject: 'eve' } }), 'changed-meanwhile')
    const kept = await store.interactions.find(acme, fact.handle)
    deepEqual([kept?.progress, kept?.version], [{ subject: 'ada' }, 2])
  })

  storeTest(open, 'a closed interaction takes no more facts and closes once', async ({ store }) => {
    await store.interactions.open(interaction('i1'))
    const it = handle('interaction i1')
    equal(await store.interactions.close(acme, it, at(3_000)), 'closed')
    equal(await store.interactions.close(acme, it, at(4_000)), 'already-closed')
    const fact = { tenant: acme, handle: it, version: 1, progress: {}, at: at(5_000) }
    equal(await store.interactions.record(fact), 'closed')
    equal(await store.interactions.record({ ...fact, handle: handle('never opened') }), 'closed')
    equal((await store.interactions.find(acme, it))?.closedAt, 3_000)
  })
}
