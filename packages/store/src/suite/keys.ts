/** Signing keys. */
import { deepEqual, equal } from 'node:assert/strict'
import { logged, type Open, storeTest } from './opened.ts'
import { acme, at, change, event, key, other } from './samples.ts'

export function keySuite(open: Open): void {
  storeTest(open, 'keys read back whole, oldest first, in their tenant only', async ({ store }) => {
    await store.directory.apply([change(), change({ tenant: other })])
    const younger = key(2, { publishedAt: at(5_000) })
    const older = key(1, { notedActiveAt: at(1_500) })
    equal(await store.keys.add(younger, [event('key.published')]), 'added')
    equal(await store.keys.add(older, []), 'added')
    deepEqual(await store.keys.list(acme), [older, younger])
    deepEqual(await store.keys.list(other), [])
  })

  storeTest(open, 'a generation is added once for each algorithm', async ({ store }) => {
    await store.directory.apply([change()])
    equal(await store.keys.add(key(1), [event('key.published')]), 'added')
    equal(await store.keys.add(key(1), [event('key.published')]), 'exists')
    equal(await store.keys.add(key(1, { alg: 'RS256' }), [event('key.published')]), 'added')
    equal(await store.keys.add(key(1, { tenant: other }), [event('key.published')]), 'no-tenant')
    deepEqual(await logged(store, acme), ['admin.tenant_changed', 'key.published', 'key.published'])
  })

  storeTest(open, 'activation moves, and is noted once', async ({ store }) => {
    await store.directory.apply([change()])
    await store.keys.add(key(1, { kid: 'k' }), [])
    equal(await store.keys.activate(acme, 'k', at(1_500), [event('key.activated')]), 'moved')
    equal(await store.keys.activate(acme, 'nokey', at(1_500), [event('key.activated')]), 'absent')
    equal(await store.keys.noteActive(acme, 'k', at(1_600), [event('key.activated')]), 'noted')
    equal(await store.keys.noteActive(acme, 'k', at(1_700), [event('key.activated')]), 'already-noted')
    const [kept] = await store.keys.list(acme)
    deepEqual([kept?.activatesAt, kept?.notedActiveAt], [1_500, 1_600])
    deepEqual(await logged(store, acme), ['admin.tenant_changed', 'key.activated', 'key.activated'])
  })

  storeTest(open, 'a dropped key stays on record, dead, until it is forgotten', async ({ store }) => {
    await store.directory.apply([change()])
    await store.keys.add(key(1, { kid: 'k' }), [])
    equal(await store.keys.drop(acme, 'k', at(3_000), [event('key.dropped')]), 'dropped')
    equal(await store.keys.drop(acme, 'k', at(4_000), [event('key.dropped')]), 'absent')
    equal(await store.keys.activate(acme, 'k', at(1), []), 'absent')
    equal((await store.keys.list(acme))[0]?.droppedAt, 3_000)
    await store.keys.forget(acme, ['k', 'never was'], [event('key.retired')])
    await store.keys.forget(acme, ['k'], [event('key.retired')])
    deepEqual(await store.keys.list(acme), [])
    deepEqual(await logged(store, acme), ['admin.tenant_changed', 'key.dropped', 'key.retired'])
  })

  storeTest(open, 'rewrapping replaces every sealed key of the deployment or none', async ({ store }) => {
    await store.directory.apply([change(), change({ tenant: other })])
    await store.keys.add(key(1, { kid: 'a' }), [])
    await store.keys.add(key(1, { kid: 'b', tenant: other }), [])
    const sealed = (fill: number) => new Uint8Array(4).fill(fill)
    const a = { tenant: acme, kid: 'a', sealedPrivate: sealed(1) }
    const b = { tenant: other, kid: 'b', sealedPrivate: sealed(2) }
    const rewrapped = [event('admin.master_key_rewrapped')]
    equal(await store.keys.rewrap([a], rewrapped), 'changed-meanwhile')
    equal(await store.keys.rewrap([a, { ...b, kid: 'gone' }], rewrapped), 'changed-meanwhile')
    deepEqual((await store.keys.list(acme))[0]?.sealedPrivate, key(1).sealedPrivate)
    equal(await store.keys.rewrap([a, b], rewrapped), 'rewrapped')
    deepEqual((await store.keys.list(acme))[0]?.sealedPrivate, sealed(1))
    deepEqual((await store.keys.list(other))[0]?.sealedPrivate, sealed(2))
    deepEqual(await logged(store, acme), ['admin.tenant_changed', 'admin.master_key_rewrapped'])
  })
}
