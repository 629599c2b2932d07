/** Calls of verbs, of which those that want the same row take turns: who waits in the database holds a connection. */
import type { LimitUnit } from '../../contract/limits.ts'
import type { VerbArgs, VerbName } from '../../verbs/index.ts'
import type { ConnectionPool } from './pool.ts'
import { runCall } from './run-verb.ts'

export function callsOn(pool: ConnectionPool) {
  const turns = new Turns()
  return <N extends VerbName>(name: N, args: VerbArgs<N>, breakAt: number | null): Promise<unknown> => {
    const row = contendedRow(name, args)
    const call = (): Promise<unknown> => runCall(pool, name, args, breakAt)
    return row === null ? call() : turns.take(row, call)
  }
}

/** Every sign-in of a tenant counts by one row: a hundred at once would hold all connections of the pool waiting for it. */
function contendedRow(name: VerbName, args: readonly unknown[]): string | null {
  if (name !== 'limits.takeUnit' && name !== 'limits.giveBackUnit') return null
  return (args[0] as LimitUnit).key
}

class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key)
    const mine = before === undefined ? work() : before.then(work)
    // Whoever comes next waits for the end, whatever it was.
    const over = mine.catch(() => undefined)
    this.#last.set(key, over)
    try {
      return await mine
    } finally {
      if (this.#last.get(key) === over) this.#last.delete(key)
    }
  }
}
