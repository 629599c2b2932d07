/** Scopes of the issuer itself, which no consent gives away. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtInScopes } from '../../src/oauth/built-in-scopes.ts'
import { isPersonal, nothingPersonal, personalScope } from '../../src/oauth/personal-scope.ts'
import type { Catalogue } from '../../src/oauth/tenant.ts'
import type { TenantId } from '../../src/types.ts'

const tenant = { id: 'acme' as TenantId, name: 'Acme', revision: 1, disabledAt: null }
const empty: Catalogue = { tenant, resources: [], scopes: [] }

test('what is of the issuer begins with admin:, or is one of its own', () => {
  for (const name of ['admin:users:read', 'admin:later', 'revocations:read', 'events:report', 'metrics:read'])
    assert.equal(isPersonal(new Set(['openid', name]), empty), true, name)
  for (const name of ['openid', 'administer', 'orders:admin:', 'x:admin'])
    assert.equal(isPersonal(new Set([name]), empty), false, name)
  const high = builtInScopes.filter(({ sensitivity }) => sensitivity === 'high').map(({ name }) => name)
  assert.ok(high.every((name) => /^(?:admin:|scim:|ssf\.)/.test(name)))
  assert.deepEqual(
    builtInScopes.filter(({ sensitivity }) => sensitivity === 'normal').map(({ name }) => name),
    ['revocations:read', 'events:report', 'metrics:read'],
  )
  assert.deepEqual(
    high.filter((name) => name.endsWith(':read')).filter((name) => !high.includes(name.replace(':read', ':write'))),
    ['admin:events:read', 'admin:statistics:read', 'admin:settings:read'],
  )
})

test('one API that asks for roles is enough for roles to count', () => {
  const api = { name: 'API', tokenFormat: 'jwt', tokenTyp: 'at+jwt', accessTtl: null } as const
  const catalogue = (requireRoles: boolean): Catalogue => ({
    tenant,
    resources: [{ ...api, identifier: 'https://a.example', ...(requireRoles ? { requireRoles } : {}) }],
    scopes: [{ name: 'a', description: 'a', resource: 'https://a.example', sensitivity: 'normal', mode: 'default' }],
    roles: [{ name: 'reader', description: '', resource: 'https://a.example', scopes: ['a'] }],
  })
  const held = (requireRoles: boolean, roles: readonly string[]) => [
    ...personalScope(new Set(['openid', 'a']), { administrator: null, roles }, catalogue(requireRoles)),
  ]
  assert.deepEqual([held(true, []), held(true, ['reader'])], [['openid'], ['openid', 'a']])
  assert.deepEqual(held(false, []), ['openid', 'a'])
})

test('why nothing is left says whether a role would have helped', () => {
  assert.equal(nothingPersonal(new Set(['admin:users:read', 'metrics:read'])), 'administrators_only')
  assert.equal(nothingPersonal(new Set(['admin:users:read', 'a'])), 'roles_missing')
  assert.equal(nothingPersonal(new Set(['a'])), 'roles_missing')
})

test('of an API that asks for roles a person holds what a role of theirs allows there, and of others what was asked', () => {
  const api = { name: 'API', tokenFormat: 'jwt', tokenTyp: 'at+jwt', accessTtl: null } as const
  const scope = (name: string, resource: string | null) =>
    ({ name, description: name, resource, sensitivity: 'normal', mode: 'default' }) as const
  const role = (name: string, resource: string, scopes: readonly string[]) => ({
    name,
    description: '',
    resource,
    scopes,
  })
  const catalogue: Catalogue = {
    tenant,
    resources: [
      { ...api, identifier: 'https://open.example' },
      { ...api, identifier: 'https://guarded.example', requireRoles: true },
      { ...api, identifier: 'https://other.example', requireRoles: true },
    ],
    scopes: [
      scope('open', 'https://open.example'),
      scope('a:read', 'https://guarded.example/'),
      scope('a:write', 'https://guarded.example'),
      scope('b:read', 'https://other.example'),
      scope('free', null),
    ],
    roles: [
      role('reader', 'https://guarded.example', ['a:read']),
      role('writer', 'https://guarded.example', ['a:read', 'a:write', 'admin:users:write']),
      // A scope that is another API's by now.
      role('moved', 'https://guarded.example', ['b:read']),
    ],
  }
  const all = new Set(['openid', 'open', 'free', 'a:read', 'a:write', 'b:read', 'admin:users:write'])
  const held = (roles: readonly string[] | undefined, administrator: 'owner' | null = null) =>
    [...personalScope(all, { administrator, ...(roles === undefined ? {} : { roles }) }, catalogue)].join(' ')
  assert.equal(held(undefined), 'openid open free')
  assert.equal(held(['unknown', 'moved']), 'openid open free')
  assert.equal(held(['reader']), 'openid open free a:read')
  assert.equal(held(['reader', 'writer']), 'openid open free a:read a:write')
  assert.equal(held([], 'owner'), 'openid open free admin:users:write', 'an administrator has no role by that')
  assert.equal([...personalScope(all, null, catalogue)].join(' '), 'openid open free')
  const free = new Set(['openid', 'open', 'free'])
  assert.equal(personalScope(free, null, catalogue), free, 'what is nobody’s in particular is not even copied')
})
