/** Proofs that were used: each once, remembered for at least two minutes, and no more than there is room for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Instant } from '@grantor/protocol/types'
import { possessionOptions } from '../../src/possession/possession.ts'
import { MemoryProofReplays } from '../../src/possession/proof-replays.ts'
import { FakeTime } from '../fake-time.ts'

function memory(capacity = 3) {
  const time = new FakeTime()
  return { time, replays: new MemoryProofReplays(time, capacity) }
}

test('a proof is accepted once, for as long as it could be good', () => {
  const { time, replays } = memory()
  assert.equal(replays.use('a'), true)
  assert.equal(replays.use('a'), false)
  time.mono += 120_000
  assert.equal(replays.use('a'), false)
  assert.equal(replays.use('b'), true)
  time.mono += 1
  assert.equal(replays.use('b'), false, 'the sets turn, and the older is still asked')
  time.mono += 120_000
  assert.equal(replays.use('b'), false)
  time.mono += 1
  assert.equal(replays.use('b'), true, 'nobody can show it any more')
})

test('after a long silence nothing is remembered', () => {
  const { time, replays } = memory()
  replays.use('a')
  time.mono += 240_000
  assert.equal(replays.use('a'), false)
  time.mono += 240_001
  assert.equal(replays.use('a'), true)
})

test('RFC 9449 §11.1: a proof that cannot be remembered is not accepted', () => {
  const { replays } = memory(2)
  replays.use('a')
  replays.use('b')
  assert.throws(() => replays.use('c'), /Too many proofs/)
  assert.equal(replays.use('a'), false)
})

test('where nothing else is set, half a million are remembered and no more', () => {
  const { replays } = possessionOptions({ audience: 'https://api.example', issuers: [] }, new FakeTime())
  const use = (id: number) => replays.use(String(id), 0 as Instant)
  for (let id = 1; id < 500_000; id += 1) void use(id)
  assert.equal(use(500_000), true)
  assert.throws(() => use(500_001), /Too many proofs/)
})
