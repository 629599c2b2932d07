/** Interactions on their way through the pages. */
import { deepEqual, equal } from 'node:assert/strict'
import { acme, at, handle, interaction, other } from '../samples.ts'
import { type OpenEngine, storeTest } from '../store-test.ts'

export function interactionSuite(open: OpenEngine): void {
  storeTest(
    open,
    'an interaction comes to be with its first fact, and reads back whole, in its tenant only',
    async ({ store }) => {
      equal(await store.interactions.record(interaction('i1'), { subject: 'ada' }), 'recorded')
      deepEqual(
        await store.interactions.find(acme, handle('interaction i1')),
        interaction('i1', { progress: { subject: 'ada' }, version: 2 }),
      )
      equal(await store.interactions.find(other, handle('interaction i1')), null)
    },
  )

  storeTest(open, 'two steps at once cannot overwrite each other', async ({ store }) => {
    const first = interaction('i1')
    equal(await store.interactions.record(first, { subject: 'ada' }), 'recorded')
    equal(await store.interactions.record(first, { subject: 'eve' }), 'changed-meanwhile')
    const kept = await store.interactions.find(acme, first.handle)
    deepEqual([kept?.progress, kept?.version], [{ subject: 'ada' }, 2])
    const next = interaction('i1', { version: 2, request: { other: true }, expiresAt: at(9_999_999) })
    equal(await store.interactions.record(next, { subject: 'bob' }), 'recorded')
    // What it was opened with stays.
    deepEqual(
      await store.interactions.find(acme, first.handle),
      interaction('i1', { progress: { subject: 'bob' }, version: 3 }),
    )
  })

  storeTest(open, 'a closed interaction takes no more facts and closes once', async ({ store }) => {
    const it = interaction('i1')
    equal(await store.interactions.record(it, {}), 'recorded')
    const seen = { ...it, version: 2 }
    equal(await store.interactions.close(seen, at(3_000)), 'closed')
    equal(await store.interactions.close(seen, at(4_000)), 'already-closed')
    equal(await store.interactions.record(seen, {}), 'closed')
    equal((await store.interactions.find(acme, it.handle))?.closedAt, 3_000)
    // Others that are open, here or by the same handle elsewhere, do not open it again.
    equal(await store.interactions.record(interaction('i2'), {}), 'recorded')
    equal(await store.interactions.record({ ...it, tenant: other }, {}), 'recorded')
    equal(await store.interactions.record(seen, {}), 'closed')
  })

  storeTest(open, 'one that is closed before anybody did anything in it stays closed', async ({ store }) => {
    const it = interaction('i1')
    equal(await store.interactions.close(it, at(3_000)), 'closed')
    equal(await store.interactions.close(it, at(4_000)), 'already-closed')
    equal(await store.interactions.record(it, { subject: 'eve' }), 'closed')
    deepEqual(await store.interactions.find(acme, it.handle), { ...it, closedAt: 3_000 })
    equal(await store.interactions.close({ ...it, tenant: other }, at(5_000)), 'closed')
  })
}
