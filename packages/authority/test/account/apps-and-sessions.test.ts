/** What people see and end on their account pages, more of it than a page holds: sessions, and apps with access. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  asking,
  databases,
  declaration,
  declare,
  type Deployment,
  machine,
  openDeployment,
} from '../support/deployment.ts'
import { Enrolling } from '../support/enrolled-person.ts'
import { authorizeQuery, declarePeople, redemption, redirectUri } from '../support/person.ts'

const appIds = (count: number) => Array.from({ length: count }, (_, n) => `app-${String(n).padStart(2, '0')}`)

async function withApps(deployment: Deployment, count: number): Promise<Enrolling> {
  await declarePeople(deployment)
  const web = (id: string) => ({
    ...machine(id, 'openid profile offline_access invoices:read invoices:write'),
    client_name: `The ${id}`,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: [redirectUri],
  })
  await declare(deployment, { ...declaration, clients: [...declaration.clients, ...appIds(count).map(web)] })
  const person = new Enrolling(deployment)
  await person.enter()
  return person
}

for (const database of databases)
  describe(`one's own account on ${database}`, () => {
    test('sessions come by pages, the own one first on the first; all others end together', async () => {
      const deployment = await openDeployment(database)
      await declarePeople(deployment)
      const own = deployment.authority.browser.account
      const alice = new Enrolling(deployment)
      await alice.enter()
      const bob = new Enrolling(deployment)
      await bob.enter('bob', 'battery-staple')
      const others: Enrolling[] = []
      for (let n = 0; n < 21; n += 1) {
        deployment.clock += 1000
        const other = alice.elsewhere()
        await other.enter()
        others.push(other)
      }
      const account = await alice.account()
      const first = await own.sessions(account, null)
      assert.equal(first.sessions[0]?.id, account.session.id)
      assert.equal(first.sessions.length, 21, 'twenty beside the own one, which is older')
      const second = await own.sessions(account, first.older)
      assert.equal(second.older, null)
      const seen = [...first.sessions, ...second.sessions].map(({ id }) => id)
      assert.equal(new Set(seen).size, 22)
      assert.equal(seen.length, 22, 'none comes twice')
      for (const nonsense of ['', 'x', '0.abc', '-1.abc', `${'9'.repeat(16)}.abc`, '1.a b', `1.${'x'.repeat(65)}`])
        assert.deepEqual(await own.sessions(account, nonsense), first, nonsense)
      const newest = others.at(-1) ?? assert.fail()
      await own.endSession((await newest.account()).session.id, account, alice.visitor())
      assert.equal((await newest.authority.browser.accounts(newest.visitor())).length, 0)
      await own.endOtherSessions(account, alice.visitor())
      const left = await own.sessions(account, null)
      assert.deepEqual([left.sessions.map(({ id }) => id), left.older], [[account.session.id], null])
      assert.ok(await alice.account())
      assert.ok(await bob.account(), 'nobody else is signed out')
      await own.endSession((await bob.account()).session.id, account, alice.visitor())
      assert.ok(await bob.account(), 'another person’s session cannot be named')
    })

    test('more sessions than are ended in one go all end', async () => {
      const deployment = await openDeployment(database)
      await declarePeople(deployment)
      const alice = new Enrolling(deployment)
      await alice.enter()
      const account = await alice.account()
      const { store, ports } = deployment
      const { tenant } = account.session
      const passwordSeen = (await store.users.byId(tenant, account.person.id))?.passwordChangedAt ?? null
      const started = await Promise.all(
        Array.from({ length: 205 }, (_, n) =>
          store.sessions.start(
            { ...account.session, id: `s${n}`, handle: ports.ids.handleOf(`s${n}`), passwordSeen },
            null,
            [],
          ),
        ),
      )
      assert.deepEqual(new Set(started), new Set(['started']))
      const own = deployment.authority.browser.account
      await own.endOtherSessions(account, alice.visitor())
      const page = { now: ports.clock.now(), before: null, limit: 1000 }
      const living = await store.sessions.livingOf(tenant, account.person.id, page)
      assert.deepEqual(
        living.map(({ id }) => id),
        [account.session.id],
      )
    })

    test('apps come by pages with what they may do and when they were used; all are disconnected together', async () => {
      const deployment = await openDeployment(database)
      const alice = await withApps(deployment, 21)
      const { authority } = deployment
      const own = authority.browser.account
      const begun = deployment.clock
      for (const id of appIds(21)) {
        deployment.clock += 1000
        await alice.code(authorizeQuery({ client_id: id, scope: 'openid invoices:read offline_access' }))
      }
      const used = 'app-00'
      deployment.clock = begun + 60_000
      for (const scope of ['openid invoices:write offline_access', 'openid invoices:read offline_access']) {
        const code = await alice.code(authorizeQuery({ client_id: used, scope, prompt: 'consent' }))
        assert.ok((await authority.token(asking(redemption(code), { as: used }))).kind === 'ok')
        deployment.clock += 60_000
      }
      const account = await alice.account()
      const first = await own.apps(account, null)
      const second = await own.apps(account, first.further)
      assert.deepEqual([first.apps.length, second.apps.length, second.further], [20, 1, null])
      assert.equal(new Set([...first.apps, ...second.apps].map(({ clientId }) => clientId)).size, 21)
      const [newest, next] = first.apps
      assert.equal(newest?.clientId, used, 'the one that was given access last comes first')
      assert.deepEqual(
        [newest.name, newest.firstUsedAt, newest.lastUsedAt, newest.scope.has('invoices:write')],
        ['The app-00', begun + 60_000, begun + 120_000, true],
      )
      assert.deepEqual([next?.firstUsedAt, next?.lastUsedAt, next?.scope.has('invoices:write')], [null, null, false])
      assert.deepEqual(next?.resources, ['https://api.example'])
      await own.disconnect(used, account, alice.visitor())
      const left = await own.apps(account, null)
      assert.deepEqual([left.apps.length, left.further], [20, null])
      assert.ok(!left.apps.some(({ clientId }) => clientId === used))
      await own.disconnectAll(account, alice.visitor())
      assert.deepEqual(await own.apps(account, null), { apps: [], further: null })
    })
  })
