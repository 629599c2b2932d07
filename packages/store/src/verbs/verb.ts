/** A verb is a generator of steps: written once, driven synchronously by SQLite and asynchronously by PostgreSQL. */
import type { Basis } from '../contract/directory/basis.ts'
import { datedLater, type Entry, type TokenCutoff } from './entry.ts'

export type Value = string | number | null | Uint8Array
export type Row = Readonly<Record<string, Value>>

/** SQL of the common subset, with placeholders ?1, ?2 … */
export interface Statement {
  readonly do: 'sql'
  readonly text: string
  readonly values: readonly Value[]
  /**
   * A read of at most one row by text and number parameters, so that a driver may combine several with the same text.
   */
  readonly lookup?: true
  /** A change of which only the number of rows is needed; the answer is one row with that number. */
  readonly counted?: true
}

/** Writes entries to the log. Each driver has its own way (SQLite seals in the commit, PostgreSQL by the notary). */
export interface LogStep {
  readonly do: 'log'
  readonly entries: readonly Entry[]
  /** The same entries with their original times. */
  readonly asked: readonly Entry[]
}

/**
 * Checks the basis of a decision. The answer holds until the directory changes, so a driver that sees every change may
 * cache it.
 */
export interface BasisStep {
  readonly do: 'check-basis'
  readonly basis: Basis
  readonly statement: Statement
}

/** Answers for how many milliseconds the verb has waited and run since it was called. */
export interface DelayStep {
  readonly do: 'delay'
}

/** Rolls back everything that this verb did so far; only what it returns afterwards remains. */
export interface UndoStep {
  readonly do: 'undo'
}

export type Step = Statement | BasisStep | LogStep | DelayStep | UndoStep
export type Verb<T> = Generator<Step, T, readonly Row[]>

const texts = new WeakMap<TemplateStringsArray, string>()

/** One text per call site, so that drivers can prepare it once and recognise it by identity. */
export function sql(strings: TemplateStringsArray, ...values: Value[]): Statement {
  let text = texts.get(strings)
  if (text === undefined) {
    text = strings.reduce((out, part, index) => `${out}?${index}${part}`)
    texts.set(strings, text)
  }
  return { do: 'sql', text, values }
}

/** A read of at most one row by its key; several may be sent at once. */
export const lookup = (strings: TemplateStringsArray, ...values: Exclude<Value, Uint8Array>[]): Statement => ({
  ...sql(strings, ...values),
  lookup: true,
})

export function* all(statement: Statement): Verb<readonly Row[]> {
  return yield statement
}

export function* first(statement: Statement): Verb<Row | null> {
  return (yield statement)[0] ?? null
}

export function* run(statement: Statement): Verb<void> {
  yield statement
}

/** Returns the number of changed rows. SQLite first stores returned rows in a temporary table, so none are returned. */
export function* changes(statement: Statement): Verb<number> {
  const [row] = yield { ...statement, counted: true }
  return Number(row?.['changes'])
}

export function* changed(statement: Statement): Verb<boolean> {
  return (yield* changes(statement)) > 0
}

export function* log(entries: readonly Entry[]): Verb<void> {
  if (entries.length === 0) return
  const dated = entries.some(({ cutoff }) => cutoff !== undefined) ? yield* datedNow(entries) : entries
  for (const { cutoff } of dated) if (cutoff !== undefined) yield recordedCutoff(cutoff)
  yield { do: 'log', entries: dated, asked: entries }
}

function* datedNow(entries: readonly Entry[]): Verb<readonly Entry[]> {
  const [waited] = yield { do: 'delay' }
  return entries.map((entry) => datedLater(entry, Number(waited?.['milliseconds'])))
}

/** A cutoff is never taken back: a later one only extends it. */
const recordedCutoff = ({ tenant, dimension, key, at, upTo, until }: TokenCutoff): Statement =>
  sql`insert into token_cutoffs (tenant, dimension, key, at, up_to, until)
    values (${tenant}, ${dimension}, ${key}, ${at}, ${upTo}, ${until})
    on conflict (tenant, dimension, key) do update set at = excluded.at,
      up_to = case when excluded.up_to > token_cutoffs.up_to then excluded.up_to else token_cutoffs.up_to end,
      until = case when excluded.until > token_cutoffs.until then excluded.until else token_cutoffs.until end`

export function* undo(): Verb<void> {
  yield { do: 'undo' }
}
