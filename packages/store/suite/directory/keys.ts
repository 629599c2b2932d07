/** Signing keys. */
import { deepEqual, equal } from 'node:assert/strict'
import { acme, at, change, event, key, other } from '../samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'

export function keySuite(open: OpenEngine): void {
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
    await store.keys.add(key(2, { kid: 'by time' }), [])
    const begins = [event('key.activated')]
    equal(await store.keys.activate(acme, 'k', at(1_500), begins), 'moved')
    equal(await store.keys.activate(acme, 'k', at(1_600), begins), 'absent')
    equal(await store.keys.activate(acme, 'nokey', at(1_500), begins), 'absent')
    equal(await store.keys.noteActive(acme, 'k', at(1_600), begins), 'already-noted')
    equal(await store.keys.noteActive(acme, 'by time', at(1_600), begins), 'noted')
    equal(await store.keys.noteActive(acme, 'by time', at(1_700), begins), 'already-noted')
    equal(await store.keys.activate(acme, 'by time', at(1_700), begins), 'absent')
    const kept = (await store.keys.list(acme)).find(({ kid }) => kid === 'k')
    deepEqual([kept?.activatesAt, kept?.notedActiveAt], [1_500, 1_500])
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

  storeTest(open, 'rewrapping replaces the sealed secrets it was given, or none of them', async ({ store }) => {
    await store.directory.apply([change(), change({ tenant: other })])
    await store.keys.add(key(1, { kid: 'a' }), [])
    await store.keys.add(key(1, { kid: 'b', tenant: other }), [])
    const from = key(1).sealedPrivate
    const sealed = (fill: number) => new Uint8Array(4).fill(fill)
    const a = { which: { tenant: acme, kid: 'a' }, from, to: sealed(1) }
    const b = { which: { tenant: other, kid: 'b' }, from, to: sealed(2) }
    const log = { which: 'audit-key', from: await store.keys.auditKey(), to: sealed(3) } as const
    const rewrapped = [event('admin.master_key_rewrapped')]
    for (const stale of [
      { ...b, from: sealed(9) },
      { ...b, which: { tenant: other, kid: 'gone' } },
      { ...log, from: sealed(9) },
    ]) {
      equal(await store.keys.rewrap([a, stale], rewrapped), 'changed-meanwhile')
    }
    deepEqual((await store.keys.list(acme))[0]?.sealedPrivate, from)
    equal(await store.keys.rewrap([a, b, log], rewrapped), 'rewrapped')
    deepEqual((await store.keys.list(acme))[0]?.sealedPrivate, sealed(1))
    deepEqual((await store.keys.list(other))[0]?.sealedPrivate, sealed(2))
    deepEqual(Buffer.from(await store.keys.auditKey()), Buffer.from(sealed(3)))
    deepEqual(await logged(store, acme), ['admin.tenant_changed', 'admin.master_key_rewrapped'])
  })
}
