/** Whether somebody could still sign in: nobody takes their last way in from themselves. */
import type { TenantId } from '@grantor/protocol/types'
import { maybeText, text } from '../row.ts'
import { all, first, sql, type Verb } from '../verb.ts'

interface RemainingWays {
  /** The providers that somebody can sign in by. */
  readonly served: readonly string[]
  /** The one that is about to go. */
  readonly without?: string
}

/** By a password, a passkey, or a provider. A code of an app is no way in by itself. */
export function* hasWayIn(tenant: TenantId, subject: string, { served, without }: RemainingWays): Verb<boolean> {
  const user = yield* first(sql`select password_hash from users where tenant = ${tenant} and id = ${subject}`)
  if (user !== null && maybeText(user, 'password_hash') !== null) return true
  const passkey = yield* first(sql`select id from passkeys where tenant = ${tenant} and subject = ${subject} limit 1`)
  if (passkey !== null) return true
  const linked = yield* all(sql`select provider from identities where tenant = ${tenant} and subject = ${subject}`)
  return linked.map((row) => text(row, 'provider')).some((it) => it !== without && served.includes(it))
}
