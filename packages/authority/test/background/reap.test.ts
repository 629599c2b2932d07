/** Unused clients are removed by the hundred, as long as there are more, and others come in between. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultPolicy } from '@grantor/protocol/oauth'
import type { Instant, TenantId } from '@grantor/protocol/types'
import { reapUnused } from '../../src/background/reap.ts'

const now = Date.parse('2026-11-15T12:00:00Z')
const before = now - defaultPolicy.registration.unusedLife * 1000

/** So many are unused, the oldest since then; what each call removed. */
async function removed(unused: number, since = before): Promise<readonly number[]> {
  const calls: number[] = []
  let left = unused
  const registrations = {
    unused: () =>
      Promise.resolve([
        { tenant: 'gone' as TenantId, since },
        { tenant: 'acme' as TenantId, since },
      ]),
    reap: ({ tenant, limit, before: bound }: { tenant: string; limit: number; before: number }) => {
      assert.deepEqual([tenant, bound], ['acme', before])
      const count = Math.min(limit, left)
      left -= count
      calls.push(count)
      return Promise.resolve(count)
    },
  }
  const currentCatalogue = (id: string) => Promise.resolve(id === 'gone' ? null : { tenant: { id } })
  await reapUnused({
    clock: { now: () => now as Instant },
    ids: { id: () => 'id' },
    policy: defaultPolicy,
    directory: { currentCatalogue },
    store: { registrations },
  } as never)
  return calls
}

test('batches of a hundred, until one is not full, and twenty at most', async () => {
  assert.deepEqual(await removed(0), [0])
  assert.deepEqual(await removed(99), [99])
  assert.deepEqual(await removed(100), [100, 0])
  assert.deepEqual(await removed(250), [100, 100, 50])
  assert.deepEqual(await removed(5000), Array<number>(20).fill(100))
})

test('none is removed before its time', async () => {
  assert.deepEqual(await removed(1, before), [1])
  assert.deepEqual(await removed(1, before + 1), [])
})
