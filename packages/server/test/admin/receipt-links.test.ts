/** Every call that revokes says where its receipt is: a Link with the relation `status` (RFC 8631). */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '@grantor/protocol/types'
import { defaultTenant } from '../../src/issuer.ts'
import { databases, eventually, verdictOf } from '../feed/feed-deployment.ts'
import { granted } from '../feed/granted.ts'
import type { CallAnswer } from '../feed/https-client.ts'
import { type AdminDeployment, type Item, itemsIn, startAdminDeployment } from './admin-deployment.ts'

const linkIn = ({ headers }: CallAnswer): string | null =>
  /^<([^>]+)>; rel="status"$/.exec(String(headers['link']))?.[1] ?? null

/** The one receipt that it leads to, also at its own address. */
async function receiptOf({ call }: AdminDeployment, answer: CallAnswer, tenant = ''): Promise<Item> {
  const link = linkIn(answer) ?? ''
  assert.ok(link.startsWith(`${tenant}/v1/revocations?`), `${answer.status} ${link}`)
  const [one, ...more] = itemsIn(await call(link.slice(tenant.length), {}, tenant))
  assert.ok(one !== undefined && more.length === 0, link)
  assert.equal((await call(`/v1/revocations/${one.id}`, {}, tenant)).json()['id'], one.id)
  return one
}

for (const database of databases) {
  describe(`links to receipts on ${database}`, () => {
    test('whatever ends access leads to its receipt, and what ends none to nothing', async () => {
      await using deployment = await startAdminDeployment(database)
      const { call, it } = deployment
      const alice = (await it.deployment.store.users.byUsername(defaultTenant, 'alice'))?.id ?? ''
      const first = async (path: string) => itemsIn(await call(`${path}?subject=${alice}`))[0]?.id ?? ''
      const ofGrant = async (path: string) => {
        await granted(it)
        return `${path}/${await first(path)}`
      }
      const patched = (path: string, json: JsonObject) => call(path, { method: 'PATCH', json })
      const cases: readonly (readonly [string, () => Promise<CallAnswer>, string])[] = [
        ['a grant', async () => call(await ofGrant('/v1/grants'), { method: 'DELETE' }), 'grant.revoked'],
        ['a consent', async () => call(await ofGrant('/v1/consents'), { method: 'DELETE' }), 'grant.revoked'],
        ['a session', async () => call(await ofGrant('/v1/sessions'), { method: 'DELETE' }), 'session.ended'],
        [
          'all of a person',
          async () => {
            await granted(it)
            return call('/v1/grants/revoke', { json: { subject: alice } })
          },
          'grant.revoked',
        ],
        ['a person disabled', () => patched(`/v1/users/${alice}`, { disabled: true }), 'admin.user_changed'],
        ['a client disabled', () => patched('/v1/clients/web', { disabled: true }), 'client.updated'],
        ['a client', () => call('/v1/clients/web', { method: 'DELETE' }), 'client.deleted'],
        ['a person', () => call(`/v1/users/${alice}`, { method: 'DELETE' }), 'admin.user_changed'],
      ]
      for (const [what, act, name] of cases) {
        const answer = await act()
        assert.ok(answer.status < 300, `${what}: ${answer.body}`)
        assert.equal((await receiptOf(deployment, answer))['name'], name, what)
      }
      const bob = (await it.deployment.store.users.byUsername(defaultTenant, 'bob'))?.id ?? ''
      assert.equal(linkIn(await patched(`/v1/users/${bob}`, { name: 'Bob' })), null)
      assert.equal(linkIn(await call('/v1/grants/revoke', { json: { subject: bob } })), null)
    })

    test('the receipt that a link leads to is complete once every validator has heard', async () => {
      await using deployment = await startAdminDeployment(database)
      const { call, it } = deployment
      const { token } = await granted(it)
      const validator = it.validator()
      await eventually(async () => (await verdictOf(validator, token)) === 'accepted', 'a living token')
      const [grant] = itemsIn(await call('/v1/grants'))
      const answer = await call(`/v1/grants/${grant?.id}`, { method: 'DELETE' })
      await eventually(async () => {
        const { validators, acknowledged, waiting } = await receiptOf(deployment, answer)
        return validators === 1 && acknowledged === 1 && waiting === 0
      }, 'its receipt')
    })
  })
}

test('whoever takes access back on their own account is told what became of it; nobody else is', async () => {
  await using deployment = await startAdminDeployment()
  const { it } = deployment
  const { token, person } = await granted(it)
  const bob = (await granted(it, 'bob')).person
  const validator = it.validator()
  await eventually(async () => (await verdictOf(validator, token)) === 'accepted', 'a living token')
  const accountOf = async (of: typeof person) => {
    const account = (await of.authority.browser.accounts(of.visitor())).at(-1)
    assert.ok(account !== undefined)
    return account
  }
  const { account: acts } = person.authority.browser
  const alice = await accountOf(person)
  assert.equal(await acts.newestReceipt(alice), null)
  await acts.disconnect('web', alice, person.visitor())
  await eventually(async () => (await acts.newestReceipt(alice))?.validators === 1, 'its receipt')
  assert.deepEqual(await acts.newestReceipt(alice), { validators: 1, stopsWithin: 0 })
  assert.equal(await acts.newestReceipt(await accountOf(bob)), null)
})

test('in a tenant the link stays in it; whoever may revoke may look, and nobody else', async () => {
  await using deployment = await startAdminDeployment()
  const { call, it, as } = deployment
  const made = await call('/v1/clients', { json: { redirect_uris: ['https://a.example/cb'] } }, '/t/acme')
  const path = `/v1/clients/${String(made.json()['id'])}`
  const answer = await call(path, { method: 'DELETE' }, '/t/acme')
  assert.equal((await receiptOf(deployment, answer, '/t/acme'))['name'], 'client.deleted')
  const foreign = linkIn(answer)?.slice('/t/acme'.length) ?? ''
  assert.deepEqual(itemsIn(await call(foreign)), [])
  for (const [scope, status] of [
    ['admin:grants:write', 200],
    ['admin:sessions:write', 200],
    ['admin:events:read', 200],
    ['admin:grants:read', 401],
  ] as const)
    assert.equal((await it.ask('/v1/revocations', { headers: await as('admin', scope) })).status, status, scope)
  const { paths } = (await it.ask('/openapi.json')).json() as {
    readonly paths: Record<string, Record<string, { responses: Record<string, { headers?: object }> }>>
  }
  for (const [at, method, status] of [
    ['/v1/grants/{id}', 'delete', '204'],
    ['/v1/consents/{id}', 'delete', '202'],
    ['/v1/sessions/{id}', 'delete', '204'],
    ['/v1/api-keys/{id}', 'delete', '204'],
    ['/v1/grants/revoke', 'post', '200'],
    ['/v1/users/{id}', 'patch', '200'],
  ] as const)
    assert.ok(Object.hasOwn(paths[at]?.[method]?.responses[status]?.headers ?? {}, 'Link'), `${method} ${at}`)
})
