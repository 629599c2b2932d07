/** Tenants on two nodes, and more of them than a node remembers. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { TenantId } from '@grantor/protocol/types'
import { openDirectory } from '../../src/directory.ts'
import { openKeyring } from '../../src/keys/keyring.ts'
import { BoundedCache } from '../../src/bounded-cache.ts'
import {
  asking,
  databases,
  declaration,
  declare,
  isActive,
  openDeployment,
  operator,
  tokenFrom,
} from '../support/deployment.ts'

const names = (count: number) => Array.from({ length: count }, (_, n) => `t${n}` as TenantId)
const withTenants = (count: number) => ({ tenants: names(count).map((id) => ({ id, name: id, ...declaration })) })
const acme = 'acme' as TenantId

for (const database of databases) {
  describe(`tenants on ${database}`, () => {
    test('a tenant disabled on one node refuses everything on the other before that one hears of it', async () => {
      const deployment = await openDeployment(database)
      await declare(deployment, { tenants: [{ id: acme, name: 'Acme', ...declaration }] })
      const other = deployment.node()
      const from = { tenant: acme }
      const token = await tokenFrom(other, 'scope=invoices:read', from)
      assert.equal(await isActive(other, token, from), true)
      for (const disabled of [true, false, true]) {
        assert.ok((await deployment.authority.admin.tenants.setDisabled(operator, acme, disabled)).kind === 'ok')
        const answers = await Promise.all([
          other.token(asking('grant_type=client_credentials&scope=invoices:read', from)),
          other.introspect(asking(`token=${token}`, from)),
          other.revoke(asking('token=ga_nothing', from)),
        ])
        const expected = disabled ? 'error' : 'ok'
        assert.deepEqual([...new Set(answers.map(({ kind }) => kind))], [expected])
        // Documents may be those of a moment ago where the database is slow; they follow.
        for (const document of ['keySet', 'metadata', 'grantor'] as const)
          for (let tries = 100; (await other[document](acme)).kind !== expected; tries--) {
            assert.ok(tries > 0, `${document} stays behind`)
            await setTimeout(50)
          }
      }
      const seen = await other.admin.tokens.inspect(acme, token)
      assert.ok(seen.kind === 'ok' && seen.value['active'] === false)
    })

    test('more tenants than a node remembers are all served, and no more are remembered', async () => {
      const deployment = await openDeployment(database)
      const all = names(40)
      await declare(deployment, withTenants(40))
      const directory = openDirectory(deployment.store, 8)
      const keyring = openKeyring(deployment.ports, 8)
      const kids = new Map<TenantId, string>()
      for (const round of [1, 2]) {
        for (const tenant of all) {
          const catalogue = await directory.catalogue(tenant)
          assert.ok(catalogue)
          const { kid } = await keyring.signer(catalogue, 'ES256')
          if (round === 2) assert.equal(kid, kids.get(tenant), 'what was forgotten is read again, not made again')
          kids.set(tenant, kid)
          assert.ok(keyring.tenants().length <= 8)
        }
      }
      assert.equal(new Set(kids.values()).size, 40)
      directory.close()
    })
  })
}

test('a bounded memory lets go of what was not asked for the longest', () => {
  const memory = new BoundedCache<string, number>(2)
  memory.set('a', 1)
  memory.set('b', 2)
  assert.equal(memory.get('a'), 1)
  memory.set('c', 3)
  assert.deepEqual([memory.get('a'), memory.get('b'), memory.get('c')], [1, undefined, 3])
  memory.delete('a')
  assert.deepEqual(memory.keys(), ['c'])
})
