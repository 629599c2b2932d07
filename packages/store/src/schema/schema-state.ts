/** How a database stands to this program: what it has, what it lacks, what it has from the future, and whether they get on. */
import { StoreRefused } from '../contract/store.ts'
import { type Applied, isHarmless, type Migration, sinceOf, stageOf } from './migrations.ts'

/** Work over rows that was begun and is not at its end. */
export interface UnfinishedWork {
  readonly number: number
  readonly done: number
}

/** What the tables `migrations` and `migration_work` hold; null where there is no database yet. */
export interface SchemaRecord {
  readonly applied: readonly Applied[]
  readonly unfinished: readonly UnfinishedWork[]
}

export interface SchemaState {
  readonly applied: readonly Migration[]
  readonly unfinished: readonly (UnfinishedWork & Pick<Migration, 'name'>)[]
  readonly pending: readonly PendingMigration[]
  /** Applied by a newer program. */
  readonly newer: readonly (Applied & { readonly isHarmless: boolean })[]
  /** Why this program does not work on it; null where it does. */
  readonly refusal: string | null
}

export interface PendingMigration extends Migration {
  /** Whether nodes of the version that the database is at go on beside it. */
  readonly isHarmless: boolean
}

export interface UpgradeOptions {
  /** Default those of this program. */
  readonly migrations?: readonly Migration[]
  /** Whoever asks vouches that no older node runs: what such a node would stumble over is done too. */
  readonly olderNodesStopped?: boolean
  readonly report?: ReportUpgrade
}

/** How far the upgrade is: a migration was applied, or some of its work over rows done. */
export type ReportUpgrade = (migration: Migration, done: number, total: number) => void

export function schemaState(known: readonly Migration[], { applied, unfinished }: SchemaRecord): SchemaState {
  const names = new Map(known.map(({ number, name }) => [number, name]))
  const numbers = new Set(applied.map(({ number }) => number))
  const isFresh = applied.length === 0
  const pending = known
    .filter(({ number }) => !numbers.has(number))
    .map((migration) => ({ ...migration, isHarmless: isFresh || isHarmless(migration, applied) }))
  return {
    applied: known.filter(({ number }) => numbers.has(number)),
    unfinished: unfinished.flatMap((work) => {
      const name = names.get(work.number)
      return name === undefined ? [] : [{ ...work, name }]
    }),
    pending,
    newer: applied
      .filter(({ number }) => !names.has(number))
      .map((migration) => ({ ...migration, isHarmless: isHarmless(migration, known) })),
    refusal: refusalOf(known, applied) ?? leapOf(known, pending),
  }
}

/** What is left to do; refuses a database that this program does not know how to speak to. */
export function outstanding(
  known: readonly Migration[],
  applied: readonly Applied[],
  { olderNodesStopped = false }: UpgradeOptions = {},
): readonly Migration[] {
  const { pending } = schemaState(known, { applied, unfinished: [] })
  const refusal = refusalOf(known, applied) ?? (olderNodesStopped ? null : leapOf(known, pending))
  if (refusal !== null) throw new StoreRefused(refusal)
  const numbers = new Set(pending.map(({ number }) => number))
  return known.filter(({ number }) => numbers.has(number))
}

function refusalOf(known: readonly Migration[], applied: readonly Applied[]): string | null {
  const byNumber = new Map(known.map((migration) => [migration.number, migration]))
  for (const done of applied) {
    const ours = byNumber.get(done.number)
    if (ours === undefined) {
      if (isHarmless(done, known)) continue
      return (
        `the database was made by a newer Grantor: it has schema ${done.number} (${done.name}), ` +
        `this program knows ${known.length}. Start the newer program, or restore a backup from before the upgrade.`
      )
    }
    if (ours.checksum !== done.checksum) {
      return (
        `schema ${done.number} (${done.name}) of the database is not the one of this program: ` +
        `checksum ${done.checksum.slice(0, 12)} there, ${ours.checksum.slice(0, 12)} here. ` +
        'A migration is never edited after a release; this build or this database was altered.'
      )
    }
  }
  return null
}

/** A version was left out: nodes that made the database what it is may run, and would miss what is taken away. */
function leapOf(known: readonly Migration[], pending: readonly PendingMigration[]): string | null {
  const harmful = pending.find((migration) => !migration.isHarmless)
  if (harmful === undefined) return null
  const stage = stageOf(harmful.name)
  const expansion = stage?.stage === 'contract' ? known.find(({ number }) => number === stage.of) : undefined
  const between = expansion === undefined ? null : sinceOf(expansion)
  return (
    `the database is too old for this program: schema ${harmful.number} (${harmful.name}) takes away what nodes of its ` +
    `version use. ${between === null ? '' : `Start Grantor ${between} on it first; or stop`}` +
    `${between === null ? 'Stop' : ''} every node and run \`grantor migrate up --older-nodes-stopped\`.`
  )
}
