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
  /** A read of at most one row by texts and numbers, so that a driver may ask for several of one text at once. */
  readonly lookup?: true
  /** A change of which only the number of rows is asked; it is answered with one row that says it. */
  readonly counted?: true
}

/** Puts entries into the log. Each driver knows its own way (SQLite seals in the commit, PostgreSQL by the notary). */
export interface LogStep {
  readonly do: 'log'
  readonly entries: readonly Entry[]
  /** The same with the times that they were handed in with. */
  readonly asked: readonly Entry[]
}

/**
 * Checks what a decision rested on. The answer stands until the directory changes, so a driver that sees every change
 * may remember it.
 */
export interface BasisStep {
  readonly do: 'check-basis'
  readonly basis: Basis
  readonly statement: Statement
}

/** How many `milliseconds` the verb has waited and worked since it was called. */
export interface DelayStep {
  readonly do: 'delay'
}

/** Takes back all that this verb did so far; what it returns then is the whole of its effect. */
export interface UndoStep {
  readonly do: 'undo'
}

export type Step = Statement | BasisStep | LogStep | DelayStep | UndoStep
export type Verb<T> = Generator<Step, T, readonly Row[]>

const texts = new WeakMap<TemplateStringsArray, string>()

/** One text per place in the source, so that drivers can prepare it once and know it again by identity. */
export function sql(strings: TemplateStringsArray, ...values: Value[]): Statement {
  let text = texts.get(strings)
  if (text === undefined) {
    text = strings.reduce((out, part, index) => `${out}?${index}${part}`)
    texts.set(strings, text)
  }
  return { do: 'sql', text, values }
}

/** A read of at most one row by its key, of which many may be asked at once. */
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

/** How many rows it changed. SQLite keeps rows that are returned in a table of their own first, so none are asked for. */
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

/** What is dead stays dead: a later cutoff reaches further, and none is taken back. */
const recordedCutoff = ({ tenant, dimension, key, at, upTo, until }: TokenCutoff): Statement =>
  sql`insert into token_cutoffs (tenant, dimension, key, at, up_to, until)
    values (${tenant}, ${dimension}, ${key}, ${at}, ${upTo}, ${until})
    on conflict (tenant, dimension, key) do update set at = excluded.at,
      up_to = case when excluded.up_to > token_cutoffs.up_to then excluded.up_to else token_cutoffs.up_to end,
      until = case when excluded.until > token_cutoffs.until then excluded.until else token_cutoffs.until end`

export function* undo(): Verb<void> {
  yield { do: 'undo' }
}
