/** Formats instants for people and scripts: RFC 3339 in UTC. */
import type { Instant } from '@grantor/protocol/types'

export const timestamp = (instant: Instant): string => new Date(instant).toISOString()

export const timestampOrNull = (instant: Instant | null): string | null =>
  instant === null ? null : timestamp(instant)

/** For tables: to the second. */
export const shortTime = (instant: Instant): string =>
  timestamp(instant)
    .replace('T', ' ')
    .replace(/\.\d+Z$/, 'Z')

export const shortTimeOrNull = (instant: Instant | null): string | null =>
  instant === null ? null : shortTime(instant)
