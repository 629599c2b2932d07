/** Providers of a tenant as they are added, replaced and removed: each by the version that was looked at, and not too many. */
import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { mostProviders } from '@grantor/protocol/providers'
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
