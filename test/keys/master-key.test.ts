/** The master key is replaced under two running nodes, and no request notices. */
import assert from 'node:assert/strict'
import { renameSync, rmSync } from 'node:fs'
import { test } from 'node:test'
import { runCommand, startServer, temporaryFolder } from '../../interop/server.ts'
import { type Fleet, type Node, openFleet } from '../fleet/fleet.ts'
import { declared, isActive, tokenOf } from '../fleet/objects.ts'

const old = 'the-master-key-that-was-in-use-0123456789'
const fresh = 'the-master-key-that-comes-after-0123456789'

/** Replaces one node after the other; the one that is left has all the work meanwhile. */
async function roll(fleet: Fleet, nodes: Node[], env: Readonly<Record<string, string>>): Promise<void> {
  for (const [at, node] of nodes.entries()) {
    assert.equal(await node.server.stop(), 0, node.server.output())
    nodes[at] = await fleet.start(env)
  }
}

test('a master key is replaced node by node: tokens, key sets and the log go on', async () => {
  await using fleet = await openFleet(declared, { GRANTOR_MASTER_KEY: old })
  const nodes = [await fleet.start(), await fleet.start()]
  const [one, two] = [() => nodes[0] as Node, () => nodes[1] as Node]
  try {
    const before = [await tokenOf(one()), await tokenOf(two(), 'acme')] as const

    await roll(fleet, nodes, { GRANTOR_MASTER_KEY: old, GRANTOR_MASTER_KEY_PREVIOUS: fresh })
    await one().server.stop()
    nodes[0] = await fleet.start({ GRANTOR_MASTER_KEY: fresh, GRANTOR_MASTER_KEY_PREVIOUS: old })
    // A ring that is made now is sealed under the new key; the node that is still to come opens it.
    const during = await tokenOf(one(), 'globex')
    assert.equal(await isActive(two(), during, 'globex'), true)
    assert.ok(await tokenOf(two(), 'globex'))
    await two().server.stop()
    nodes[1] = await fleet.start({ GRANTOR_MASTER_KEY: fresh, GRANTOR_MASTER_KEY_PREVIOUS: old })

    const both = { GRANTOR_MASTER_KEY: fresh, GRANTOR_MASTER_KEY_PREVIOUS: old }
    const first = await fleet.run(['key', 'rewrap', '--json'], both)
    assert.deepEqual([first.code, JSON.parse(first.stdout)], [0, { rewrapped: 4 }], first.stderr)
    const again = await fleet.run(['key', 'rewrap', '--json'], both)
    assert.deepEqual(JSON.parse(again.stdout), { rewrapped: 0 })

    const alone = { GRANTOR_MASTER_KEY: fresh }
    await roll(fleet, nodes, alone)
    for (const node of nodes) {
      assert.equal(await isActive(node, before[0]), true)
      assert.equal(await isActive(node, before[1], 'acme'), true)
      assert.equal(await isActive(node, during, 'globex'), true)
      for (const tenant of ['', 'acme', 'globex']) await tokenOf(node, tenant)
    }
    for (const tenant of ['default', 'acme', 'globex']) {
      const { code, stderr } = await fleet.run(['audit', 'verify', '--tenant', tenant], alone)
      assert.equal(code, 0, stderr)
    }
    const { stdout } = await fleet.run(['audit', 'export'], alone)
    assert.equal(stdout.split('admin.master_key_rewrapped').length - 1, 1)
    await assert.rejects(
      fleet.start({ GRANTOR_MASTER_KEY: old }),
      /GRANTOR_MASTER_KEY.*does not open the key of the log/,
    )
  } finally {
    for (const node of nodes) await node[Symbol.asyncDispose]()
  }
})

test('SQLite: the generated master key is put aside, another is made, and the old one can go', async () => {
  using folder = temporaryFolder()
  const data = folder.path
  const aside = `${data}/previous.key`
  assert.equal(await (await startServer({ data })).stop(), 0)
  renameSync(`${data}/master.key`, aside)
  await assert.rejects(startServer({ data }), /master\.key is missing: put the master key of this database back/)
  const env = { GRANTOR_MASTER_KEY_PREVIOUS_FILE: aside }
  assert.equal(await (await startServer({ data, env })).stop(), 0)
  const rewrapped = await runCommand(['key', 'rewrap', '--json'], { data, env })
  assert.deepEqual(JSON.parse(rewrapped.stdout), { rewrapped: 3 })
  rmSync(aside)
  assert.equal(await (await startServer({ data })).stop(), 0)
  assert.equal((await runCommand(['audit', 'verify'], { data })).code, 0)
})
