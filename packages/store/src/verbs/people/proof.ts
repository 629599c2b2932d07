/** Whether what a person proved still counts when something is to rest on it. */
import type { Instant, TenantId } from '@grantor/protocol/types'
import { maybeInstant } from '../row.ts'
import { first, sql, type Verb } from '../verb.ts'

interface Proven {
  readonly tenant: TenantId
  readonly subject: string
  /** When the proof began to be looked at. */
  readonly since: Instant
}

/** Updating the row locks it: whoever changes the person comes wholly before this commit, or finds what it made. */
export function* stillProven({ tenant, subject, since }: Proven): Verb<boolean> {
  const user = yield* first(sql`update users set version = version where tenant = ${tenant} and id = ${subject}
    returning disabled_at, password_changed_at`)
  // Nobody of ours: another directory keeps them.
  if (user === null) return true
  const changedAt = maybeInstant(user, 'password_changed_at')
  return maybeInstant(user, 'disabled_at') === null && (changedAt === null || changedAt <= since)
}
