/** Mails on their way out: leased to one, given back, forgotten; and the news of the log, read once. */
import { deepEqual, equal } from 'node:assert/strict'
import { acme, at, change, event, mail, other } from '../samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'

export function mailSuite(open: OpenEngine): void {
  storeTest(open, 'a mail that waits is put under another key, unless it was sent meanwhile', async ({ store }) => {
    await store.mails.queue([mail('m1')], [])
    const [from, to] = [mail('m1').sealed, new Uint8Array(4).fill(9)]
    const resealed = (id: string) => [{ which: { tenant: acme, mail: id }, from, to }]
    equal(await store.keys.rewrap(resealed('sent'), []), 'changed-meanwhile')
    equal(await store.keys.rewrap(resealed('m1'), []), 'rewrapped')
    deepEqual((await store.mails.find(acme, 'm1'))?.sealed, to)
    equal(await store.keys.rewrap(resealed('m1'), []), 'changed-meanwhile')
  })

  storeTest(open, 'a mail is taken by one, and by the next one when its lease is over', async ({ store }) => {
    await store.mails.queue([mail('m1')], [event('login.failed')])
    deepEqual(await store.mails.takeDue(at(1_000), at(5_000)), { ...mail('m1'), attempts: 1 })
    equal(await store.mails.takeDue(at(4_999), at(9_000)), null)
    deepEqual(await store.mails.takeDue(at(5_000), at(9_000)), { ...mail('m1'), attempts: 2 })
    deepEqual(await logged(store, acme), ['login.failed'])
  })

  storeTest(open, 'of 50 that take at once each mail goes to one', async ({ store }) => {
    await store.mails.queue(
      Array.from({ length: 5 }, (_, n) => mail(`m${n}`)),
      [],
    )
    const taken = await Promise.all(Array.from({ length: 50 }, () => store.mails.takeDue(at(2_000), at(5_000))))
    const ids = taken.flatMap((it) => (it === null ? [] : [it.id]))
    // Where two met, one goes away with nothing, and finds the rest the next time.
    equal(new Set(ids).size, ids.length)
    for (let left = 5 - ids.length; left > 0; left -= 1)
      ids.push((await store.mails.takeDue(at(2_000), at(5_000)))?.id ?? '')
    deepEqual(ids.toSorted(), ['m0', 'm1', 'm2', 'm3', 'm4'])
    equal(await store.mails.takeDue(at(2_000), at(5_000)), null)
  })

  storeTest(
    open,
    'what nobody is sending any more is tried again, or dropped, from that moment on',
    async ({ store }) => {
      await store.mails.queue([mail('m1'), mail('m2')], [])
      for (const [id, act] of [
        ['m1', store.mails.retry],
        ['m2', store.mails.drop],
      ] as const) {
        while ((await store.mails.takeDue(at(2_000), at(5_000))) !== null);
        const change = (now: number) => ({ tenant: acme, id, at: at(now), events: [] })
        deepEqual([await act(change(4_999)), await act(change(5_000))], ['under-way', 'changed'])
      }
    },
  )

  storeTest(
    open,
    'what waits is listed, tried at once and dropped; what is being sent is left alone',
    async ({ store }) => {
      await store.mails.queue([mail('m1'), mail('m2'), mail('m3', { tenant: other })], [])
      const list = async (before: string | null, limit = 9) =>
        (await store.mails.search(acme, { before, limit })).map(({ id }) => id)
      deepEqual([await list(null), await list('m2'), await list(null, 1)], [['m2', 'm1'], ['m1'], ['m2']])
      const change = (id: string, now: number) => ({
        tenant: acme,
        id,
        at: at(now),
        events: [event('admin.mail_changed')],
      })
      const taken = (await store.mails.takeDue(at(2_000), at(5_000)))?.id ?? ''
      equal(await store.mails.retry(change(taken, 3_000)), 'under-way')
      equal(await store.mails.drop(change(taken, 3_000)), 'under-way')
      for (const act of [store.mails.retry, store.mails.drop])
        equal(await act(change(taken, 4_999)), 'under-way', 'whoever has it has it until then')
      await store.mails.postpone(acme, taken, at(60_000), 'RCPT TO 451')
      const found = await store.mails.find(acme, taken)
      deepEqual([found?.dueAt, found?.lastError, found?.attempts], [60_000, 'RCPT TO 451', 1])
      equal(await store.mails.find(other, taken), null)
      equal(await store.mails.retry({ ...change(taken, 4_000), tenant: other }), 'absent')
      equal(await store.mails.retry(change(taken, 4_000)), 'changed')
      equal((await store.mails.find(acme, taken))?.dueAt, 4_000)
      equal(await store.mails.drop(change(taken, 4_000)), 'changed')
      equal(await store.mails.drop(change(taken, 4_000)), 'absent')
      deepEqual(await logged(store, acme), ['admin.mail_changed', 'admin.mail_changed'])
    },
  )

  storeTest(open, 'the one that is due longest goes first; one put back waits', async ({ store }) => {
    await store.mails.queue([mail('late', { madeAt: at(2_000) }), mail('early')], [])
    equal((await store.mails.takeDue(at(3_000), at(9_000)))?.id, 'early')
    await store.mails.postpone(acme, 'early', at(2_500))
    equal((await store.mails.takeDue(at(3_000), at(9_000)))?.id, 'late')
    equal((await store.mails.takeDue(at(3_000), at(9_000)))?.id, 'early')
    await store.mails.postpone(acme, 'late', at(2_500))
    equal((await store.mails.takeDue(at(3_000), at(9_000)))?.id, 'late')
    equal(await store.mails.takeDue(at(3_000), at(9_000)), null, 'the other one keeps its time')
  })

  storeTest(open, 'a mail is done once, with its event', async ({ store }) => {
    await store.mails.queue([mail('m1'), mail('m2')], [])
    equal(await store.mails.settle(other, 'm1', [event('mail.sent')]), 'absent')
    equal(await store.mails.settle(acme, 'm1', [event('mail.sent')]), 'settled')
    equal(await store.mails.settle(acme, 'm1', [event('mail.sent')]), 'absent')
    equal((await store.mails.takeDue(at(2_000), at(5_000)))?.id, 'm2', 'the other one is still to be sent')
    deepEqual(await logged(store, acme), ['mail.sent'])
  })

  storeTest(open, 'the news are what is about a person, in order, after a position', async ({ store }) => {
    await store.events.append([
      event('session.started', { subject: 'ada' }),
      event('token.issued', { subject: 'ada' }),
      event('consent.granted', { subject: 'bob', tenant: other }),
    ])
    await store.events.position()
    const news = await store.mails.news(0, 10)
    deepEqual(
      news.map(({ name, tenant }) => [name, tenant]),
      [
        ['session.started', acme],
        ['consent.granted', other],
      ],
    )
    deepEqual(await store.mails.news(news.at(-1)?.pos ?? 0, 10), [])
    equal((await store.mails.news(0, 1)).length, 1)
  })

  storeTest(open, 'of 50 nodes that read the same news one queues what follows from them', async ({ store }) => {
    equal(await store.mails.cursor(), null)
    const derive = (from: number | null, n: number) =>
      store.mails.derive({ from, to: (from ?? 0) + 7, mails: [mail(`from ${from} by ${n}`)] })
    for (const from of [null, 7]) {
      const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => derive(from, n)))
      equal(answers.filter((it) => it === 'derived').length, 1)
    }
    equal(await store.mails.cursor(), 14)
    equal((await store.mails.takeDue(at(2_000), at(5_000)))?.id.startsWith('from'), true)
    equal((await store.mails.takeDue(at(2_000), at(5_000)))?.id.startsWith('from'), true)
    equal(await store.mails.takeDue(at(2_000), at(5_000)), null)
  })

  storeTest(
    open,
    'a new life of the database sends nothing of the old one, and reads the log anew',
    async ({ store }) => {
      await store.directory.apply([change()])
      await store.mails.queue([mail('m1')], [])
      await store.mails.derive({ from: null, to: 7, mails: [] })
      await store.beginNewEpoch(at(2_000), [])
      equal(await store.mails.takeDue(at(9_000), at(10_000)), null)
      equal(await store.mails.cursor(), null)
    },
  )
}
