/** Whether a person's proof is still valid when a commit relies on it. */
import type { TenantId } from '@grantor/protocol/types'
import type { Proven } from '../../contract/people/sessions.ts'
import { maybeInstant } from '../row.ts'
import { first, sql, type Verb } from '../verb.ts'

interface PersonOfTenant {
  readonly tenant: TenantId
  readonly subject: string
}

type ProvenPerson = PersonOfTenant & Proven

/**
 * The update locks the row: a concurrent change of the person comes entirely before this commit, or sees its effect.
 */
export function* stillProven({ tenant, subject, passwordSeen }: ProvenPerson): Verb<boolean> {
  const user = yield* first(sql`update users set version = version where tenant = ${tenant} and id = ${subject}
    returning disabled_at, password_changed_at`)
  // Not in our directory: another one stores this person.
  if (user === null) return true
  const same = passwordSeen === undefined || maybeInstant(user, 'password_changed_at') === passwordSeen
  return same && maybeInstant(user, 'disabled_at') === null
}

export function* hasSecondFactor({ tenant, subject }: PersonOfTenant): Verb<boolean> {
  const held = yield* first(sql`select 1 as held where
    exists (select 1 from totp_secrets where tenant = ${tenant} and subject = ${subject})
    or exists (select 1 from passkeys where tenant = ${tenant} and subject = ${subject})`)
  return held !== null
}
