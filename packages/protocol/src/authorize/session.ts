/** Whether a browser session still stands: idle and absolute limits, decided here and never by a sweeper. */
import type { Policy } from '../oauth/policy.ts'
import type { Instant } from '../types.ts'

export interface SessionTimes {
  readonly createdAt: Instant
  readonly lastSeenAt: Instant
  readonly expiresAt: Instant
  readonly endedAt: Instant | null
}

export const isSessionAlive = (it: SessionTimes, policy: Policy, now: Instant): boolean =>
  it.endedAt === null &&
  now < it.expiresAt &&
  now < it.createdAt + policy.sessionMaxTtl * 1000 &&
  now < it.lastSeenAt + policy.sessionIdleTtl * 1000
