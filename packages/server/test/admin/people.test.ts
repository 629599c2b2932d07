/** /v1/users over HTTP: made, found, changed, removed; and what nobody may do to whom. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { databases } from '../feed/feed-deployment.ts'
import { codeIn, everyPage, itemsIn, startAdminDeployment } from './admin-deployment.ts'

const ada = { username: 'Ada', name: 'Ada Lovelace', email: 'ada@example.com' }

for (const database of databases) {
  describe(`people on ${database}`, () => {
    test('somebody is made without a password, read, changed at a version, and removed; each with its event', async () => {
      await using deployment = await startAdminDeployment(database)
      const { call } = deployment
      const made = await call('/v1/users', { json: ada })
      assert.equal(made.status, 201, made.body)
      const { id, created_at: since, ...rest } = made.json()
      assert.deepEqual(rest, { ...ada, disabled: false, must_change_password: false })
      assert.match(String(since), /^\d{4}-/)
      const path = `/v1/users/${String(id)}`
      assert.deepEqual((await call(path)).json(), made.json())
      const based = { 'if-match': String(made.headers['etag']) }
      const changed = await call(path, { method: 'PATCH', json: { disabled: true, name: null }, headers: based })
      assert.equal(changed.status, 200, changed.body)
      assert.deepEqual([changed.json()['disabled'], changed.json()['name']], [true, undefined])
      for (const method of ['PATCH', 'DELETE'])
        assert.equal(
          (await call(path, { method, headers: based, ...(method === 'PATCH' ? { json: {} } : {}) })).status,
          412,
        )
      assert.equal((await call(path, { method: 'DELETE' })).status, 204)
      assert.equal((await call(path)).status, 404)
      const events = itemsIn(await call(`/v1/events?subject=${String(id)}&sort=seq`))
      assert.deepEqual(
        events.map(({ name, actor, data }) => [name, actor, Object.keys(data as object).sort()]),
        [['created'], ['cutoff', 'disabled'], ['cutoff', 'removed']].map((keys) => [
          'admin.user_changed',
          { kind: 'client', id: 'admin' },
          keys,
        ]),
      )
    })

    test('somebody may be made disabled, and is enabled later', async () => {
      await using deployment = await startAdminDeployment(database)
      const { call } = deployment
      const made = await call('/v1/users', { json: { ...ada, disabled: true } })
      assert.equal(made.status, 201, made.body)
      const { id, disabled, disabled_at: since } = made.json()
      assert.deepEqual([disabled, typeof since], [true, 'string'])
      const path = `/v1/users/${String(id)}`
      assert.deepEqual((await call(path)).json(), made.json())
      const based = { 'if-match': String(made.headers['etag']) }
      const enabled = await call(path, { method: 'PATCH', json: { disabled: false }, headers: based })
      assert.deepEqual(
        [enabled.status, enabled.json()['disabled'], enabled.json()['disabled_at']],
        [200, false, undefined],
      )
      const [event] = itemsIn(await call(`/v1/events?subject=${String(id)}&sort=seq`))
      assert.deepEqual(event?.['data'], { created: true, disabled: true })
    })

    test('people are found by name and address, in the order of names, page by page', async () => {
      await using deployment = await startAdminDeployment(database)
      const { call } = deployment
      for (const username of ['zoe', 'Zora', 'zed'])
        assert.equal((await call('/v1/users', { json: { username, email: 'z@example.com' } })).status, 201)
      const names = async (query: string) =>
        (await everyPage(deployment, `/v1/users?${query}`)).map(({ username }) => username)
      assert.deepEqual(await names('username[prefix]=z&limit=2'), ['zed', 'zoe', 'Zora'])
      assert.deepEqual(await names('username[prefix]=ZO'), ['zoe', 'Zora'])
      assert.deepEqual(await names('username=ZORA'), ['Zora'])
      assert.deepEqual(await names('username=zo'), [])
      assert.deepEqual(await names('email=Z@example.com&limit=1'), ['zed', 'zoe', 'Zora'])
      assert.deepEqual(await names('email=z@example.com&username[prefix]=ze'), ['zed'])
      assert.equal((await call('/v1/users?sort=-username')).status, 400)
    })

    test('bad input changes nothing and names the field', async () => {
      await using deployment = await startAdminDeployment(database)
      const { call } = deployment
      assert.equal((await call('/v1/users', { json: ada })).status, 201)
      const bad = [
        [{ username: 'a b' }, 400],
        [{ username: 'eve', email_verified: 'yes' }, 400],
        [{ username: 'eve', unheard_of: 1 }, 400],
        [{ username: 'eve', administrator: 'king' }, 400],
        [{ username: 'ADA' }, 409],
      ] as const
      for (const [json, status] of bad)
        assert.equal((await call('/v1/users', { json })).status, status, JSON.stringify(json))
      assert.deepEqual(itemsIn(await call('/v1/users?username=eve')), [])
    })

    test('a client neither names an administrator nor touches one, whatever its scopes are', async () => {
      await using deployment = await startAdminDeployment(database)
      const { call, it } = deployment
      const owner = { username: 'olga', password: 'battery-horse-staple', claims: {}, administrator: 'support' }
      const named = await it.deployment.authority.admin.users.create(
        { kind: 'operator', id: 'test' },
        'default' as never,
        owner,
      )
      assert.ok(named.kind === 'ok')
      const path = `/v1/users/${named.value.id}`
      const refused = [
        await call('/v1/users', { json: { username: 'eve', administrator: 'auditor' } }),
        await call(path, { method: 'PATCH', json: { name: 'Mine' } }),
        await call(path, { method: 'DELETE' }),
        await call(`${path}/reset-password`, { json: { password: 'battery-horse-mine' } }),
        await call(`${path}/reset-factors`, { json: {} }),
      ]
      assert.deepEqual(
        refused.map((answer) => [answer.status, codeIn(answer)]),
        refused.map(() => [403, 'forbidden']),
      )
      assert.equal((await call(path)).json()['administrator'], 'support')
    })

    test('a password is for the next sign-in; without mail there is no link', async () => {
      await using deployment = await startAdminDeployment(database)
      const { call } = deployment
      const { id } = (await call('/v1/users', { json: ada })).json() as { readonly id: string }
      const reset = (json: object) => call(`/v1/users/${id}/reset-password`, { json: json as never })
      assert.equal((await reset({ password: 'short' })).status, 400)
      assert.equal((await reset({ password: 'battery-horse-staple' })).status, 204)
      assert.equal((await call(`/v1/users/${id}`)).json()['must_change_password'], true)
      const mailed = await reset({})
      assert.equal(mailed.status, 400)
      assert.match(mailed.body, /sends no mail/)
      assert.equal((await call(`/v1/users/${id}/reset-factors`, { json: {} })).status, 204)
    })

    test('another tenant has its own people, and sees nobody of this one', async () => {
      await using deployment = await startAdminDeployment(database)
      const { call } = deployment
      const { id } = (await call('/v1/users', { json: ada })).json() as { readonly id: string }
      assert.deepEqual(itemsIn(await call('/v1/users', {}, '/t/acme')), [])
      const path = `/v1/users/${id}`
      for (const method of ['GET', 'PATCH', 'DELETE'])
        assert.equal((await call(path, { method, ...(method === 'PATCH' ? { json: {} } : {}) }, '/t/acme')).status, 404)
      assert.equal((await call(path)).status, 200)
    })
  })
}
