/** The report of an import or of a plan: counts, in a plan every person by name, and what is left out. */
import type { ImportOutcome } from '@grantor/authority'
import { printable } from '../output/printable.ts'
import type { CarriedObject } from './carry-objects.ts'
import type { CarriedOver, CarriedPerson } from './carry-over.ts'
import type { ImportedData, ImportedPerson } from './source.ts'

const kinds: readonly (readonly [kind: CarriedObject['kind'], member: ObjectMember, title: string])[] = [
  ['resource', 'resources', 'APIs'],
  ['scope', 'scopes', 'Scopes'],
  ['role', 'roles', 'Roles'],
  ['group', 'groups', 'Groups'],
  ['provider', 'providers', 'Providers'],
  ['client', 'clients', 'Clients'],
]
type ObjectMember = 'resources' | 'scopes' | 'roles' | 'groups' | 'providers' | 'clients'

type Counted = Readonly<Record<string, number>>

export interface ImportReport extends Readonly<Record<ObjectMember, Counted>> {
  readonly people: Counted
  /** By kind of data, such as a password: how many of the new people bring it. */
  readonly brought: Counted
  /** One entry per person in a plan; null otherwise. */
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
  const staying = count(carried.people.flatMap(({ person }) => person.leftOut))
  const acts = (wanted: string): Counted =>
    count(carried.objects.filter(({ kind }) => kind === wanted).map(({ act }) => act))
  const objects = Object.fromEntries(kinds.map(([kind, member]) => [member, acts(kind)]))
  return {
    people: count(carried.people.map(({ outcome }) => outcome.kind)),
    brought: count(carried.people.flatMap(broughtBy)),
    ...(objects as Readonly<Record<ObjectMember, Counted>>),
    plan: plan
      ? carried.people.map(({ person: { username, leftOut: left }, outcome: { kind } }) => ({
          username,
          outcome: kind,
          left_out: left,
        }))
      : null,
    refused: [
      ...carried.people.flatMap(({ person, outcome }) => refusal(person, outcome)),
      ...carried.objects.flatMap(({ kind, id, problems }) => problems.map((problem) => `${kind} ${id}: ${problem}`)),
    ],
    left_out: [
      ...leftOut,
      ...Object.entries(staying).map(([what, people]) => ({ what, why: `not carried over, of ${people} people` })),
    ],
  }
}

function broughtBy({ person, identities, outcome }: CarriedPerson): readonly string[] {
  if (outcome.kind !== 'created') return []
  return [
    ...(person.passwordHash === null ? [] : ['password']),
    ...(person.totpSecret === undefined ? [] : ['totp']),
    ...(identities.length === outcome.taken.length ? [] : ['provider']),
    ...((person.groups ?? []).length === 0 ? [] : ['groups']),
    ...((person.roles ?? []).length === 0 ? [] : ['roles']),
    ...(person.attributes === undefined ? [] : ['attributes']),
  ]
}

function refusal({ username, where }: ImportedPerson, outcome: ImportOutcome): readonly string[] {
  const who = `${where} (${username})`
  if (outcome.kind === 'taken') return [`${who}: the name or the id is another's`]
  if (outcome.kind !== 'invalid') return []
  return outcome.problems.map(({ field, problem }) => `${who}: ${field}: ${problem}`)
}

export function reportText(report: ImportReport): string {
  const { people, brought, plan, left_out: leftOut } = report
  const sums = (what: string, sum: Counted): string =>
    `${what}: ${
      Object.entries(sum)
        .map(([name, n]) => `${n} ${words[name] ?? name}`)
        .join(', ') || 'none'
    }\n`
  const some = kinds.filter(([kind, member]) => kind === 'client' || Object.keys(report[member]).length > 0)
  const lines = (plan ?? []).map(
    ({ username, outcome, left_out: left }) =>
      `${signs[outcome] ?? '!'} ${printable(username)}${left.length === 0 ? '' : ` (without ${left.join(', ')})`}\n`,
  )
  const staying = leftOut.map(({ what, why }) => `  ${printable(what)}: ${printable(why)}\n`)
  return [
    ...lines,
    sums('People', people),
    ...(Object.keys(brought).length === 0 ? [] : [sums('  of the new ones', brought)]),
    ...some.map(([, member, title]) => sums(title, report[member])),
    ...(staying.length === 0 ? [] : ['Left behind:\n', ...staying]),
  ].join('')
}

const signs: Readonly<Record<string, string>> = { created: '+', present: '=' }
const words: Readonly<Record<string, string>> = {
  created: 'new',
  create: 'new',
  present: 'here already',
  taken: 'whose name or id is taken',
  invalid: 'not valid',
  password: 'with a password',
  totp: 'with an authenticator app',
  provider: 'with a sign-in by another provider',
  groups: 'in groups',
  roles: 'with roles',
  attributes: 'with attributes',
}
