/** Sweeping in the background: batch after batch while there is something to free, and never more than were asked for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Upkeep, beginUpkeep } from '../../src/background/upkeep.ts'
import { openDirectory } from '../../src/directory.ts'
import { openKeyring } from '../../src/keys/keyring.ts'
import { openDeployment } from '../support/deployment.ts'

/** Every batch frees what the list says, and then nothing; how often one was asked for. */
async function batchesOf(freed: readonly number[], run: (upkeep: Upkeep) => Promise<void>): Promise<number> {
  const { ports } = await openDeployment()
  const left = [...freed]
  let asked = 0
  const sweep = async () => {
    asked += 1
    return left.shift() ?? 0
  }
  const store = { ...ports.store, sweep }
  const upkeep = beginUpkeep({ ...ports, store, directory: openDirectory(store), keyring: openKeyring(ports) })
  try {
    await run(upkeep)
    return asked
  } finally {
    await upkeep.close()
  }
}

test('a sweep goes on until nothing is left, or as far as it may', { timeout: 60_000 }, async () => {
  assert.equal(await batchesOf([], (upkeep) => upkeep.sweep(4)), 1)
  assert.equal(await batchesOf([500, 500, 7], (upkeep) => upkeep.sweep(10)), 4)
  assert.equal(await batchesOf(Array<number>(100).fill(500), (upkeep) => upkeep.sweep(4)), 4)
})
