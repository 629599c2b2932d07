/** PostgreSQL put back from a copy: what was issued before is void, and the log goes on and verifies. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../faults/until.ts'
import { openFleet } from '../fleet/fleet.ts'
import { declared, isActive, tokenOf } from '../fleet/objects.ts'

test('grantor restore after pg_restore begins a new epoch: old tokens are void on every node, new ones are not', async () => {
  await using fleet = await openFleet(declared)
  await using one = await fleet.start()
  const before = [await tokenOf(one), await tokenOf(one, 'acme')] as const
  assert.equal(await isActive(one, before[0]), true)
  const named = await fleet.run(['restore', 'some.dump'])
  assert.equal(named.code, 2)
  assert.match(named.stderr, /pg_restore/)
  const restored = await fleet.run(['restore', '--yes', '--json'])
  assert.equal(restored.code, 0, restored.stderr)
  assert.match((JSON.parse(restored.stdout) as { epoch: string }).epoch, /^[0-9a-f-]{36}$/)
  await using two = await fleet.start()
  for (const node of [one, two]) {
    assert.equal(await isActive(node, before[0]), false)
    assert.equal(await isActive(node, before[1], 'acme'), false)
  }
  // Tokens count whole seconds, and one of the second of the restore is taken for an older one.
  await until(async () => isActive(one, await tokenOf(two)), Boolean)
  assert.equal((await fleet.run(['audit', 'verify'])).code, 0)
  const { stdout } = await fleet.run(['audit', 'export', '--tenant', 'acme'])
  assert.ok(stdout.includes('admin.restored'))
})
