/** Links that sign in: one use, in the browser that asked, and dead with what they rested on. */
import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Store } from '../../src/contract/store.ts'
import { acme, at, change, event, handle, mail, other, signInLink, user } from '../samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'

async function withAda(store: Store): Promise<void> {
  await store.directory.apply([change()])
  await store.users.create(user('ada'), [])
}

async function mailed(store: Store, name: string, more: Parameters<typeof signInLink>[1] = {}) {
  const instead = mail(randomUUID())
  await store.mails.queue([instead], [])
  const links = [{ link: signInLink(name, more), mail: mail(randomUUID()) }]
  return store.signInLinks.mail({ links, instead, events: [event('login.link_requested')] })
}

const spending = (name: string, more: Partial<Parameters<Store['signInLinks']['spend']>[0]> = {}) => ({
  tenant: acme,
  handle: handle(`sign-in link ${name}`),
  browser: handle('browser 1'),
  at: at(2_000),
  ...more,
})

export function signInLinkSuite(open: OpenEngine): void {
  const find = (store: Store, name: string) => store.signInLinks.find(acme, handle(`sign-in link ${name}`))

  storeTest(open, 'a link reads back whole; a newer one of the same browser alone replaces it', async ({ store }) => {
    await withAda(store)
    equal(await mailed(store, 'one'), 'mailed')
    deepEqual(await find(store, 'one'), signInLink('one'))
    equal(await store.signInLinks.find(other, handle('sign-in link one')), null)
    await mailed(store, 'of a stranger', { browser: handle('browser 2'), sealedReturn: null })
    notEqual(await find(store, 'one'), null)
    await mailed(store, 'newer')
    equal(await find(store, 'one'), null)
    equal((await find(store, 'of a stranger'))?.sealedReturn, null)
  })

  storeTest(open, 'a request for a link is answered once, by whoever comes first', async ({ store }) => {
    await withAda(store)
    await store.mails.queue([mail('asked')], [])
    const instead = { tenant: acme, id: 'asked' }
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        store.signInLinks.mail({
          links: [{ link: signInLink(`n${n}`), mail: mail(`m${n}`) }],
          instead,
          events: [event('login.link_requested')],
        }),
      ),
    )
    equal(answers.filter((it) => it === 'mailed').length, 1)
    equal((await logged(store, acme)).filter((it) => it === 'login.link_requested').length, 1)
  })

  storeTest(open, 'of 50 that spend one link one does; no other browser, tenant or time', async ({ store }) => {
    await withAda(store)
    await mailed(store, 'one')
    for (const wrong of [{ browser: handle('browser 2') }, { tenant: other }, { at: at(600_000) }])
      equal(await store.signInLinks.spend(spending('one', wrong)), 'gone')
    const answers = await Promise.all(Array.from({ length: 50 }, () => store.signInLinks.spend(spending('one'))))
    deepEqual(answers.toSorted(), [...Array.from({ length: 49 }, () => 'gone'), 'spent'])
    equal(await find(store, 'one'), null)
  })

  storeTest(
    open,
    'another password or address kills the links that sign in; what is over is swept',
    async ({ store }) => {
      await withAda(store)
      const base = { tenant: acme, id: 'ada', at: at(2_000), events: [] }
      await mailed(store, 'one')
      await store.users.change({ ...base, version: 1, claims: { email: 'ADA@example.com', name: 'Ada' } })
      notEqual(await find(store, 'one'), null)
      await store.users.change({ ...base, version: 2, passwordHash: 'other' })
      equal(await find(store, 'one'), null)
      await mailed(store, 'two')
      await store.users.change({ ...base, version: 3, claims: { email: 'ada@elsewhere.example' } })
      equal(await find(store, 'two'), null)
      await mailed(store, 'three')
      equal(await store.sweep(at(599_999), 10), 0)
      equal(await store.sweep(at(600_000), 10), 1)
      equal(await find(store, 'three'), null)
    },
  )
}
