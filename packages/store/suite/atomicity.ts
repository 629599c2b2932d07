/** Every verb, broken before each of its steps, leaves nothing behind: no row, and not even its event. */
import { deepEqual, equal, notDeepEqual, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry } from '../src/verbs/entry.ts'
import { type VerbName, verbs } from '../src/verbs/index.ts'
import { everything } from './database-rows.ts'
import { entries } from './samples.ts'
import { type OpenEngine, type StoreUnderTest, storeTest } from './store-test.ts'
import { populated, verbCalls } from './verb-calls.ts'

/** No verb has more steps than this; a loop that does not end is a failure, not a hang. */
const maxSteps = 60

const isEntry = (value: object): value is Entry => 'body' in value && 'feed' in value

/** The events that a verb was given, wherever among its arguments. */
function entriesIn(value: unknown): readonly Entry[] {
  if (typeof value !== 'object' || value === null) return []
  return isEntry(value) ? [value] : Object.values(value).flatMap(entriesIn)
}

/** Of a request by the back channel those are logged that fit what came of it. */
const isOtherwise = (name: VerbName, args: readonly unknown[], entry: Entry): boolean =>
  name === 'backchannel.open' && entriesIn(args[3]).includes(entry)

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
      const bodies = (after['events'] ?? []).map((row) => (JSON.parse(row) as { readonly body: string }).body)
      for (const { body } of entriesIn(args).filter((entry) => !isOtherwise(name, args, entry)))
        equal(bodies.filter((logged) => logged === body).length, 1, `${name} logs what it is given, once: ${body}`)
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
