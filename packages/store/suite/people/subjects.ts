/** The ids of people and of clients are the subjects of tokens: nobody and nothing shares one. */
import { deepEqual, equal } from 'node:assert/strict'
import { acme, at, change, client, event, other, user } from '../samples.ts'
import { logged, type OpenEngine, storeTest } from '../store-test.ts'

export function subjectSuite(open: OpenEngine): void {
  storeTest(open, 'a client cannot have the id of a person, whoever makes it', async ({ store }) => {
    await store.directory.apply([change(), change({ tenant: other })])
    equal(await store.users.create(user('ada'), []), 'created')
    equal(await store.clients.create(client('ada'), [event('client.registered')]), 'subject-of-person')
    const registration = { client: client('ada', { origin: 'dynamic' }), most: 10, token: null, at: at(1), events: [] }
    equal(await store.registrations.register(registration), 'subject-of-person')
    const revision = (await store.directory.catalogue(acme))?.tenant.revision ?? 0
    const declared = change({ expected: revision, createClients: [client('ada')] })
    equal(await store.directory.apply([declared]), 'changed-meanwhile')
    equal(await store.clients.find(acme, 'ada'), null)
    equal((await logged(store, acme)).includes('client.registered'), false)
    // Another tenant is another issuer: its subjects are its own.
    equal(await store.clients.create(client('ada', { tenant: other }), []), 'created')
  })

  storeTest(open, 'a person cannot have the id of a client, whoever makes them', async ({ store }) => {
    await store.directory.apply([change()])
    equal(await store.clients.create(client('web'), []), 'created')
    equal(await store.users.create(user('web'), [event('admin.user_changed')]), 'exists')
    const revision = (await store.directory.catalogue(acme))?.tenant.revision ?? 0
    const declared = change({ expected: revision, createUsers: [user('web')] })
    equal(await store.directory.apply([declared]), 'changed-meanwhile')
    const together = change({ expected: revision, createClients: [client('both')], createUsers: [user('both')] })
    equal(await store.directory.apply([together]), 'changed-meanwhile')
    equal(await store.users.byId(acme, 'web'), null)
    deepEqual([await store.users.byId(acme, 'both'), await store.clients.find(acme, 'both')], [null, null])
    equal((await logged(store, acme)).includes('admin.user_changed'), false)
  })

  storeTest(open, 'of a person and a client made at once under one id, one is made', async ({ store }) => {
    await store.directory.apply([change()])
    for (let round = 0; round < 10; round++) {
      const id = `name-${round}`
      const outcomes = await Promise.all([
        ...[1, 2, 3].map((n) => store.clients.create(client(id), n === 1 ? [event('client.registered')] : [])),
        ...[1, 2, 3].map((n) => store.users.create(user(id, { username: `${id}-${n}` }), [])),
      ])
      equal(outcomes.filter((outcome) => outcome === 'created').length, 1, outcomes.join(' '))
    }
    deepEqual(await store.clients.namedAsPeople(), [])
  })

  storeTest(
    open,
    'who is an administrator is kept, found, and changed like the rest of a person',
    async ({ store }) => {
      await store.directory.apply([change(), change({ tenant: other })])
      equal(await store.users.hasAdministrator(acme, 'operator'), false)
      await store.users.create(user('ada', { administrator: 'operator', mustChangePassword: true }), [])
      const found = await store.users.byId(acme, 'ada')
      deepEqual([found?.administrator, found?.mustChangePassword], ['operator', true])
      deepEqual(
        [await store.users.hasAdministrator(acme, 'operator'), await store.users.hasAdministrator(other, 'operator')],
        [true, false],
      )
      const base = { tenant: acme, id: 'ada', at: at(5_000), events: [] }
      // The same password hashed better is still the one that must be changed.
      await store.users.change({ ...base, version: 1, passwordHash: 'better', samePassword: true })
      equal((await store.users.byId(acme, 'ada'))?.mustChangePassword, true)
      await store.users.change({ ...base, version: 2, passwordHash: 'new', administrator: null })
      const changed = await store.users.byId(acme, 'ada')
      deepEqual([changed?.administrator, changed?.mustChangePassword], [null, false])
      equal(await store.users.hasAdministrator(acme, 'operator'), false)
      await store.users.change({ ...base, version: 3, passwordHash: 'made for her', mustChangePassword: true })
      equal((await store.users.byId(acme, 'ada'))?.mustChangePassword, true)
    },
  )
}
