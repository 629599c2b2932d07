/** The findings of the checks: a table for people, a document for scripts. */
import type { Output } from '../output/output.ts'
import { tableText } from '../output/table.ts'
import type { Outcome } from './check.ts'
import type { CheckResult } from './engine.ts'

export interface Checked {
  readonly document: string
  readonly title: string
  readonly requests: number
}

export async function printReport(out: Output, results: readonly CheckResult[], checked: Checked): Promise<void> {
  const count = (outcome: Outcome): number => results.filter((it) => it.outcome === outcome).length
  const summary = { pass: count('pass'), fail: count('fail'), warn: count('warn'), skip: count('skip') }
  const rows = results.map(({ outcome, group, name, clause, detail, remedy }) => [
    outcome,
    group,
    name,
    clause,
    outcome === 'fail' || outcome === 'warn' ? `${detail}; ${remedy}` : detail,
  ])
  const table = tableText(
    { columns: ['outcome', 'group', 'check', 'clause', 'seen and remedy'], rows, width: null },
    out.style,
  )
  const line = `${summary.pass} passed, ${summary.fail} failed, ${summary.warn} warned, ${summary.skip} skipped`
  await out.document({ ...checked, summary, checks: results }, `${table}${line} (${checked.requests} requests)\n`)
}
