/** `node bench/recovery.ts`: how long clients get no token if a node or the database is lost. */
import { parseArgs } from 'node:util'
import { barChart } from './plot.ts'
import { faults } from './recovery/faults.ts'
import { keepPlot, keepReport } from './report.ts'
import { spread } from './statistics.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const rounds = values.quick ? 1 : 7
const say = (line: string): void => void process.stderr.write(`${line}\n`)

const measured = []
for (const { name, note, measure } of faults) {
  const all: number[] = []
  while (all.length < rounds) all.push(await measure())
  const without = spread(all, 0)
  say(`${name} (${note}): ${without.median} ms`)
  measured.push({ fault: name, what: note, without_answer_ms: without })
}
const report = { rounds, measured }
if (values.quick) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
else {
  keepReport('recovery', report)
  keepPlot(
    'recovery',
    barChart({
      title: 'How long clients go without a token',
      subtitle: `Of eight clients that ask without a pause, the one that waited longest; median, least and most of ${rounds} times`,
      unit: 'milliseconds',
      bars: measured.map(({ fault, what, without_answer_ms: value }) => ({
        label: fault,
        note: what,
        value,
        ours: true,
      })),
    }),
  )
}
