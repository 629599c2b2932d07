/** Providers of a tenant as they are added, replaced and removed: each by the version that was looked at, and not too many. */
import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { mostProviders } from '@grantor/protocol/providers'
import type { JsonObject } from '@grantor/protocol/types'
import type { AdminResult } from '../../src/admin/result.ts'
import { declare, openDeployment, operator, root } from '../support/deployment.ts'

const input = (id: string, more: { readonly name?: string } = {}) => ({
  id,
  name: 'Example',
  kind: 'oidc',
  issuer: `https://${id}.example`,
  client_id: 'grantor',
  client_secret: 'a-secret-of-the-provider',
  ...more,
})

const told = (result: AdminResult<unknown>): string => {
  if (result.kind === 'ok') return 'ok'
  return result.error.reason === 'invalid'
    ? result.error.problems.map(({ field }) => field).join()
    : result.error.reason
}

test('a provider is put where there is none, or at its version', async () => {
  const deployment = await openDeployment()
  await declare(deployment)
  const { providers } = deployment.authority.admin
  const put = (id: string, expected: string | null, name = 'Example') =>
    providers.put(operator, root, { input: input(id, { name }), expected })
  const made = await put('a', null)
  ok(made.kind === 'ok')
  deepEqual(told(await put('a', null)), 'exists')
  deepEqual(told(await put('b', made.value.version)), 'conflict', 'it is not there')
  deepEqual(told(await put('a', 'another')), 'conflict')
  const changed = await put('a', made.value.version, 'Changed')
  ok(changed.kind === 'ok')
  deepEqual(told(await put('a', made.value.version)), 'conflict', 'it was changed')
  const drop = (id: string, expected: string) => providers.drop(operator, root, { id, expected })
  deepEqual(told(await drop('a', made.value.version)), 'conflict')
  deepEqual(told(await drop('b', changed.value.version)), 'absent')
  deepEqual(told(await drop('a', changed.value.version)), 'ok')
  const left = await providers.list(root)
  deepEqual(left.kind === 'ok' && left.value, [])
})

test(`a tenant has ${mostProviders} providers, whose settings can still be changed`, async () => {
  const deployment = await openDeployment()
  await declare(deployment)
  const { providers } = deployment.authority.admin
  const put = (n: number, expected: string | null) => providers.put(operator, root, { input: input(`p${n}`), expected })
  for (let n = 1; n < mostProviders; n++) deepEqual(told(await put(n, null)), 'ok')
  const last = await put(mostProviders, null)
  ok(last.kind === 'ok')
  deepEqual(told(await put(mostProviders + 1, null)), 'id')
  deepEqual(told(await put(mostProviders, last.value.version)), 'ok')
  deepEqual(told(await providers.drop(operator, root, { id: 'p1', expected: await versionOf('p1') })), 'ok')
  deepEqual(told(await put(mostProviders + 1, null)), 'ok')

  async function versionOf(id: string): Promise<string> {
    const all = await providers.list(root)
    return all.kind === 'ok' ? (all.value.find(({ value }) => value['id'] === id)?.version ?? '') : ''
  }
})

test('a secret stays with whom it was given for: whoever names another issuer, or another host, says it again', async () => {
  const deployment = await openDeployment()
  await declare(deployment)
  const { providers } = deployment.authority.admin
  const directory = {
    id: 'd',
    name: 'Directory',
    kind: 'ldap',
    hosts: ['ldaps://one.corp.example', 'ldaps://two.corp.example'],
    base_dn: 'dc=corp,dc=example',
    client_id: 'cn=search',
    client_secret: 'a-secret-of-the-search',
  }
  const { client_secret: _one, ...provider } = input('a')
  const { client_secret: _two, ...quiet } = directory
  for (const [whole, kept, moved] of [
    [input('a'), { ...provider, name: 'Changed' }, { ...provider, issuer: 'https://mallory.example' }],
    [
      directory,
      { ...quiet, hosts: ['ldaps://two.corp.example'], base_dn: 'ou=people,dc=corp,dc=example' },
      { ...quiet, hosts: ['ldaps://two.corp.example', 'ldaps://mallory.example'] },
    ],
    [input('b'), { ...input('b') }, { ...quiet, id: 'b' }],
  ] as const) {
    const made = await providers.put(operator, root, { input: whole, expected: null })
    ok(made.kind === 'ok', told(made))
    const changed = await providers.put(operator, root, { input: kept, expected: made.value.version })
    ok(changed.kind === 'ok', told(changed))
    deepEqual(changed.value.value.has_secret, true)
    const { version: expected } = changed.value
    deepEqual(told(await providers.put(operator, root, { input: moved, expected })), 'client_secret')
    const said = { ...moved, client_secret: 'another-secret' }
    deepEqual(told(await providers.put(operator, root, { input: said, expected })), 'ok')
  }
})

test('a provider that an administrator signs in by is made, changed and removed by owners alone', async () => {
  const deployment = await openDeployment()
  await declare(deployment)
  const { store } = deployment
  const { providers, users } = deployment.authority.admin
  const person = async (username: string, administrator: 'owner' | 'operator' | null) => {
    const made = await users.create(operator, root, { username, password: null, claims: {}, administrator })
    ok(made.kind === 'ok')
    return { kind: 'user', id: made.value.id } as const
  }
  const [owner, other, nobody] = [
    await person('owner', 'owner'),
    await person('other', 'operator'),
    await person('nobody', null),
  ]
  const put = (by: typeof owner, id: string, expected: string | null) =>
    providers.put(by, root, { input: input(id), expected })
  const link = (subject: string, provider: string) =>
    store.identities.link(
      {
        tenant: root,
        provider,
        issuer: `https://${provider}.example`,
        upstreamSubject: subject,
        subject,
        createdAt: deployment.ports.clock.now(),
      },
      [],
    )
  const made = await put(other, 'a', null)
  ok(made.kind === 'ok')
  deepEqual(await link(nobody.id, 'a'), 'linked')
  const changed = await put(other, 'a', made.value.version)
  ok(changed.kind === 'ok', 'people who administer nothing sign in by it')
  deepEqual(await link(owner.id, 'a'), 'linked')
  const { version: expected } = changed.value
  const refused = [await put(other, 'a', expected), await providers.drop(other, root, { id: 'a', expected })]
  deepEqual(refused.map(told), ['forbidden', 'forbidden'])
  deepEqual(told(await put({ kind: 'client', id: 'machine' } as never, 'a', expected)), 'forbidden')
  deepEqual(told(await put(other, 'b', null)), 'ok', 'another one is theirs to make')
  deepEqual(told(await providers.drop(owner, root, { id: 'a', expected })), 'ok')
  deepEqual(told(await put(other, 'a', null)), 'forbidden', 'whoever was known there would be again')
  deepEqual(told(await put(owner, 'a', null)), 'ok')
})

test('a provider with the domain of an administrator is made, changed and removed by owners alone: it gets what they type', async () => {
  const deployment = await openDeployment()
  await declare(deployment)
  const { providers, users } = deployment.authority.admin
  const person = async (username: string, administrator: 'owner' | 'operator', claims: JsonObject = {}) => {
    const made = await users.create(operator, root, { username, password: null, claims, administrator })
    ok(made.kind === 'ok')
    return { kind: 'user', id: made.value.id } as const
  }
  const owner = await person('Owner@Corp.example', 'owner')
  const other = await person('other', 'operator', { email: 'other@firm.example' })
  const put = (by: typeof owner, more: JsonObject, expected: string | null = null) =>
    providers.put(by, root, { input: { ...input('a'), ...more }, expected })
  for (const domain of ['corp.example', 'firm.example'])
    deepEqual(told(await put(other, { domains: ['else.example', domain] })), 'forbidden', domain)
  const made = await put(other, { domains: ['else.example'] })
  ok(made.kind === 'ok')
  deepEqual(told(await put(other, { domains: ['corp.example'] }, made.value.version)), 'forbidden')
  const off = await put(other, { domains: ['corp.example'], disabled: true }, made.value.version)
  ok(off.kind === 'ok', 'nobody is asked there')
  deepEqual(told(await put(other, { domains: ['corp.example'] }, off.value.version)), 'forbidden')
  const on = await put(owner, { domains: ['corp.example'] }, off.value.version)
  ok(on.kind === 'ok')
  const { version: expected } = on.value
  deepEqual(told(await put(other, { domains: [] }, expected)), 'forbidden')
  deepEqual(told(await providers.drop(other, root, { id: 'a', expected })), 'forbidden')
  deepEqual(told(await providers.drop(owner, root, { id: 'a', expected })), 'ok')
})
