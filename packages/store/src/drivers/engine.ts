/** What a driver is: it runs verbs, each as one commit, and reads. Everything the contract promises is built on this. */
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { MacPurpose } from '../contract/chain.ts'
import type { LogHead, LogPart } from '../contract/events.ts'
import type { VerbAnswer, VerbArgs, VerbName } from '../verbs/index.ts'
import type { Verb } from '../verbs/verb.ts'

export interface Engine {
  /**
   * Runs the verb atomically. `breakAt` makes it fail before that step, counted from 0: with it the suite proves, step
   * by step, that a verb which fails leaves nothing behind.
   */
  run<N extends VerbName>(name: N, args: VerbArgs<N>, breakAt?: number | null): Promise<VerbAnswer<N>>
  /** A read of one statement. */
  read<T>(verb: Verb<T>): Promise<T>
  /** A read of several statements that see one state of the database; it may be begun more than once. */
  snapshot<T>(begin: () => Verb<T>): Promise<T>
  /** The last sealed position, after sealing what was committed before the call. */
  position(): Promise<number>
  mac(head: LogHead, purpose: MacPurpose): Uint8Array
  /** The parts of the log that are dropped whole; null where all of it is dropped row by row. */
  readonly logParts: EngineLogParts | null
  /** A key for one purpose, from the key of the log. */
  derive(purpose: string): Uint8Array
  watchEvents(wake: () => void): () => void
  watchDirectory(changed: (tenant: TenantId) => void): () => void
  /** What the database's own clock says; null where it has none but the machine's. */
  time(): Promise<Instant | null>
  ping(): Promise<void>
  /** Resolves when all that can be read now is as safe as what is acknowledged. */
  untilDurable(): Promise<void>
  close(): Promise<void>
}

/** An end that was there already is acknowledged as a new one is, so it must be as safe. */
export async function acknowledgedEnd<A>(engine: Pick<Engine, 'untilDurable'>, ending: Promise<A>): Promise<A> {
  const answer = await ending
  if (endedNothing(answer)) await engine.untilDurable()
  return answer
}

const endedNothing = (answer: unknown): boolean =>
  Array.isArray(answer) ? answer.length === 0 : typeof answer === 'string' && answer.startsWith('already-')

export interface EngineLogParts {
  oldest(before: Instant): Promise<LogPart | null>
  drop(part: LogPart): Promise<boolean>
  keepAhead(now: Instant): Promise<void>
}
