/** The event log: order, chain, seals, feed, pruning. */
import { deepEqual, equal, ok } from 'node:assert/strict'
import { decodeEvent, personOf } from '@grantor/protocol/events'
import type { TenantId } from '@grantor/protocol/types'
import { chainHash, genesis } from '../src/contract/chain.ts'
import type { Store } from '../src/contract/store.ts'
import { acme, at, event, jti, other } from './samples.ts'
import { type OpenEngine, storeTest } from './store-test.ts'

/** Walks the chain as a verifier would; returns the number of links from `start` on. */
async function verify(store: Store, tenant: TenantId, start = { seq: 0, hash: genesis }): Promise<number> {
  const rows = await store.events.rows(tenant, start.seq, 10_000)
  let { seq, hash } = start
  for (const row of rows) {
    seq += 1
    hash = Uint8Array.from(chainHash(hash, row))
    equal(row.seq, seq)
    deepEqual(row.hash, hash)
    const said = decodeEvent(row.body)
    deepEqual(row.columns, { tenant: said.tenant, at: said.at, subject: personOf(said) })
    if (row.mac !== null) deepEqual(row.mac, Uint8Array.from(store.events.macOf({ tenant, seq, hash }, 'seal')))
  }
  ok(rows.at(-1)?.mac !== null, 'the last event carries a seal')
  deepEqual(await store.events.head(tenant), rows.length === 0 ? null : { tenant, seq, hash })
  return rows.length
}

export function eventSuite(open: OpenEngine): void {
  storeTest(open, 'a long log of many tenants reads in order from any place, in both directions', async ({ store }) => {
    const [quiet, busy, late] = ['quiet', 'busy', 'late'] as [TenantId, TenantId, TenantId]
    const some = (tenant: TenantId, count: number) =>
      Array.from({ length: count }, () => event('token.issued', { tenant }))
    await store.events.append([...some(quiet, 2)])
    for (let n = 0; n < 5; n++) await store.events.append([...some(busy, 900), ...some(acme, 100)])
    await store.events.append([...some(quiet, 1), ...some(late, 1)])
    equal(await store.events.position(), 5_004)
    equal(await verify(store, busy), 4_500)
    equal(await verify(store, acme), 500)
    deepEqual(
      (await store.events.rows(quiet, 0, 10)).map(({ seq, pos }) => [seq, pos]),
      [
        [1, 1],
        [2, 2],
        [3, 5_003],
      ],
    )
    const seqs = (events: readonly { readonly seq: number }[]) => events.map(({ seq }) => seq)
    for (const seq of [0, 1, 1_849, 2_500, 4_498]) {
      deepEqual(
        seqs(await store.events.after(busy, seq, 3)),
        [seq + 1, seq + 2, seq + 3].filter((n) => n <= 4_500),
      )
      deepEqual(
        seqs(await store.events.before(busy, seq + 3, 3)),
        [seq + 2, seq + 1, seq].filter((n) => n > 0),
      )
    }
    deepEqual(await store.events.tenants({ after: null, limit: 10 }), [acme, busy, late, quiet])
    deepEqual(await store.events.tenants({ after: acme, limit: 2 }), [busy, late])
    equal(await store.events.lost(), 0)
    // Dropped over the border of any part, and gone on with.
    const head = { tenant: busy, seq: 4_000, hash: (await store.events.rows(busy, 3_999, 1))[0]?.hash ?? genesis }
    const checkpoint = { ...head, at: at(9), signature: store.events.macOf(head, 'checkpoint') }
    equal(await store.events.prune(checkpoint, []), 'pruned')
    deepEqual(seqs(await store.events.after(busy, 0, 2)), [4_001, 4_002])
    await store.events.append(some(busy, 3_000))
    await store.events.position()
    equal((await store.events.head(busy))?.seq, 7_500)
    equal(await verify(store, busy, head), 3_500)
    equal(await store.events.lost(), 0)
    equal((await store.events.head(quiet))?.seq, 3)
  })

  storeTest(open, 'an event reads back whole, with its place', async ({ store }) => {
    const whole = event('token.revoked', {
      actor: { kind: 'client', id: 'web' },
      subject: 'ada',
      clientId: 'web',
      reason: 'tab\tNUL\0 “quotes” \uD83D\uDE00',
      data: { until: 5, nested: { list: [1, null, 'x'] } },
    })
    await store.events.append([whole])
    equal(await store.events.position(), 1)
    deepEqual(await store.events.before(acme, 2, 10), [{ ...whole, seq: 1, pos: 1 }])
    deepEqual(await store.events.before(acme, 1, 10), [])
    deepEqual(await store.events.after(acme, 0, 10), [{ ...whole, seq: 1, pos: 1 }])
  })

  storeTest(
    open,
    'seq counts in each tenant without gaps, pos over all of them, and every chain verifies',
    async ({ store }) => {
      const tenants = ['a', 'b', 'c'] as TenantId[]
      await Promise.all(
        Array.from({ length: 60 }, (_, i) =>
          store.events.append([event('token.issued', { tenant: tenants[i % 3] ?? acme })]),
        ),
      )
      await store.events.append(tenants.map((tenant) => event('login.failed', { tenant })))
      equal(await store.events.position(), 63)
      const places: number[] = []
      for (const tenant of tenants) {
        equal(await verify(store, tenant), 21)
        places.push(...(await store.events.rows(tenant, 0, 100)).map((row) => row.pos))
      }
      deepEqual(
        places.sort((a, b) => a - b),
        Array.from({ length: 63 }, (_, i) => i + 1),
      )
      deepEqual(await store.events.tenants({ after: null, limit: 2 }), ['a', 'b'])
      deepEqual(await store.events.tenants({ after: 'b' as TenantId, limit: 2 }), ['c'])
    },
  )

  storeTest(open, 'events of one verb keep their order', async ({ store }) => {
    const many = Array.from({ length: 250 }, (_, i) => event('token.rejected', { reason: String(i) }))
    await store.events.append(many)
    await store.events.append([])
    await store.events.position()
    deepEqual(
      (await store.events.after(acme, 0, 1_000)).map((it) => it.reason),
      many.map((it) => it.reason),
    )
    equal(await verify(store, acme), 250)
  })

  storeTest(
    open,
    'the feed is the part that validators need, in order, for all tenants or for one',
    async ({ store }) => {
      await store.events.append([event('token.issued'), event('token.revoked', { reason: '1' })])
      await store.events.append([event('grant.revoked', { tenant: other, reason: '2' }), event('login.failed')])
      await store.events.append([event('key.dropped', { reason: '3' })])
      await store.events.position()
      const all = await store.events.feed({ pos: 0, tenant: null, limit: 10 })
      deepEqual(
        all.map((it) => it.reason),
        ['1', '2', '3'],
      )
      const [, second] = all
      const newest = await store.events.feedBefore({ pos: all.at(-1)?.pos ?? 0, limit: 10 })
      deepEqual(newest, all.toReversed(), 'backwards it is the same part')
      const later = await store.events.feed({ pos: second?.pos ?? 0, tenant: null, limit: 10 })
      deepEqual(
        later.map((it) => it.reason),
        ['3'],
      )
      const one = await store.events.feed({ pos: 0, tenant: acme, limit: 1 })
      deepEqual(
        one.map((it) => it.reason),
        ['1'],
      )
      const reasonsOf = async (tenant: typeof acme, pos: number) =>
        (await store.events.feed({ pos, tenant, limit: 10 })).map((it) => it.reason)
      const [first, , third] = all.map(({ pos }) => pos)
      deepEqual([await reasonsOf(acme, 0), await reasonsOf(other, 0)], [['1', '3'], ['2']])
      deepEqual([await reasonsOf(acme, first ?? 0), await reasonsOf(acme, third ?? 0)], [['3'], []])
      deepEqual((await store.events.feedBefore({ pos: third ?? 0, limit: 2 })).length, 2)
    },
  )

  storeTest(open, 'what concerns a person is found by its subject, newest first, in pages', async ({ store }) => {
    const about = (subject: string, reason: string) => ({ subject, reason })
    await store.events.append([
      event('session.started', about('alice', '1')),
      event('login.failed', about('bob', '2')),
      event('token.issued', about('alice', '3')),
      event('login.failed'),
      event('consent.granted', { ...about('alice', '4'), tenant: other }),
    ])
    await store.events.append([event('admin.user_changed', about('alice', '5'))])
    await store.tokens.revoke({
      tenant: acme,
      jti: jti('t'),
      at: at(1_000),
      expiresAt: at(2_000),
      events: [event('grant.revoked', about('alice', '6'))],
    })
    await store.events.position()
    const found = await store.events.ofSubject(acme, 'alice', { before: null, limit: 10 })
    deepEqual(
      found.map((it) => it.reason),
      ['6', '5', '1'],
    )
    const [newest, second] = found
    deepEqual(await store.events.ofSubject(acme, 'alice', { before: newest?.seq ?? 0, limit: 1 }), [second])
    deepEqual(await store.events.ofSubject(acme, 'carol', { before: null, limit: 10 }), [])
  })

  storeTest(open, 'a watcher is woken by what is sealed, until it stops watching', async ({ store }) => {
    let woken = 0
    let resolve = (): void => {}
    const nextWake = (): Promise<void> => new Promise((done) => (resolve = done))
    const first = nextWake()
    const unwatch = store.events.watch(() => {
      woken += 1
      resolve()
    })
    await first
    const second = nextWake()
    await store.events.append([event('token.revoked')])
    await store.events.position()
    await second
    unwatch()
    const before = woken
    await store.events.append([event('token.revoked')])
    await store.events.position()
    equal(woken, before)
  })

  storeTest(open, 'old events go behind a checkpoint, and the rest still verifies from there', async ({ store }) => {
    for (const time of [10, 20, 30, 5, 40]) await store.events.append([event('token.issued', { at: at(time) })])
    await store.events.position()
    equal(await store.events.prunable(acme, at(10), 100), null)
    equal((await store.events.prunable(acme, at(1_000), 2))?.seq, 2)
    const link = await store.events.prunable(acme, at(31), 100)
    equal(link?.seq, 4)
    if (link === null) throw new Error('nothing to prune')
    const checkpoint = { ...link, at: at(50), signature: Uint8Array.from([1, 2, 3]) }
    const forged = { ...checkpoint, hash: new Uint8Array(32) }
    equal(await store.events.prune(forged, [event('admin.tenant_changed')]), 'stale')
    equal(await store.events.prune({ ...checkpoint, seq: 9 }, []), 'stale')
    equal(await verify(store, acme), 5)
    equal(await store.events.prune(checkpoint, []), 'pruned')
    deepEqual(await store.events.checkpoint(acme), checkpoint)
    equal(await store.events.checkpoint(other), null)
    equal(await verify(store, acme, checkpoint), 1)
  })

  storeTest(open, 'how far one log was pruned says nothing of another', async ({ store }) => {
    const several = (tenant: typeof acme) => [10, 20, 30].map((time) => event('token.issued', { tenant, at: at(time) }))
    await store.events.append([...several(other), ...several(acme)])
    await store.events.position()
    const cut = await store.events.prunable(other, at(25), 100)
    equal(cut?.seq, 2)
    if (cut === null) throw new Error('nothing to prune')
    equal(await store.events.prune({ ...cut, at: at(50), signature: new Uint8Array(1) }, []), 'pruned')
    const reach = async (tenant: typeof acme, limit = 100) => (await store.events.prunable(tenant, at(99), limit))?.seq
    deepEqual([await reach(acme), await reach(acme, 1), await reach(other), await reach(other, 1)], [3, 1, 3, 3])
    equal((await store.events.after(acme, 0, 10)).length, 3)
    equal((await store.events.after(other, 0, 10)).length, 1)
  })

  storeTest(open, 'a log that was pruned to its very end goes on where it was', async ({ store }) => {
    await store.events.append([event('token.issued'), event('token.issued'), event('login.failed', { tenant: other })])
    await store.events.position()
    const link = await store.events.prunable(acme, at(10_000), 100)
    if (link === null) throw new Error('nothing to prune')
    equal(await store.events.prune({ ...link, at: at(50), signature: new Uint8Array(1) }, []), 'pruned')
    deepEqual(await store.events.head(acme), link)
    await store.events.append([event('token.issued')])
    equal(await store.events.position(), 4)
    const [next] = await store.events.after(acme, 0, 10)
    deepEqual([next?.seq, next?.pos], [3, 4])
    equal(await verify(store, acme, link), 1)
  })

  storeTest(open, 'a mac vouches for one purpose, tenant, number and hash', async ({ store }) => {
    const head = { tenant: acme, seq: 1, hash: new Uint8Array(32) }
    const mac = Buffer.from(store.events.macOf(head, 'seal'))
    ok(mac.equals(store.events.macOf({ ...head }, 'seal')))
    ok(!mac.equals(store.events.macOf(head, 'checkpoint')))
    ok(!mac.equals(store.events.macOf({ ...head, seq: 2 }, 'seal')))
    ok(!mac.equals(store.events.macOf({ ...head, tenant: other }, 'seal')))
    ok(!mac.equals(store.events.macOf({ ...head, hash: new Uint8Array(32).fill(1) }, 'seal')))
  })
}
