/** Whether a browser session is still valid: idle and absolute limits, decided here and never by a sweeper. */
import type { Policy } from '../oauth/policy.ts'
import type { Instant } from '../types.ts'

export interface SessionTimes {
  readonly createdAt: Instant
  readonly lastSeenAt: Instant
  readonly expiresAt: Instant
  readonly endedAt: Instant | null
}

export const isSessionAlive = (
  { createdAt, lastSeenAt, expiresAt, endedAt }: SessionTimes,
  policy: Policy,
  now: Instant,
): boolean =>
  endedAt === null &&
  now < expiresAt &&
  now < createdAt + policy.sessionMaxTtl * 1000 &&
  now < lastSeenAt + policy.sessionIdleTtl * 1000
