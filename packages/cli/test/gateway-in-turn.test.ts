/** What happens to the readings of a gateway's file that are asked for while one is under way, or has failed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTurn } from '../src/commands/gateway/in-turn.ts'

test('one run waits for the other, and one that fails is told of and followed by the next', async () => {
  const seen: unknown[] = []
  let run = 0
  const again = inTurn(
    async () => {
      const number = (run += 1)
      seen.push(`${number} begins`)
      await Promise.resolve()
      if (number === 1) throw new Error('a defect')
      seen.push(`${number} ends`)
    },
    (error) => seen.push((error as Error).message),
  )
  await Promise.all([again(), again(), again()])
  assert.deepEqual(seen, ['1 begins', 'a defect', '2 begins', '2 ends', '3 begins', '3 ends'])
})
