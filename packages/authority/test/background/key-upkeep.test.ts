/** Keys looked after in the background: a successor in time, an event when one begins, and away when nothing needs it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TenantId } from '@grantor/protocol/types'
import { beginUpkeep, type Upkeep } from '../../src/background/upkeep.ts'
import { openDirectory } from '../../src/directory.ts'
import { keyRetention } from '../../src/keys/lifecycle.ts'
import { openKeyring } from '../../src/keys/keyring.ts'
import {
  databases,
  declare,
  declaration,
  type Deployment,
  openDeployment,
  root,
  tokenFrom,
} from '../support/deployment.ts'

async function withUpkeep(deployment: Deployment, run: (upkeep: Upkeep) => Promise<void>): Promise<void> {
  const { ports } = deployment
  const directory = openDirectory(ports.store)
  const upkeep = beginUpkeep({ ...ports, directory, keyring: openKeyring(ports) })
  try {
    await run(upkeep)
  } finally {
    await upkeep.close()
    directory.close()
  }
}

for (const database of databases)
  test(
    `a key is announced, begins, gives way and is forgotten, each told once (${database})`,
    { timeout: 120_000 },
    async () => {
      const deployment = await openDeployment(database)
      await declare(deployment, { ...declaration, tenants: [{ id: 'acme', ...declaration }] })
      const { store, ports } = deployment
      const { keyRotation, keyAnnounce } = ports.policy
      await tokenFrom(deployment.authority, 'scope=invoices:read')
      await withUpkeep(deployment, async (upkeep) => {
        const ring = async () => (await store.keys.list(root)).filter(({ alg }) => alg === 'ES256')
        const told = async () => {
          await store.events.position()
          const events = await store.events.after(root, 0, 1000)
          return events
            .filter(({ name }) => name.startsWith('key.'))
            .map(({ name, data }) => `${name} ${String(data?.['kid'] as string | undefined)}`)
        }
        await upkeep.keys()
        await upkeep.keys()
        const [first, ...none] = await ring()
        assert.ok(first !== undefined && none.length === 0)
        assert.equal((await told()).filter((it) => it === `key.activated ${first.kid}`).length, 1)
        const begun = first.activatesAt

        deployment.clock = begun + (keyRotation - keyAnnounce) * 1000 - 1
        await upkeep.keys()
        assert.equal((await ring()).length, 1, 'not before it is time')
        deployment.clock += 1
        await upkeep.keys()
        await upkeep.keys()
        const next = (await ring()).find(({ kid }) => kid !== first.kid)
        assert.equal((await ring()).length, 2)
        assert.equal(next?.activatesAt, begun + keyRotation * 1000, 'it takes over when the rotation ends')
        assert.ok(!(await told()).includes(`key.activated ${next.kid}`))

        deployment.clock = next.activatesAt
        await upkeep.keys()
        assert.equal((await told()).filter((it) => it === `key.activated ${next.kid}`).length, 1)
        deployment.clock = next.activatesAt + keyRetention(ports.policy) - 1
        await upkeep.keys()
        assert.ok(
          (await ring()).some(({ kid }) => kid === first.kid),
          'tokens of it may still be met',
        )
        deployment.clock += 1
        await upkeep.keys()
        assert.ok(!(await ring()).some(({ kid }) => kid === first.kid))
        assert.equal((await told()).filter((it) => it === `key.retired ${first.kid}`).length, 1)
        assert.equal((await store.keys.list('acme' as TenantId)).length, 0, 'a tenant that never signed gets no keys')
      })
    },
  )

test('a key is kept as long as the longest token that it may have signed, the leeway and the announcement', () => {
  const policy = { accessTtl: 100, idTokenTtl: 10, leeway: 5, keyAnnounce: 100_000 }
  type Policy = Parameters<typeof keyRetention>[0]
  assert.equal(keyRetention(policy as Policy), 100_105_000)
  assert.equal(keyRetention({ ...policy, idTokenTtl: 200 } as Policy), 100_205_000)
})

test('a key outlives tokens that were given a whole day before they were given less', () => {
  const policy = { accessTtl: 100, idTokenTtl: 10, leeway: 5, keyAnnounce: 1000 }
  assert.equal(keyRetention(policy as Parameters<typeof keyRetention>[0]), 86_405_000)
})
