/** What is remembered of clients: never something older than the memory that holds it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDirectory } from '../../src/directory.ts'
import type { Client } from '@grantor/protocol/registration'
import type { TenantId } from '@grantor/protocol/types'

const tenant = '' as TenantId

test('a client that was read before a change is not put into a memory from after it', async () => {
  let stamp = 1
  let changed: (tenant: TenantId) => void = () => {}
  const client = (): Client =>
    ({ tenant, id: 'web', version: stamp, disabledAt: stamp === 1 ? null : 2, metadata: {} }) as Client
  /** What the next read of a client waits for after it was answered by the database. */
  let onTheWay: Promise<void> | null = null
  const directory = openDirectory({
    directory: {
      stamp: async () => stamp,
      catalogue: async () => ({ tenant: { id: tenant, revision: stamp } }),
      watch: (told: typeof changed) => {
        changed = told
        return () => {}
      },
    },
    clients: {
      find: async () => {
        const found = client()
        await onTheWay
        return found
      },
    },
  } as never)
  await directory.currentCatalogue(tenant)
  const { promise, resolve } = Promise.withResolvers<void>()
  onTheWay = promise
  const slow = directory.currentClient(tenant, 'web')
  await new Promise(setImmediate)
  onTheWay = null
  // Another node disables it, and this one hears of it before the answer is here.
  stamp = 2
  changed(tenant)
  await directory.currentCatalogue(tenant)
  resolve()
  assert.equal((await slow)?.version, 1)
  await directory.currentCatalogue(tenant)
  assert.equal((await directory.client(tenant, 'web'))?.disabledAt, 2)
})
