/** ETags of the admin API: whatever is shown of a resource changes it, wherever that is kept. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { builtInScopes } from '@grantor/protocol/oauth'
import { databases, machine, operator, startFeedDeployment } from '../feed/feed-deployment.ts'
import { granted } from '../feed/granted.ts'
import type { CallAnswer, CallOptions } from '../feed/https-client.ts'
import { itemsIn } from './admin-deployment.ts'

const scope = builtInScopes
  .map(({ name }) => name)
  .filter((name) => name.startsWith('admin:'))
  .join(' ')
const staff = 'https://staff.example/v1'
const in2030 = Date.parse('2030-01-01T00:00:00.000Z')

for (const database of databases) {
  describe(`ETags on ${database}`, async () => {
    const it = await startFeedDeployment(database)
    after(() => it[Symbol.asyncDispose]())
    const applied = await it.deployment.authority.admin.declared.apply(operator, {
      clients: [machine('robot', scope)],
      resources: [{ identifier: staff, require_roles: true }],
      scopes: [{ name: 'staff:read', description: 'See staff', resource: staff }],
      roles: ['viewer', 'writer'].map((name) => ({ name, resource: staff, scopes: ['staff:read'] })),
    })
    assert.ok(applied.kind === 'ok', JSON.stringify(applied))
    const token = await it.token('robot', { scope })
    const call = (path: string, how: CallOptions = {}): Promise<CallAnswer> =>
      it.ask(path, { ...how, headers: { authorization: `Bearer ${token}`, ...how.headers } })
    const tagOf = (answer: CallAnswer) => String(answer.headers['etag'])
    const done = async (path: string, how: CallOptions): Promise<CallAnswer> => {
      const answer = await call(path, how)
      assert.ok(answer.status < 300, `${path}: ${answer.body}`)
      return answer
    }
    const ifNoneMatch = (path: string, tag: string) => call(path, { headers: { 'if-none-match': tag } })
    const patched = (path: string, tag: string, json: Record<string, string>) =>
      call(path, { method: 'PATCH', json, headers: { 'if-match': tag } })

    /** Shown anew after the act, under another tag. */
    async function isNoticed(path: string, act: () => Promise<unknown>): Promise<Record<string, unknown>> {
      const before = tagOf(await call(path))
      assert.equal((await ifNoneMatch(path, before)).status, 304, path)
      await act()
      const now = await ifNoneMatch(path, before)
      assert.equal(now.status, 200, `${path}: ${now.headers['etag']}`)
      assert.notEqual(tagOf(now), before, path)
      assert.equal((await ifNoneMatch(path, tagOf(now))).status, 304, path)
      return now.json()
    }

    test('of a person change with their groups and roles; what was decided on the old one is refused', async () => {
      const person = await done('/v1/users', { json: { username: 'gus', roles: ['writer'] } })
      const path = `/v1/users/${String(person.json()['id'])}`
      assert.equal(tagOf(await call(path)), tagOf(person), 'made and read are one')
      const made = await done('/v1/groups', { json: { name: 'Staff' } })
      const group = `/v1/groups/${String(made.json()['id'])}`
      const first = tagOf(person)
      const add = { add: [String(person.json()['id'])] }
      const joined = await isNoticed(path, () => done(`${group}/change-members`, { json: add }))
      assert.deepEqual(joined['groups'], ['Staff'])
      assert.equal((await patched(path, first, { name: 'Gus' })).status, 412)
      const renamed = await isNoticed(path, () => done(group, { method: 'PATCH', json: { name: 'People' } }))
      assert.deepEqual(renamed['groups'], ['People'])
      const given = await isNoticed(path, () => done(group, { method: 'PATCH', json: { roles: ['viewer'] } }))
      assert.deepEqual(given['all_roles'], ['viewer', 'writer'])
      const dropped = await isNoticed(path, () => done('/v1/roles/writer', { method: 'DELETE' }))
      assert.deepEqual([dropped['roles'], dropped['all_roles']], [undefined, ['viewer']])
      const changed = await patched(path, tagOf(await call(path)), { name: 'Gus' })
      assert.deepEqual([changed.status, changed.json()['name']], [200, 'Gus'])
      assert.equal(tagOf(await call(path)), tagOf(changed))
      const gone = await call(path, { method: 'DELETE', headers: { 'if-match': tagOf(changed) } })
      assert.equal(gone.status, 204)
    })

    test('of a group change with the roles that it loses', async () => {
      await done('/v1/roles', { json: { name: 'editor', resource: staff, scopes: ['staff:read'] } })
      const made = await done('/v1/groups', { json: { name: 'Editors', roles: ['editor'] } })
      const path = `/v1/groups/${String(made.json()['id'])}`
      assert.equal(tagOf(await call(path)), tagOf(made))
      const left = await isNoticed(path, () => done('/v1/roles/editor', { method: 'DELETE' }))
      assert.deepEqual(left['roles'], [])
      const changed = await patched(path, tagOf(await call(path)), { description: 'They edit' })
      assert.equal(changed.status, 200, changed.body)
      assert.equal((await patched(path, tagOf(made), { description: 'They did' })).status, 412)
    })

    test('of a client change with its secrets, and stay while it is used: it could never be changed else', async () => {
      const path = '/v1/clients/other'
      const used = await call(path)
      await it.tamper(
        `insert into client_uses (tenant, client_id, last_used_at) values ('default', 'other', ${in2030})`,
      )
      const now = await call(path)
      assert.deepEqual([now.json()['last_used_at'], tagOf(now)], ['2030-01-01T00:00:00.000Z', tagOf(used)])
      const swept = await isNoticed(path, () => it.tamper(`delete from client_secrets where client = 'other'`))
      assert.deepEqual(swept['secrets'], [])
      const changed = await patched(path, tagOf(await call(path)), { client_name: 'Other' })
      assert.equal(changed.status, 200, changed.body)
      assert.equal(tagOf(await call(path)), tagOf(changed))
    })

    test('of a webhook change when it begins to fail', async () => {
      const made = await done('/v1/webhooks', { json: { url: 'https://hooks.example/', events: ['client.*'] } })
      const path = `/v1/webhooks/${String(made.json()['id'])}`
      assert.equal(tagOf(await call(path)), tagOf(made), 'its secret is none of it')
      const failing = await isNoticed(path, () => it.tamper(`update event_receivers set failing_since = ${in2030}`))
      assert.equal(failing['failing_since'], '2030-01-01T00:00:00.000Z')
      const changed = await patched(path, tagOf(await call(path)), { description: 'Tells the shop' })
      assert.equal(changed.status, 200, changed.body)
    })

    test('of a provider change when it fails to answer, and not when it is asked', async () => {
      const signals = { signals_url: 'https://okta.example/poll', signals_authorization: 'Bearer x' }
      const json = { kind: 'oidc', name: 'Okta', issuer: 'https://okta.example', client_id: 'us', client_secret: 's3' }
      const made = await done('/v1/providers', { json: { ...json, ...signals } })
      const path = `/v1/providers/${String(made.json()['id'])}`
      const inTurn = (set: string) => it.tamper(`update signal_polls set turn = turn + 1, next_at = ${in2030}, ${set}`)
      // It is asked at once, and is not there: what came of that counts no more.
      await inTurn('asked_at = null, failing_since = null, error = null')
      const before = await call(path)
      await inTurn(`asked_at = ${in2030}`)
      const asked = await call(path)
      assert.deepEqual([asked.json()['signals_asked_at'], tagOf(asked)], ['2030-01-01T00:00:00.000Z', tagOf(before)])
      const failing = await isNoticed(path, () => inTurn(`failing_since = ${in2030}, error = 'timeout'`))
      assert.equal(failing['signals_error'], 'timeout')
      const changed = await patched(path, tagOf(await call(path)), { name: 'Okta here' })
      assert.equal(changed.status, 200, changed.body)
      assert.equal(typeof changed.json()['signals_error'], 'string')
      // With the change it was asked again.
      await inTurn(`failing_since = ${in2030}`)
      const last = { 'if-match': tagOf(await call(path)) }
      const gone = await call(path, { method: 'DELETE', headers: last })
      assert.equal(gone.status, 204, gone.body)
    })

    test('of a grant change with what it still allows', async () => {
      await granted(it)
      const [grant] = itemsIn(await call('/v1/grants'))
      const narrowed = await isNoticed(`/v1/grants/${grant?.id ?? ''}`, () =>
        it.tamper(`update grants set scope = 'openid'`),
      )
      assert.equal(narrowed['scope'], 'openid')
    })

    test('of a setting are those of its value and where it came from', async () => {
      await using other = await startFeedDeployment(database, { GRANTOR_LEEWAY: '7s' })
      const named = await other.deployment.authority.admin.declared.apply(operator, {
        clients: [machine('robot', scope)],
      })
      assert.ok(named.kind === 'ok', JSON.stringify(named))
      const bearer = { authorization: `Bearer ${await other.token('robot', { scope })}` }
      const of = async (id: string) => [
        tagOf(await call(`/v1/settings/${id}`)),
        tagOf(await other.ask(`/v1/settings/${id}`, { headers: bearer })),
      ]
      const [here, there] = await of('leeway')
      assert.notEqual(here, there)
      const [same, asThere] = await of('key.rotation')
      assert.equal(same, asThere)
    })
  })
}
