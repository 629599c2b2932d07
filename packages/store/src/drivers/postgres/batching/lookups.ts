/**
 * Sends lookups with the same text that arrive together as one statement. It begins after all of them, so each sees
 * everything that was committed before it.
 */
import { number } from '../../../verbs/row.ts'
import type { Row, Statement, Value } from '../../../verbs/verb.ts'
import { Batches } from './batches.ts'
import { query } from '../connection.ts'
import type { ConnectionPool } from '../pool.ts'
import { type AskTwice, silentAfter } from '../silence.ts'

type Values = Statement['values']
type LookupBatches = Batches<Values, readonly Row[]>

export class Lookups {
  readonly #pool: ConnectionPool
  readonly #patience: number
  readonly #askTwice: AskTwice
  readonly #byText = new Map<string, LookupBatches>()

  constructor(pool: ConnectionPool, patience: number, askTwice: AskTwice) {
    this.#pool = pool
    this.#patience = patience
    this.#askTwice = askTwice
  }

  ask({ text, values }: Statement): Promise<readonly Row[]> {
    return (this.#byText.get(text) ?? this.#open(text)).add(values)
  }

  #open(text: string): LookupBatches {
    const ask = (statement: Parameters<typeof query>[1]): Promise<readonly Row[]> =>
      this.#askTwice(() => query(this.#pool, statement))
    const alone = (values: Values): Promise<readonly Row[]> => ask({ text, values })
    const together = async (asked: readonly Values[]): Promise<readonly (readonly Row[])[]> => {
      const [only] = asked
      if (only !== undefined && asked.length === 1) return [await alone(only)]
      return answered(asked.length, await ask(joined(text, asked)))
    }
    const batches = new Batches({ together, alone }, silentAfter(this.#patience))
    this.#byText.set(text, batches)
    return batches
  }
}

/**
 * Each parameter of the text becomes a column of a values list, and the text is evaluated for every row of that list.
 * `offset 0` keeps the two apart: otherwise PostgreSQL may join them, and scan a small table as a whole.
 */
export function joined(
  text: string,
  asked: readonly Values[],
): { readonly text: string; readonly values: readonly (readonly Value[])[] } {
  const columns = (asked[0] ?? []).map((_, i) => asked.map((values) => values[i] ?? null))
  const arrays = columns.map((column, i) => `?${i + 1}::${typeOf(column)}[]`)
  const names = columns.map((_, i) => `v${i + 1}`)
  return {
    text: `select asked.place, found.*
      from unnest(${arrays.join(', ')}) with ordinality as asked (${names.join(', ')}, place),
      lateral (${text.replace(/\?(\d+)/g, 'asked.v$1')} offset 0) as found`,
    values: columns,
  }
}

const typeOf = (column: readonly Value[]): string =>
  column.some((value) => typeof value === 'number') ? 'bigint' : 'text'

function answered(count: number, rows: readonly Row[]): readonly (readonly Row[])[] {
  const answers: Row[][] = Array.from({ length: count }, () => [])
  for (const row of rows) answers[number(row, 'place') - 1]?.push(row)
  return answers
}
