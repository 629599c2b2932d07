/** `npm run campaign -- --minutes N [--seed S] [--on sqlite|postgres]`: faults drawn from a seed under load, and a checker of what came of it. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkHistory, type Violation } from '../test/campaign/checker.ts'
import { readHistory } from '../test/campaign/history.ts'
import { type DatabaseKind, drawPlan } from '../test/campaign/plan.ts'
import { bundleCommand } from './bundle/command.ts'

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string' },
    on: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    nodes: { type: 'string', default: '3' },
    check: { type: 'string' },
  },
})

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const tell = (violations: readonly Violation[]): void => {
  for (const { rule, what } of violations.slice(0, 20)) say(`BROKEN: ${rule}: ${what}`)
  if (violations.length > 20) say(`and ${violations.length - 20} more`)
}

if (values.check !== undefined) {
  const violations = checkHistory(readHistory(values.check))
  tell(violations)
  process.exit(violations.length === 0 ? 0 : 1)
}

/** Without a seed one is taken that nobody has tried, and printed. */
const first = Number(values.seed ?? Math.floor(Math.random() * 1e6))
const seconds = Number(values.seconds)
const kinds: readonly DatabaseKind[] = values.on === undefined ? ['sqlite', 'postgres'] : [values.on as DatabaseKind]
process.env['GRANTOR_TEST_COMMAND'] ??= await bundleCommand(join(root, 'node_modules', '.cache', 'tests', 'command'))
// Only now: which command is started is read when this is loaded.
const { runCampaign } = await import('../test/campaign/run.ts')
const folder = join(root, 'test-output', 'campaign')
const deadline = performance.now() + Number(values.minutes) * 60_000
let failed = 0
let rounds = 0
for (let seed = first; performance.now() < deadline; seed++) {
  for (const on of kinds) {
    const plan = drawPlan({ seed, on, nodes: on === 'sqlite' ? 1 : Number(values.nodes), seconds })
    const { violations, counts, file } = await runCampaign(plan, { folder, say })
    rounds += 1
    say(
      `  recorded: ${Object.entries(counts)
        .map(([kind, count]) => `${count} ${kind}`)
        .join(', ')}`,
    )
    tell(violations)
    if (violations.length === 0) continue
    failed += 1
    say(`the history is in ${file}; again: npm run campaign -- --seed ${seed} --on ${on} --minutes 0.1`)
  }
}
say(`${rounds} campaigns from seed ${first} on, ${failed} with a broken rule`)
process.exit(failed === 0 ? 0 : 1)
