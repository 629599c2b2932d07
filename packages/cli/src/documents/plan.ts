/** The difference between a declaration and the present state, as text for people. */
import type { Plan, PlanStep } from '@grantor/authority'
import { printable } from '../output/printable.ts'
import type { Style } from '../output/style.ts'

const signs = { create: '+', change: '~', remove: '-' } as const

export function planText({ steps }: Plan, title: string, style: Style): string {
  if (steps.length === 0) return 'Nothing to change: everything is as declared.\n'
  const count = (act: PlanStep['act']): number => steps.filter((step) => step.act === act).length
  const sum = `${title}: ${count('create')} created, ${count('change')} changed, ${count('remove')} removed.`
  return `${steps.map((step) => stepText(step, style)).join('')}\n${sum}\n`
}

function stepText({ tenant, kind, id, act, fields }: PlanStep, style: Style): string {
  const color = { create: style.good, change: style.warn, remove: style.bad }[act]
  const where = tenant === 'default' || kind === 'tenant' ? '' : style.dim(` in tenant ${printable(tenant)}`)
  const head = `${color(signs[act])} ${kind} ${style.bold(printable(id))}${where}\n`
  const value = (it: string | null): string => (it === null ? style.dim('(none)') : printable(it))
  return head + fields.map(({ field, from, to }) => `    ${printable(field)}: ${value(from)} → ${value(to)}\n`).join('')
}
