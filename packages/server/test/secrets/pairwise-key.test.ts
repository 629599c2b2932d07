/** What pairwise subjects are made with outlives the master key: a sub never changes (OIDC Core §8.1). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Deployment } from '../../src/compose.ts'
import { dataFolder } from './master-keys.ts'

test('OIDC Core §8.1: the key of pairwise subjects stays the same when the master key is replaced', async () => {
  using data = dataFolder()
  const keyIn = ({ store }: Deployment) => Buffer.from(store.keys.derived('pairwise subjects')).toString('hex')
  const before = await data.within('before', keyIn)
  await data.within('both', async ({ authority }) => {
    const outcome = await authority.admin.keys.rewrap({ kind: 'operator', id: 'test' })
    assert.ok(outcome.kind === 'ok' && outcome.value > 0)
  })
  assert.equal(await data.within('after', keyIn), before)
  assert.notEqual(await data.within('after', ({ store }) => store.keys.derived('x')), before)
})
