/** Who is let in again by an administrator where limits are counted in memory. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TenantId } from '@grantor/protocol/types'
import { memoryLimiter } from '../../src/limits/memory-limiter.ts'

const policy = { name: 'login-account', quota: 1, window: 60 }
const acme = 'acme' as TenantId
const other = 'other' as TenantId
const heldBy = { kind: 'user', id: 'u1', name: 'ada' } as const

test('a lock is lifted once, in its own tenant, with its event; and whoever it held tries again', async () => {
  const told: unknown[] = []
  const limiter = memoryLimiter({ now: () => 0 as never }, async (events) => void told.push(...events))
  await limiter.take(policy, 'ada')
  const refused = await limiter.take(policy, 'ada')
  assert.equal(refused.allowed, false)
  await limiter.noteReached(policy, 'ada', { tenant: acme, heldBy })
  const [lock, ...more] = await limiter.locks(acme)
  assert.deepEqual([more, lock?.heldBy, lock?.limit], [[], heldBy, 'login-account'])
  const event = { name: 'admin.unlocked' } as never
  for (const [tenant, id] of [
    [acme, 'nothing'],
    [other, lock?.id ?? ''],
  ] as const)
    assert.equal(await limiter.unlock(tenant, id, [event]), 'absent')
  assert.deepEqual(told, [])
  assert.equal(await limiter.unlock(acme, lock?.id ?? '', [event]), 'unlocked')
  assert.deepEqual([told, await limiter.locks(acme)], [[event], []])
  assert.equal((await limiter.take(policy, 'ada')).allowed, true)
  assert.equal(await limiter.unlock(acme, lock?.id ?? '', [event]), 'absent', 'once')
})
