/** Whether a person could still sign in: nobody can remove their own last sign-in method. */
import type { TenantId } from '@grantor/protocol/types'
import { maybeText, text } from '../row.ts'
import { all, first, sql, type Verb } from '../verb.ts'

interface RemainingWays {
  /** The providers by which people can sign in now. */
  readonly served: readonly string[]
  /** The provider that is about to be unlinked. */
  readonly without?: string
}

/** By a password, a passkey, or a provider. An app's code alone is not enough. */
export function* hasWayIn(tenant: TenantId, subject: string, { served, without }: RemainingWays): Verb<boolean> {
  const user = yield* first(sql`select password_hash from users where tenant = ${tenant} and id = ${subject}`)
  if (user !== null && maybeText(user, 'password_hash') !== null) return true
  const passkey = yield* first(sql`select id from passkeys where tenant = ${tenant} and subject = ${subject} limit 1`)
  if (passkey !== null) return true
  const linked = yield* all(sql`select provider from identities where tenant = ${tenant} and subject = ${subject}`)
  return linked.map((row) => text(row, 'provider')).some((it) => it !== without && served.includes(it))
}
