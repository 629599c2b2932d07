/** Calls of verbs, of which those that want the same row take turns: who waits in the database holds a connection. */
import type { ReturnedUnit } from '../../contract/limits.ts'
import type { VerbArgs, VerbName } from '../../verbs/index.ts'
import type { ConnectionPool } from './pool.ts'
import { runCall } from './run-verb.ts'

export function callsOn(pool: ConnectionPool) {
  const turns = new Turns()
  return <N extends VerbName>(name: N, args: VerbArgs<N>, breakAt: number | null): Promise<unknown> => {
    const rows = contendedRows(name, args)
    const call = (): Promise<unknown> => runCall(pool, name, args, breakAt)
    return rows.length === 0 ? call() : turns.take(rows, call)
  }
}

/** Every sign-in of a tenant counts by one row: a hundred at once would hold all connections of the pool waiting for it. */
function contendedRows(name: VerbName, args: readonly unknown[]): readonly string[] {
  if (name !== 'limits.takeUnits' && name !== 'limits.giveBackUnits') return []
  return (args[0] as readonly ReturnedUnit[]).map(({ key }) => key)
}

class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  async take<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = keys.flatMap((key) => this.#last.get(key) ?? [])
    const mine = before.length === 0 ? work() : Promise.all(before).then(work)
    // Whoever comes next waits for the end, whatever it was.
    const over = mine.catch(() => undefined)
    for (const key of keys) this.#last.set(key, over)
    try {
      return await mine
    } finally {
      for (const key of keys) if (this.#last.get(key) === over) this.#last.delete(key)
    }
  }
}
