/** Whoever may write providers, or groups, gives by them no roles that they could not give otherwise. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { machine, operator, startFeedDeployment, type FeedDeployment } from '../feed/feed-deployment.ts'
import type { CallOptions } from '../feed/https-client.ts'

const api = 'https://books.example/v1'
const all = 'admin:providers:read admin:providers:write admin:groups:write admin:roles:write'
let it: FeedDeployment

before(async () => {
  it = await startFeedDeployment('sqlite')
  const applied = await it.deployment.authority.admin.declared.apply(operator, {
    resources: [{ identifier: api, name: 'Books' }],
    scopes: [{ name: 'books:write', description: 'Write books', resource: api }],
    roles: [{ name: 'bookkeeper', resource: api, scopes: ['books:write'] }],
    groups: [{ name: 'Bookkeeping', roles: ['bookkeeper'] }, { name: 'Readers' }],
    clients: [machine('robot', all)],
  })
  assert.ok(applied.kind === 'ok', JSON.stringify(applied))
})
after(() => it[Symbol.asyncDispose]())

const directory = (groups: Readonly<Record<string, string>> | null, more: Readonly<Record<string, unknown>> = {}) => ({
  kind: 'ldap',
  name: 'Corp',
  hosts: ['ldaps://ldap.corp.example'],
  base_dn: 'dc=corp,dc=example',
  client_id: 'cn=reader,dc=corp,dc=example',
  client_secret: 'secret-of-the-reader',
  ...(groups === null ? {} : { groups }),
  ...more,
})

async function asked(scope: string, path: string, how: CallOptions) {
  const token = await it.token('robot', { scope })
  return it.ask(path, { ...how, headers: { authorization: `Bearer ${token}`, ...how.headers } })
}

const providersOnly = 'admin:providers:read admin:providers:write'
const withGroups = `${providersOnly} admin:groups:write`

test('a directory that fills groups is declared by whoever may fill them, and give their roles', async () => {
  const cases: readonly (readonly [string, string, string, number])[] = [
    ['one', providersOnly, 'Readers', 403],
    ['one', withGroups, 'bookKEEPING', 403],
    ['one', withGroups, 'Not made yet', 403],
    ['one', withGroups, 'Readers', 201],
    ['two', all, 'Bookkeeping', 201],
    ['three', all, 'Not made yet', 201],
  ]
  for (const [id, scope, group, status] of cases) {
    const json = directory({ 'cn=x,dc=corp,dc=example': group })
    const put = { method: 'PUT', json, headers: { 'if-none-match': '*' } }
    const answer = await asked(scope, `/v1/providers/${id}`, put)
    assert.equal(answer.status, status, `${id} ${group}: ${answer.body}`)
  }
  const posted = await asked(providersOnly, '/v1/providers', { json: directory({ 'cn=x': 'Readers' }) })
  assert.equal(posted.status, 403)
  const change = async (id: string, scope: string, json: unknown) => {
    const etag = String((await asked(scope, `/v1/providers/${id}`, {})).headers['etag'])
    return asked(scope, `/v1/providers/${id}`, { method: 'PATCH', json, headers: { 'if-match': etag } } as CallOptions)
  }
  const elsewhere = { hosts: ['ldaps://two.corp.example'], client_secret: 'secret-of-the-reader' }
  assert.equal((await change('two', withGroups, elsewhere)).status, 403, 'another directory would fill it')
  assert.equal((await change('two', withGroups, { groups: null })).status, 403)
  assert.equal((await change('one', withGroups, { groups: { 'cn=x': 'Bookkeeping' } })).status, 403)
  assert.equal((await change('one', withGroups, { name: 'Corporation' })).status, 200)
  assert.equal((await change('two', all, elsewhere)).status, 200)
})

test('a group with roles is not renamed to one that a directory fills by whoever may write groups alone', async () => {
  const token = await it.token('robot', { scope: 'admin:groups:write' })
  const [held] = await it.deployment.authority.admin.groups
    .byName('default' as never, 'Bookkeeping')
    .then((found) => (found.kind === 'ok' ? [found.value] : []))
  const path = `/v1/groups/${held?.id}`
  const rename = (authorization: string) =>
    it.ask(path, { method: 'PATCH', json: { name: 'Another' }, headers: { authorization, 'if-match': '*' } })
  assert.equal((await rename(`Bearer ${token}`)).status, 403)
  assert.equal((await rename(`Bearer ${await it.token('robot', { scope: all })}`)).status, 200)
})
