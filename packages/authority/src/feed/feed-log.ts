/** The log reader of this node, which the feed and the status lists share. */
import type { FeedRule } from '@grantor/protocol/feed'
import { longestTokenLife, type Policy } from '@grantor/protocol/oauth'
import type { Instant } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { Clock } from '../ports/environment.ts'
import { type LogReader, openLogReader } from './log-reader.ts'

export interface FeedLogDependencies {
  readonly clock: Pick<Clock, 'now'>
  readonly policy: Policy
  readonly store: Pick<Store, 'events' | 'epoch'>
}

export interface FeedLog extends LogReader {
  readonly rule: FeedRule
  /**
   * The time since the start, added to the start time: a wall clock that steps must not make the feed look fresher than
   * it is.
   */
  monotonicClock(): Instant
}

export function openFeedLog({ clock, policy, store }: FeedLogDependencies): FeedLog {
  const began = clock.now() - performance.now()
  const monotonicClock = () => Math.floor(began + performance.now()) as Instant
  // The tokens of a resource may live longer than the policy's default.
  const rule = { longestTokenLife: longestTokenLife + policy.leeway }
  return { ...openLogReader({ store, rule, clock, monotonicClock }), rule, monotonicClock }
}
