/** Brings a database to this program's schema: numbered files, each applied once, in order, under a lock. */
import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { StoreRefused } from '../contract/store.ts'

export type Dialect = 'sqlite' | 'postgres'

export interface Migration {
  readonly number: number
  readonly name: string
  readonly text: string
  /** Of the exact text: a file that was edited after it was applied is noticed. */
  readonly checksum: string
}

export interface Applied {
  readonly number: number
  readonly name: string
  readonly checksum: string
}

export function migrationsOf(dialect: Dialect): readonly Migration[] {
  const folder = new URL(`./${dialect}/`, import.meta.url)
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const text = readFileSync(new URL(file, folder), 'utf8')
      const [, digits = '', name = ''] = /^(\d{4})-(.+)\.sql$/.exec(file) ?? []
      return { number: Number(digits), name, text, checksum: hash('sha256', text) }
    })
}

/**
 * Migrations after the twelfth say by their name what they do to a program of the version before, which may still run
 * beside this one (docs/decisions/0019): `expand-…` leaves it all that it uses, and `contract-13-…` takes away only what
 * no program uses that knows migration 13.
 */
export type MigrationStage = { readonly stage: 'expand' } | { readonly stage: 'contract'; readonly of: number }

export function stageOf(name: string): MigrationStage | null {
  if (name.startsWith('expand-')) return { stage: 'expand' }
  const of = /^contract-(\d+)-/.exec(name)?.[1]
  return of === undefined ? null : { stage: 'contract', of: Number(of) }
}

/** Whether a program that knows these migrations can work on a database that has this one too. */
function isHarmless({ name }: Applied, known: readonly Migration[]): boolean {
  const stage = stageOf(name)
  return stage?.stage === 'expand' || (stage !== null && known.some(({ number }) => number === stage.of))
}

/** What is left to do; refuses a database that this program does not know how to speak to. */
export function outstanding(known: readonly Migration[], applied: readonly Applied[]): readonly Migration[] {
  const byNumber = new Map(known.map((migration) => [migration.number, migration]))
  for (const done of applied) {
    const ours = byNumber.get(done.number)
    if (ours === undefined) {
      if (isHarmless(done, known)) continue
      throw new StoreRefused(
        `the database was made by a newer Grantor: it has schema ${done.number} (${done.name}), ` +
          `this program knows ${known.length}. Start the newer program, or restore a backup from before the upgrade.`,
      )
    }
    if (ours.checksum !== done.checksum) {
      throw new StoreRefused(
        `schema ${done.number} (${done.name}) of the database is not the one of this program: ` +
          `checksum ${done.checksum.slice(0, 12)} there, ${ours.checksum.slice(0, 12)} here. ` +
          'A migration is never edited after a release; this build or this database was altered.',
      )
    }
  }
  const done = new Set(applied.map((migration) => migration.number))
  return known.filter((migration) => !done.has(migration.number))
}

/** Text columns and no clock: when a migration ran is in the operator's log, what it was is here. */
export const migrationsTable =
  'create table if not exists migrations (number integer primary key, name text not null, checksum text not null)'
