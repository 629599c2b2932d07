/**
 * The interface of a driver: it runs verbs, each as one commit, and reads. Everything in the contract is built on it.
 */
import type { Instant, TenantId } from '@grantor/protocol/types'
import type { MacPurpose } from '../contract/chain.ts'
import type { LogHead, LogPart } from '../contract/events.ts'
import type { VerbAnswer, VerbArgs, VerbName } from '../verbs/index.ts'
import type { Verb } from '../verbs/verb.ts'

export interface Engine {
  /**
   * Runs the verb atomically. `breakAt` makes it fail before that step, counted from 0: the contract suite uses it to
   * prove, step by step, that a verb which fails leaves nothing behind.
   */
  run<N extends VerbName>(name: N, args: VerbArgs<N>, breakAt?: number | null): Promise<VerbAnswer<N>>
  /** Reads by one statement. */
  read<T>(verb: Verb<T>): Promise<T>
  /** Reads by several statements on one state of the database; `begin` may be called more than once. */
  snapshot<T>(begin: () => Verb<T>): Promise<T>
  /** The last sealed position, after sealing what was committed before the call. */
  position(): Promise<number>
  mac(head: LogHead, purpose: MacPurpose): Uint8Array
  /** The parts of the log that can be dropped as a whole; null where the log is dropped row by row. */
  readonly logParts: EngineLogParts | null
  /** A key for one purpose, derived from the key of the log. */
  derive(purpose: string): Uint8Array
  watchEvents(wake: () => void): () => void
  watchDirectory(changed: (tenant: TenantId) => void): () => void
  /** The database's own clock; null where it uses the clock of this machine. */
  time(): Promise<Instant | null>
  ping(): Promise<void>
  /** Resolves when everything readable now is as durable as acknowledged commits. */
  untilDurable(): Promise<void>
  close(): Promise<void>
}

/** An end that was committed earlier is acknowledged like a new one, so it must be as durable. */
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
