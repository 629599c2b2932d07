/** The migrations of this program: numbered files, each applied once, in order, under a lock. */
import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { Verb } from '../verbs/verb.ts'

export type Dialect = 'sqlite' | 'postgres'

export interface Migration {
  readonly number: number
  readonly name: string
  readonly text: string
  /** Of the exact text: a file that was edited after it was applied is noticed. */
  readonly checksum: string
  /** What remains to be done to the rows of large tables, after the statements. */
  readonly batches?: Batches
}

/** Work over many rows: a batch is one commit together with its cursor, so that it goes on where it was cut off. */
export interface Batches {
  /** How much there is to do, for whoever watches. */
  readonly total: () => Verb<number>
  /** After that cursor, which is null at the beginning; a cursor of null says that nothing is left. */
  readonly next: (cursor: string | null) => Verb<BatchDone>
}

export interface BatchDone {
  readonly cursor: string | null
  readonly rows: number
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
 * beside this one (docs/decisions/0019): `expand-…` leaves it all that it uses, and `contract-13-…` takes away only
 * what no program uses that knows migration 13.
 */
export type MigrationStage = { readonly stage: 'expand' } | { readonly stage: 'contract'; readonly of: number }

export function stageOf(name: string): MigrationStage | null {
  if (name.startsWith('expand-')) return { stage: 'expand' }
  const of = /^contract-(\d+)-/.exec(name)?.[1]
  return of === undefined ? null : { stage: 'contract', of: Number(of) }
}

/** Whether a program that knows these migrations can work on a database that has this one too. */
export function isHarmless({ name }: Pick<Applied, 'name'>, known: readonly Pick<Applied, 'number'>[]): boolean {
  const stage = stageOf(name)
  return stage?.stage === 'expand' || (stage !== null && known.some(({ number }) => number === stage.of))
}

/**
 * The texts of these migrations say 0.2.0, which ends with 43. The text of a migration that databases have run is never
 * edited.
 */
const writtenTooEarly = { first: 44, last: 51, since: '0.3.0' } as const

/** The version that a migration is released in; null for those that came before the rules. */
export function sinceOf({ number, text }: Pick<Migration, 'number' | 'text'>): string | null {
  const written = /^-- since (\d+\.\d+\.\d+)\n/.exec(text)?.[1] ?? null
  const isEarly = number >= writtenTooEarly.first && number <= writtenTooEarly.last
  return isEarly ? writtenTooEarly.since : written
}

const concurrentIndex = /^create index concurrently (\w+)[^;]*;\n?/gim

/** An index that PostgreSQL builds while others write: not in a transaction, so apart from the other statements. */
export interface ConcurrentIndex {
  readonly name: string
  readonly statement: string
}

export function indexesApart({ text }: Pick<Migration, 'text'>): readonly ConcurrentIndex[] {
  return [...text.matchAll(concurrentIndex)].map(([statement, name = '']) => ({ name, statement }))
}

/** The statements that run in a transaction. Where there are no rows yet an index is built in it, too. */
export const transactionText = ({ text }: Pick<Migration, 'text'>, hasRows: boolean): string =>
  hasRows ? text.replaceAll(concurrentIndex, '') : text.replaceAll(/^create index concurrently/gim, 'create index')

/** Whether something remains to be done after the statements. */
export const hasWork = (migration: Migration): boolean =>
  migration.batches !== undefined || indexesApart(migration).length > 0

/** Text columns and no clock: when a migration ran is in the operator's log, what it was is here. */
export const migrationsTable =
  'create table if not exists migrations (number integer primary key, name text not null, checksum text not null)'

/** A row for each migration whose work over rows is not at its end: how far it is, and how many rows were done. */
export const migrationWorkTable =
  'create table if not exists migration_work (number integer primary key, cursor text, done bigint not null)'
