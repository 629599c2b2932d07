/** Filters of a list are a conjunction: whatever two of them are given, every item fits both, and none that does is missing. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { builtInScopes } from '@grantor/protocol/oauth'
import type { JsonObject } from '@grantor/protocol/types'
import { databases, machine, operator, startFeedDeployment } from '../feed/feed-deployment.ts'
import type { CallAnswer, CallOptions } from '../feed/https-client.ts'
import { codeIn, itemsIn } from './admin-deployment.ts'

const scope = builtInScopes
  .map(({ name }) => name)
  .filter((name) => name.startsWith('admin:'))
  .join(' ')
const staff = 'https://staff.example/v1'

for (const database of databases) {
  describe(`filters together on ${database}`, async () => {
    const it = await startFeedDeployment(database)
    after(() => it[Symbol.asyncDispose]())
    const applied = await it.deployment.authority.admin.declared.apply(operator, {
      clients: [machine('robot', scope)],
      resources: [{ identifier: staff, require_roles: true }],
      scopes: [{ name: 'staff:read', description: 'See staff', resource: staff }],
      roles: [{ name: 'viewer', resource: staff, scopes: ['staff:read'] }],
    })
    assert.ok(applied.kind === 'ok', JSON.stringify(applied))
    const token = await it.token('robot', { scope })
    const call = (path: string, how: CallOptions = {}): Promise<CallAnswer> =>
      it.ask(path, { ...how, headers: { authorization: `Bearer ${token}`, ...how.headers } })
    const made = async (noun: string, json: JsonObject): Promise<string> => {
      const answer = await call(`/v1/${noun}`, { json })
      assert.equal(answer.status, 201, answer.body)
      return String(answer.json()['id'])
    }
    const home = 'home@example.com'
    const anna = await made('users', { username: 'anna', email: home, roles: ['viewer'] })
    const ann = await made('users', { username: 'Ann', email: home, roles: ['viewer'] })
    const ben = await made('users', { username: 'ben', email: home })
    const out = await made('users', { username: 'an-outsider', email: home })
    const eu = await made('groups', { name: 'Sales-EU', external_id: 'e-1' })
    const us = await made('groups', { name: 'Sales-US', roles: ['viewer'], external_id: 'e-1' })
    // Its name is the beginning of the others, and its id comes after theirs.
    const sales = await made('groups', { name: 'Sales', roles: ['viewer'] })
    for (const [group, add] of [
      [sales, [anna, ann, ben]],
      [eu, [anna, ben]],
      [us, [ben]],
    ] as const)
      assert.equal((await call(`/v1/groups/${group}/change-members`, { json: { add } })).status, 204)

    /** Page by page, and all at once. */
    async function names(path: string, field: string): Promise<readonly string[]> {
      const whole = itemsIn(await call(path)).map((item) => String(item[field]))
      const paged: string[] = []
      for (let next: string | undefined = `${path}&limit=1`; next !== undefined;) {
        const page: CallAnswer = await call(next)
        paged.push(...itemsIn(page).map((item) => String(item[field])))
        next = page.json()['next'] as string | undefined
      }
      assert.deepEqual(paged, whole, `${path}, in pages`)
      return whole.toSorted((one, another) => (one < another ? -1 : 1))
    }

    for (const [query, expected] of [
      [`group_id=${sales}&username=ANN`, ['Ann']],
      [`group_id=${sales}&username=an-outsider`, []],
      [`group_id=${eu}&username=ann`, []],
      [`group_id=${eu}&email=${home}`, ['anna', 'ben']],
      [`group_id=${eu}&email=none@example.com`, []],
      [`group_id=${eu}&email=${home}&username=ben`, ['ben']],
      [`role=viewer&username=anna`, ['anna']],
      [`role=viewer&username=ben`, []],
      [`role=viewer&email=${home}`, ['Ann', 'anna']],
      [`role=viewer&group_id=${eu}`, ['anna']],
      [`role=viewer&group_id=${eu}&username=anna`, ['anna']],
      [`role=viewer&group_id=${eu}&username=ann`, []],
      [`username=ann&email=${home}`, ['Ann']],
      ['username=ann&email=none@example.com', []],
      ['username=ann&username[prefix]=a', ['Ann']],
      ['username=ann&username[prefix]=anna', []],
      [`username[prefix]=an&email=${home}`, ['Ann', 'an-outsider', 'anna']],
    ] as const)
      test(`people by ${query.replaceAll(/[0-9a-f-]{36}/g, 'a-group')}`, async () => {
        assert.deepEqual(await names(`/v1/users?${query}`, 'username'), expected)
      })

    test('people of a group or with a role are not asked for by the beginning of a name: 400 names both', async () => {
      for (const [held, query] of [
        ['group_id', `group_id=${sales}`],
        ['role', 'role=viewer'],
      ] as const) {
        const refused = await call(`/v1/users?${query}&username[prefix]=an`)
        assert.deepEqual([refused.status, codeIn(refused)], [400, 'invalid_parameter'])
        const errors = refused.json()['errors'] as readonly { readonly parameter: string }[]
        assert.deepEqual(
          errors.map(({ parameter }) => parameter),
          ['username[prefix]', held],
        )
      }
    })

    for (const [query, expected] of [
      [`member=${anna}&name=sales`, ['Sales']],
      [`member=${anna}&name=SALES-eu`, ['Sales-EU']],
      [`member=${anna}&name=sales-us`, []],
      [`member=${out}&name=sales`, []],
      [`member=${anna}&name[prefix]=sales-`, ['Sales-EU']],
      [`member=${ben}&role=viewer`, ['Sales', 'Sales-US']],
      [`member=${ben}&external_id=e-1`, ['Sales-EU', 'Sales-US']],
      ['role=viewer&name=sales-us', ['Sales-US']],
      ['role=viewer&name=sales-eu', []],
      ['role=viewer&external_id=e-1', ['Sales-US']],
      ['external_id=e-1&name=sales-us', ['Sales-US']],
      ['external_id=e-1&name=sales', []],
      ['name=sales&name[prefix]=sal', ['Sales']],
      ['name=sales&name[prefix]=sales-', []],
    ] as const)
      test(`groups by ${query.replaceAll(/[0-9a-f-]{36}/g, 'a-person')}`, async () => {
        assert.deepEqual(await names(`/v1/groups?${query}`, 'name'), expected)
      })

    test('of two lists of values for one field both count', async () => {
      const machines = await names('/v1/clients?kind=machine', 'id')
      assert.ok(machines.includes('robot'))
      assert.deepEqual(await names('/v1/clients?kind=machine&kind[in]=web,machine', 'id'), machines)
      assert.deepEqual(await names('/v1/clients?kind=web&kind[in]=spa,machine', 'id'), [])
      assert.deepEqual(await names('/v1/clients?origin[in]=manual,declared&origin=dynamic', 'id'), [])
      assert.deepEqual(await names('/v1/events?name=token.issued&name[in]=client.updated', 'id'), [])
      const series = (query: string) => names(`/v1/statistics?${query}`, 'id')
      assert.deepEqual(await series('id=sign_in_failed&id[in]=sign_in_failed,issued'), ['sign_in_failed'])
      assert.deepEqual(await series('id=sign_in_failed&id[in]=issued'), [])
    })

    test('a filter that is written in both its ways is refused by both names', async () => {
      for (const [noun, field, value] of [
        ['users', 'username', 'ann'],
        ['groups', 'name', 'sales'],
        ['clients', 'kind', 'web'],
        ['sessions', 'subject', anna],
      ] as const) {
        const refused = await call(`/v1/${noun}?${field}=${value}&${field}[eq]=${value}`)
        assert.deepEqual([refused.status, codeIn(refused)], [400, 'invalid_parameter'], noun)
        const errors = refused.json()['errors'] as readonly { readonly parameter: string }[]
        assert.deepEqual(
          errors.map(({ parameter }) => parameter),
          [field, `${field}[eq]`],
        )
      }
    })
  })
}
