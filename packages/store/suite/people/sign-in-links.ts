/** Links that sign in: one use, in the browser that asked, and dead with what they rested on. */
import { deepEqual, equal, notEqual } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Store } from '../../src/contract/store.ts'
import { acme, at, change, event, handle, mail, other, signInLink, user } from '../samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'

type Mailed = Parameters<typeof signInLink>[1] & { readonly address?: string }

async function withAda(store: Store): Promise<void> {
  await store.directory.apply([change()])
  await store.users.create(user('ada'), [])
}

async function mailed(store: Store, name: string, { address = 'Ada@example.com', ...more }: Mailed = {}) {
  const instead = mail(randomUUID())
  await store.mails.queue([instead], [])
  const links = [{ link: signInLink(name, more), address, mail: mail(randomUUID()) }]
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
          links: [{ link: signInLink(`n${n}`), address: 'ada@example.com', mail: mail(`m${n}`) }],
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

  storeTest(open, 'no link stays that went to an address of before, whatever came first', async ({ store }) => {
    await withAda(store)
    const addresses = Array.from({ length: 20 }, (_, n) => `ada@${n}.example`)
    for (const [n, email] of ['ada@example.com', ...addresses].entries()) {
      const next = addresses[n]
      if (next === undefined) break
      const base = { tenant: acme, id: 'ada', at: at(2_000), events: [], version: n + 1 }
      const [, changed] = await Promise.all([
        mailed(store, `n${n}`, { address: email }),
        store.users.change({ ...base, claims: { email: next } }),
      ])
      equal(changed, 'changed')
      equal(await find(store, `n${n}`), null, `to ${email}`)
    }
    await mailed(store, 'late', { address: 'ada@example.com' })
    equal(await find(store, 'late'), null)
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
      await mailed(store, 'three', { address: 'ada@elsewhere.example' })
      equal(await store.sweep(at(599_999), 10), 0)
      equal(await store.sweep(at(600_000), 10), 1)
      equal(await find(store, 'three'), null)
    },
  )
}
