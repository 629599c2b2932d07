/** Every verb, broken before each of its steps, leaves nothing behind: no row, and not even its event. */
import { deepEqual, notDeepEqual, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { type VerbName, verbs } from '../src/verbs/index.ts'
import { everything } from './database-rows.ts'
import { entries } from './samples.ts'
import { type OpenEngine, type StoreUnderTest, storeTest } from './store-test.ts'
import { populated, verbCalls } from './verb-calls.ts'

/** No verb has more steps than this; a loop that does not end is a failure, not a hang. */
const maxSteps = 60

async function breakEverywhere(it: StoreUnderTest, name: VerbName): Promise<void> {
  const args = await verbCalls[name](it)
  const before = await everything(it.engine)
  for (let step = 0; step < maxSteps; step += 1) {
    const broken = await it.engine.run(name, args as never, step).then(
      () => false,
      (error: Error) => {
        if (!error.message.includes(`broken at step ${step}`)) throw error
        return true
      },
    )
    const after = await everything(it.engine)
    if (!broken) {
      notDeepEqual(after, before)
      return
    }
    deepEqual(after, before, `${name}, broken at step ${step}, left something behind`)
  }
  throw new Error(`${name} has no end`)
}

export function atomicitySuite(open: OpenEngine): void {
  test('the atomicity suite knows every verb', () => {
    deepEqual(Object.keys(verbCalls).sort(), Object.keys(verbs).sort())
  })

  for (const name of Object.keys(verbs) as VerbName[]) {
    storeTest(open, `${name}, broken at any step, leaves nothing, and done it leaves something`, async (it) => {
      await populated(it.store)
      await breakEverywhere(it, name)
    })
  }

  storeTest(open, 'a broken verb rejects its caller and nobody else', async (it) => {
    await populated(it.store)
    const fine = it.engine.run('events.append', [entries('login.failed')])
    await rejects(it.engine.run('events.append', [entries('token.rejected')], 0))
    await fine
  })
}
