/** /v1/users/{id}/sign-in-methods over HTTP: seen without secrets, removed one by one, by whoever may. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { localPeople } from '@grantor/authority'
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'
import { databases, operator } from '../feed/feed-deployment.ts'
import { itemsIn, startAdminDeployment } from './admin-deployment.ts'

const tenant = 'default' as TenantId
const at = 1_800_000_000_000 as Instant

for (const database of databases) {
  describe(`sign-in methods on ${database}`, async () => {
    const it = await startAdminDeployment(database)
    const { call } = it
    const { store, authority } = it.it.deployment
    const enrol = async (subject: string) => {
      const person = { tenant, subject, createdAt: at, lastUsedAt: null }
      const totp = { ...person, sealedSecret: Buffer.from('zz9canary-totp'), lastStep: 1 }
      const codes = ['a', 'b'].map((name) => `${subject} ${name}` as Handle)
      assert.equal(await store.factors.addTotp(totp, codes, []), 'added')
      const publicKey = Buffer.from('zz9canary-key')
      const passkey = { ...person, id: `key of ${subject}`, name: '<b>Phone</b>', publicKey, counter: 0 }
      assert.equal(await store.factors.addPasskey({ ...passkey, transports: [], synced: true }, null, []), 'added')
      const until = { lastUsedAt: at, expiresAt: (at + 1000) as Instant }
      const browser = { ...person, ...until, id: `browser of ${subject}`, handle: `h ${subject}` as Handle }
      assert.equal(
        await store.factors.rememberBrowser({ ...browser, userAgent: 'Agent (X11; Linux) Firefox/140.0' }, []),
        'remembered',
      )
    }
    const idOf = async (username: string): Promise<string> =>
      itemsIn(await call(`/v1/users?username=${username}`))[0]?.id ?? ''
    const methodsOf = async (id: string) => (await call(`/v1/users/${id}/sign-in-methods`)).json()
    const remove = (id: string, json: Readonly<Record<string, string>>) =>
      call(`/v1/users/${id}/remove-sign-in-method`, { json })

    test('all that somebody signs in with is told, and nothing that one could sign in with', async () => {
      const id = await idOf('alice')
      await enrol(id)
      const answer = await call(`/v1/users/${id}/sign-in-methods`)
      assert.equal(answer.status, 200, answer.body)
      assert.equal(answer.headers['cache-control'], 'no-store')
      const { password, ...rest } = answer.json() as { password: { must_change: boolean } }
      assert.equal(password.must_change, false)
      const since = new Date(at).toISOString()
      assert.deepEqual(rest, {
        passkeys: [{ id: `key of ${id}`, name: '<b>Phone</b>', synced: true, created_at: since }],
        totp: { created_at: since },
        recovery_codes: 2,
        providers: [],
        remembered_browsers: [
          {
            id: `browser of ${id}`,
            user_agent: 'Agent (X11; Linux) Firefox/140.0',
            device: 'Firefox · Linux',
            created_at: since,
            expires_at: new Date(at + 1000).toISOString(),
          },
        ],
      })
      for (const secret of ['zz9canary', 'argon2', `h ${id}`, `${id} a`])
        assert.ok(!answer.body.includes(secret), secret)
      assert.equal((await call(`/v1/users/${id}/sign-in-methods`, {}, '/t/acme')).status, 404)
      assert.equal((await call('/v1/users/nobody/sign-in-methods')).status, 404)
    })

    test('each is removed by itself, once, with an event that names who did it', async () => {
      const id = await idOf('bob')
      await enrol(id)
      const steps: readonly (readonly [Readonly<Record<string, string>>, object])[] = [
        [{ method: 'remembered_browser', id: `browser of ${id}` }, { remembered_browsers: [] }],
        [{ method: 'recovery_codes' }, { recovery_codes: 0 }],
        [{ method: 'passkey', id: `key of ${id}` }, { passkeys: [] }],
        [{ method: 'totp' }, { totp: null }],
        [{ method: 'password' }, { password: null }],
      ]
      for (const [json, left] of steps) {
        const before = await methodsOf(id)
        assert.equal((await remove(id, json)).status, 204, JSON.stringify(json))
        assert.deepEqual(await methodsOf(id), { ...before, ...left })
        assert.equal((await remove(id, json)).status, 404, `${JSON.stringify(json)} is gone`)
      }
      const events = itemsIn(await call(`/v1/events?subject=${id}&sort=seq`))
        .filter(({ actor }) => JSON.stringify(actor) === '{"kind":"client","id":"admin"}')
        .map(({ name, data }) => [name, (data as Record<string, unknown>)['factor'] ?? null])
      assert.deepEqual(events, [
        ['browser.forgotten', null],
        ['factor.removed', 'recovery_codes'],
        ['factor.removed', 'passkey'],
        ['factor.removed', 'totp'],
        ['admin.user_changed', null],
      ])
    })

    test('who somebody is at another provider is told without the name there, and taken away once', async () => {
      const id = await idOf('alice')
      const name = { provider: 'google', issuer: 'https://accounts.example', upstreamSubject: 'zz9canary-1' }
      const linked = { tenant, subject: id, ...name, createdAt: at }
      assert.equal(await store.identities.link(linked, []), 'linked')
      const answer = await call(`/v1/users/${id}/sign-in-methods`)
      const since = new Date(at).toISOString()
      assert.deepEqual(answer.json()['providers'], [{ id: 'google', issuer: name.issuer, created_at: since }])
      assert.ok(!answer.body.includes('zz9canary'))
      assert.equal((await remove(id, { method: 'provider' })).status, 400)
      assert.equal((await remove(id, { method: 'provider', id: 'other' })).status, 404)
      assert.equal((await remove(id, { method: 'provider', id: 'google' })).status, 204)
      assert.deepEqual((await methodsOf(id))['providers'], [])
      assert.equal((await remove(id, { method: 'provider', id: 'google' })).status, 404)
    })

    test('a removed password signs nobody in, and what it opened is shut', async () => {
      const id = await idOf('dave')
      const people = localPeople(store, { now: () => Date.now() as Instant, margin: 0, until: async () => {} })
      const proof = () => people.byPassword(tenant, 'dave', 'correct-horse')
      assert.equal((await proof()).person?.id, id)
      assert.equal((await remove(id, { method: 'password' })).status, 204)
      assert.equal((await proof()).person, null)
    })

    test('bad input, the methods of somebody else and those of administrators are left alone', async () => {
      const [alice, carol] = [await idOf('alice'), await idOf('carol')]
      const before = await methodsOf(alice)
      const refused: readonly (readonly [string, Readonly<Record<string, string>>, number])[] = [
        [alice, {}, 400],
        [alice, { method: 'passkey' }, 400],
        [alice, { method: 'totp', id: 'x' }, 400],
        [alice, { method: 'everything' }, 400],
        [alice, { method: 'passkey', id: 'x' }, 404],
        [carol, { method: 'passkey', id: `key of ${alice}` }, 404],
        [carol, { method: 'remembered_browser', id: `browser of ${alice}` }, 404],
        [carol, { method: 'totp' }, 404],
        ['nobody', { method: 'totp' }, 404],
      ]
      for (const [id, json, status] of refused)
        assert.equal((await remove(id, json)).status, status, JSON.stringify(json))
      const elsewhere = await call(`/v1/users/${alice}/remove-sign-in-method`, { json: { method: 'totp' } }, '/t/acme')
      assert.equal(elsewhere.status, 404)
      const named = { username: 'alice', administrator: 'auditor' }
      const { users } = authority.admin
      assert.equal((await users.setAdministrator(operator, tenant, named)).kind, 'ok')
      assert.equal((await remove(alice, { method: 'totp' })).status, 403, 'no client touches an administrator')
      assert.deepEqual(await methodsOf(alice), before)
    })

    after(() => it[Symbol.asyncDispose]())
  })
}
