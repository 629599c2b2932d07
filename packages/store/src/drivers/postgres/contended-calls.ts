/**
 * Runs verbs; calls that need the same contended row take turns here, because a call that waits in the database holds a
 * connection.
 */
import type { ReturnedUnit } from '../../contract/limits.ts'
import type { NewSession } from '../../contract/people/sessions.ts'
import { StoreUnavailable } from '../../contract/store.ts'
import type { VerbArgs, VerbName } from '../../verbs/index.ts'
import type { ConnectionPool } from './pool.ts'
import { runCall } from './run-verb.ts'
import { isOver, silentAfter } from './silence.ts'

/**
 * `patience` in milliseconds, as for a connection: a call that has waited longer for its turn does not wait for an
 * unavailable database as well. `logged` is called after every call that wrote to the log.
 */
export function callsOn(pool: ConnectionPool, patience: number, logged: () => void) {
  const turns = new Turns(patience)
  return <N extends VerbName>(name: N, args: VerbArgs<N>, breakAt: number | null): Promise<unknown> => {
    const rows = contendedRows(name, args)
    const calledAt = performance.now()
    const call = (): Promise<unknown> => runCall(pool, name, args, { breakAt, calledAt, logged })
    return rows.length === 0 ? call() : turns.take(rows, call)
  }
}

/**
 * Every sign-in of a tenant is counted in one row: a hundred at once would hold all connections of the pool waiting for
 * it.
 */
function contendedRows(name: VerbName, args: readonly unknown[]): readonly string[] {
  const units =
    name === 'sessions.start'
      ? ((args[0] as NewSession).returned ?? [])
      : name === 'limits.takeUnits' || name === 'limits.giveBackUnits'
        ? (args[0] as readonly ReturnedUnit[])
        : []
  return units.map(({ key }) => key)
}

class Turns {
  readonly #last = new Map<string, Promise<unknown>>()
  readonly #patience: number

  constructor(patience: number) {
    this.#patience = patience
  }

  async take<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const before = keys.flatMap((key) => this.#last.get(key) ?? [])
    // The next call waits until this one ends in any way, but not behind a connection that is silent.
    const { promise: next, resolve: pass } = Promise.withResolvers<void>()
    const begin = (): Promise<T> => {
      const begun = work()
      void isOver(begun, silentAfter(this.#patience)).then(() => pass())
      return begun
    }
    for (const key of keys) this.#last.set(key, next)
    try {
      return await (before.length === 0 ? begin() : this.#after(before, begin))
    } finally {
      pass()
      for (const key of keys) if (this.#last.get(key) === next) this.#last.delete(key)
    }
  }

  async #after<T>(before: readonly Promise<unknown>[], work: () => Promise<T>): Promise<T> {
    const since = performance.now()
    await Promise.all(before)
    if (performance.now() - since > this.#patience)
      throw new StoreUnavailable('PostgreSQL: a row was busy for too long')
    return work()
  }
}
