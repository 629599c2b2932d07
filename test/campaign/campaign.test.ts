/** Two short campaigns, one on each database: faults under load, and a history without violations. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { type DatabaseKind, drawPlan } from './plan.ts'
import { runCampaign } from './run.ts'

/** Always the same plan, so that a failure comes from a change; `npm run campaign` draws other plans. */
const seed = 1
const seconds = 25
const folder = join(import.meta.dirname, '..', '..', 'test-output', 'campaign')

const onEach: readonly (readonly [on: DatabaseKind, nodes: number])[] = [
  ['sqlite', 1],
  ['postgres', 2],
]
for (const [on, nodes] of onEach)
  test(`${on}: nothing acknowledged is lost, given twice or revived, whatever the faults of seed ${seed} are`, async (t) => {
    const say = (line: string) => t.diagnostic(line)
    const { violations, counts, file } = await runCampaign(drawPlan({ seed, on, nodes, seconds }), { folder, say })
    say(`recorded: ${JSON.stringify(counts)}`)
    assert.deepEqual(violations, [], `npm run campaign -- --seed ${seed} --on ${on} --minutes 0.1; history: ${file}`)
    for (const kind of ['issued', 'revoked', 'introspected', 'validated', 'redeemed', 'client made'])
      assert.ok((counts[kind] ?? 0) > 0, `something was ${kind}`)
  })
