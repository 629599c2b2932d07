/** Migrations as rows for a person and as documents for scripts. */
import { indexesApart, type Migration, type PendingMigration, type SchemaState, sinceOf, stageOf } from '@grantor/store'
import type { Table } from '../../output/output.ts'

export type MigrationKind = 'first' | 'expand' | 'contract'

/** The first twelve are older than the two kinds. */
const kindOf = (name: string): MigrationKind => stageOf(name)?.stage ?? 'first'

interface MigrationRow {
  readonly number: number
  readonly name: string
  readonly kind: MigrationKind
  readonly state: 'applied' | 'unfinished' | 'pending' | 'newer' | 'newer, refused'
  readonly since: string | null
}

export function migrationRows({ applied, pending, newer, unfinished }: SchemaState): readonly MigrationRow[] {
  const open = new Set(unfinished.map(({ number }) => number))
  const known = (migration: Migration, state: MigrationRow['state']): MigrationRow => ({
    number: migration.number,
    name: migration.name,
    kind: kindOf(migration.name),
    state,
    since: sinceOf(migration),
  })
  return [
    ...applied.map((migration) => known(migration, open.has(migration.number) ? 'unfinished' : 'applied')),
    ...pending.map((migration) => known(migration, 'pending')),
    ...newer.map(({ number, name, isHarmless }) => {
      const state = isHarmless ? ('newer' as const) : ('newer, refused' as const)
      return { number, name, kind: kindOf(name), state, since: null }
    }),
  ]
}

export const migrationTable = (rows: readonly MigrationRow[]): Table => ({
  columns: ['number', 'name', 'kind', 'state', 'since'],
  rows: rows.map(({ number, name, kind, state, since }) => [number, name, kind, state, since ?? '']),
  empty: 'no migrations',
})

export interface PlannedMigration {
  readonly number: number
  readonly name: string
  readonly kind: MigrationKind
  /** A summary of each statement: its action and its object. */
  readonly statements: readonly string[]
  /** Work on rows that follows while other nodes go on writing. */
  readonly work: readonly string[]
  readonly older_nodes: 'go on' | 'must be stopped'
}

export const plannedMigration = (migration: PendingMigration): PlannedMigration => ({
  number: migration.number,
  name: migration.name,
  kind: kindOf(migration.name),
  statements: statementsOf(migration).map(summary),
  work: [
    ...indexesApart(migration).map(({ name }) => `builds ${name} beside writers`),
    ...(migration.batches === undefined ? [] : ['changes rows batch by batch']),
  ],
  older_nodes: migration.isHarmless ? 'go on' : 'must be stopped',
})

const statementsOf = ({ text }: Migration): readonly string[] =>
  text
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '')

/** The beginning of a statement, up to the name of its object. */
function summary(statement: string): string {
  const forms = [
    /^alter table \w+ (?:add(?: column)?|drop(?: column)?|rename(?: column)?|alter(?: column)?) \w+/i,
    /^create (?:unique )?index (?:concurrently )?\w+ on \w+/i,
    /^(?:create|drop|alter) (?:\w+ )?(?:table|view|index|function|trigger|sequence) (?:if (?:not )?exists )?\w+/i,
    /^(?:insert into|update|delete from) \w+/i,
  ]
  for (const form of forms) {
    const found = form.exec(statement)?.[0]
    if (found !== undefined) return found
  }
  return statement.split(' ').slice(0, 4).join(' ')
}

export const planText = (plan: readonly PlannedMigration[]): string =>
  plan
    .map(({ number, name, statements, work, older_nodes }) =>
      [
        `${String(number).padStart(4, '0')} ${name}: nodes of the version before ${older_nodes}`,
        ...statements.map((statement) => `       ${statement}`),
        ...work.map((line) => `       then ${line}`),
      ].join('\n'),
    )
    .concat('')
    .join('\n')
