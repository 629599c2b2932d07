/** A clock that was set back: from how far on something is done about it, and what is handed to the store. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Instant, mostSkew } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { settleSetBack } from '../../src/background/set-back.ts'

const now = Date.parse('2026-11-15T12:00:00Z') as Instant

async function settled(latest: number | null) {
  const done: Parameters<Store['setBack']>[0][] = []
  const store = {
    events: { latest: () => Promise.resolve(latest as Instant | null) },
    setBack: (it: Parameters<Store['setBack']>[0]) => Promise.resolve(void done.push(it)),
  }
  const by = await settleSetBack(now, { ids: { id: () => 'an-id' }, store })
  return { by, done }
}

test('Nothing is done where nothing was logged, the log is behind, or no further ahead than clocks may differ', async () => {
  for (const latest of [null, now - 1, now, now + 1, now + mostSkew])
    assert.deepEqual(await settled(latest), { by: null, done: [] }, String(latest))
})

test('One millisecond further everything of a later time is settled, and an event of the deployment says by how much', async () => {
  const from = now + mostSkew + 1
  const { by, done } = await settled(from)
  assert.equal(by, mostSkew + 1)
  const [only, ...more] = done
  assert.ok(only)
  assert.deepEqual(more, [])
  assert.deepEqual([only.from, only.at], [from, now])
  const { name, tenant, actor, at, data, ip } = only.event
  assert.deepEqual(
    [name, tenant, actor.kind, at, data, ip],
    ['clock.set_back', 'default', 'system', now, { seconds: Math.round((mostSkew + 1) / 1000) }, null],
  )
  const [hour] = (await settled(now + 3_600_499)).done
  assert.deepEqual(hour?.event.data, { seconds: 3600 })
})
