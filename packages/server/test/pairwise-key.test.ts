/** What pairwise subjects are made with outlives the master key: a sub never changes (OIDC Core §8.1). */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { compose, type House } from '../src/compose.ts'
import { loadSettings } from '../src/config/load.ts'

const old = 'the-master-key-that-was-in-use-0123456789'
const fresh = 'the-master-key-that-comes-after-0123456789'

test('OIDC Core §8.1: the key of pairwise subjects stays the same when the master key is replaced', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-pairwise-'))
  const within = async <T>(
    env: Readonly<Record<string, string>>,
    look: (house: House) => Promise<T> | T,
  ): Promise<T> => {
    const loaded = loadSettings({ flags: {}, env: { GRANTOR_DATA: folder, ...env }, cwd: folder })
    assert.ok(loaded.ok, JSON.stringify(loaded))
    const house = await compose(loaded.settings, 'server')
    try {
      return await look(house)
    } finally {
      await house.close()
    }
  }
  const keyIn = ({ store }: House) => Buffer.from(store.keys.derived('pairwise subjects')).toString('hex')
  try {
    const before = await within({ GRANTOR_MASTER_KEY: old }, keyIn)
    const both = { GRANTOR_MASTER_KEY: fresh, GRANTOR_MASTER_KEY_PREVIOUS: old }
    await within(both, async ({ authority }) => {
      const outcome = await authority.admin.keys.rewrap({ kind: 'operator', id: 'test' })
      assert.ok(outcome.ok && outcome.value > 0)
    })
    assert.equal(await within({ GRANTOR_MASTER_KEY: fresh }, keyIn), before)
    assert.notEqual(await within({ GRANTOR_MASTER_KEY: fresh }, ({ store }) => store.keys.derived('x')), before)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
