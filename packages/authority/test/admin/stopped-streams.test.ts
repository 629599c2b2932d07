/** A stream of shared signals that an administrator stops: told to its receiver once, and never over another's change. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { openStreamAdmin } from '../../src/admin/operations/streams.ts'
import { operator, root } from '../support/deployment.ts'

const now = 1_800_000_000_000 as Instant

function world(status = 'enabled', outcome = 'replaced') {
  const config = { clientId: 'web', method: 'poll', url: null, requested: [], delivered: [], description: null }
  const row = {
    tenant: root,
    id: 's',
    kind: 'stream',
    createdAt: 1,
    version: 4,
    failingSince: null,
    status,
    statusReason: null,
    sincePos: 3,
    config,
  }
  let kept: object | null = row
  const replaced: JsonObject[] = []
  const admin = openStreamAdmin({
    clock: { now: () => now },
    ids: { id: () => 'id' },
    store: {
      events: { position: async () => 9 },
      eventDeliveries: {},
      eventReceivers: {
        find: async (_: string, id: string) => (id === 's' ? kept : null),
        replace: async (it: JsonObject) => {
          replaced.push(it)
          if (outcome === 'gone') kept = null
          else if (outcome === 'replaced') kept = { ...(it['receiver'] as object), version: 5 }
          return outcome === 'gone' ? 'replaced' : outcome
        },
      },
    },
  } as never)
  const set = (to: string, reason: string | null = null, id = 's') =>
    admin.setStatus(operator, root, { id, version: 4, status: to as never, reason })
  return { set, replaced }
}

test('SSF 1.0 §8.1.5: a receiver is told that it is stopped, and not that nothing changed', async () => {
  const { set, replaced } = world()
  const done = await set('paused', 'night')
  assert.ok(done.kind === 'ok')
  assert.deepEqual([done.value.status, done.value.statusReason, done.value.version], ['paused', 'night', 5])
  const [change = assert.fail()] = replaced
  assert.deepEqual([change['version'], change['at'], 'notice' in change], [4, now, true])
  assert.equal((change['receiver'] as { config: JsonObject }).config['held'], true, 'it cannot undo it itself')
  const same = world('paused')
  assert.equal((await same.set('paused', 'night')).kind, 'ok')
  assert.equal('notice' in (same.replaced[0] ?? {}), false)
  const again = world('disabled')
  assert.equal((await again.set('enabled')).kind, 'ok')
  const [revived = assert.fail()] = again.replaced
  assert.equal((revived['receiver'] as { config: JsonObject }).config['held'], false)
})

test('a change that was outrun is a conflict; what is gone by then, or was never there, is absent', async () => {
  const reasonOf = async (it: ReturnType<typeof world>, ...by: Parameters<typeof it.set>) => {
    const done = await it.set(...by)
    return done.kind === 'ok' ? null : done.error.reason
  }
  const outrun = await world('enabled', 'changed-meanwhile').set('paused')
  assert.deepEqual(outrun.kind === 'ok' ? null : outrun.error, { reason: 'conflict', what: 'stream s was changed' })
  assert.equal(await reasonOf(world('enabled', 'gone'), 'paused'), 'absent')
  assert.equal(await reasonOf(world(), 'paused', null, 'another'), 'absent')
  const wordy = world()
  assert.equal(await reasonOf(wordy, 'paused', 'x'.repeat(501)), 'invalid')
  assert.deepEqual(wordy.replaced, [])
  assert.equal(await reasonOf(world(), 'paused', 'x'.repeat(500)), null)
})
