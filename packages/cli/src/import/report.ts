/** What became of an import, or would: sums, everybody by name in a plan, and whatever stays behind. */
import type { ImportOutcome } from '@grantor/authority'
import { printable } from '../output/printable.ts'
import type { CarriedOver } from './carry-over.ts'
import type { ImportedData, ImportedPerson } from './source.ts'

type Counted = Readonly<Record<string, number>>

export interface ImportReport {
  readonly people: Counted
  readonly clients: Counted
  /** Everybody, in a plan. */
  readonly plan:
    | readonly { readonly username: string; readonly outcome: string; readonly left_out: readonly string[] }[]
    | null
  readonly refused: readonly string[]
  readonly left_out: readonly { readonly what: string; readonly why: string }[]
}

const count = (values: readonly string[]): Counted => {
  const sums: Record<string, number> = {}
  for (const value of values) sums[value] = (sums[value] ?? 0) + 1
  return sums
}

export function importReport({ leftOut }: ImportedData, carried: CarriedOver, plan: boolean): ImportReport {
  const staying = count(carried.people.flatMap(([person]) => person.leftOut))
  return {
    people: count(carried.people.map(([, { kind }]) => kind)),
    clients: count(carried.clients.map(({ act }) => act)),
    plan: plan
      ? carried.people.map(([{ username, leftOut: left }, { kind }]) => ({ username, outcome: kind, left_out: left }))
      : null,
    refused: [
      ...carried.people.flatMap(([person, outcome]) => refusal(person, outcome)),
      ...carried.clients.flatMap(({ id, problems }) => problems.map((problem) => `client ${id}: ${problem}`)),
    ],
    left_out: [
      ...leftOut,
      ...Object.entries(staying).map(([what, people]) => ({ what, why: `not carried over, of ${people} people` })),
    ],
  }
}

function refusal({ username, where }: ImportedPerson, outcome: ImportOutcome): readonly string[] {
  const who = `${where} (${username})`
  if (outcome.kind === 'taken') return [`${who}: the name or the id is another's`]
  if (outcome.kind !== 'invalid') return []
  return outcome.problems.map(({ field, problem }) => `${who}: ${field}: ${problem}`)
}

export function reportText({ people, clients, plan, left_out: leftOut }: ImportReport): string {
  const sums = (what: string, sum: Counted): string =>
    `${what}: ${
      Object.entries(sum)
        .map(([name, n]) => `${n} ${words[name] ?? name}`)
        .join(', ') || 'none'
    }\n`
  const lines = (plan ?? []).map(
    ({ username, outcome, left_out: left }) =>
      `${signs[outcome] ?? '!'} ${printable(username)}${left.length === 0 ? '' : ` (without ${left.join(', ')})`}\n`,
  )
  const staying = leftOut.map(({ what, why }) => `  ${printable(what)}: ${printable(why)}\n`)
  return [
    ...lines,
    sums('People', people),
    sums('Clients', clients),
    ...(staying.length === 0 ? [] : ['Left behind:\n', ...staying]),
  ].join('')
}

const signs: Readonly<Record<string, string>> = { created: '+', present: '=' }
const words: Readonly<Record<string, string>> = {
  created: 'new',
  create: 'new',
  change: 'changed',
  present: 'here already',
  taken: 'whose name or id is taken',
  invalid: 'not valid',
}
