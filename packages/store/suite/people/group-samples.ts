/** Groups, roles and an API that asks for them, for the suite. */
import type { Resource, ScopeEntry } from '@grantor/protocol/oauth'
import type { Role } from '@grantor/protocol/people'
import type { NewGroup } from '../../src/contract/people/groups.ts'
import type { Store } from '../../src/contract/store.ts'
import { acme, at, basisNow, change } from '../samples.ts'

export const guarded: Resource = {
  identifier: 'https://guarded.example',
  name: 'API',
  tokenFormat: 'jwt',
  tokenTyp: 'at+jwt',
  accessTtl: null,
  requireRoles: true,
}

export const scope = (name: string): ScopeEntry => ({
  name,
  description: name,
  resource: guarded.identifier,
  sensitivity: 'normal',
  mode: 'default',
})

export const role = (name: string, scopes: readonly string[]): Role => ({
  name,
  description: '',
  resource: guarded.identifier,
  scopes,
})

export const group = (id: string, more: Partial<NewGroup> = {}): NewGroup => ({
  tenant: acme,
  id,
  name: `Group ${id}`,
  description: null,
  externalId: null,
  roles: [],
  members: [],
  createdAt: at(1_000),
  ...more,
})

/** Ada reads by her group, `team`. */
export async function withGroup(store: Store): Promise<void> {
  const { revision } = await basisNow(store)
  const putScopes = [scope('a:read'), scope('a:write')]
  const putRoles = [role('reader', ['a:read']), role('writer', ['a:read', 'a:write'])]
  await store.directory.apply([change({ expected: revision, putResources: [guarded], putScopes, putRoles })])
  await store.groups.create(group('team', { roles: ['reader'], members: ['ada'] }), [])
}
