/**
 * Half way in: who has shown the password and not yet the second factor. It is no session: sealed, it waits in a cookie
 * of the browser that showed it, opens nothing, and is over in a few minutes or with that password.
 */
import type { Person } from '@grantor/protocol/people'
import type { Instant } from '@grantor/protocol/types'
import type { Hands } from '../hands.ts'
import { browserHandle, type CookieChanges, type Visitor } from './visitor.ts'

export interface PendingSecondFactor {
  readonly person: Person
  /** When the password was shown: the sign-in will be no younger than that. */
  readonly at: Instant
}

/** Bound to tenant and browser: a stolen one is worth nothing elsewhere. */
const contextOf = (visitor: Visitor, hands: Hands): string =>
  `halfway ${visitor.tenant} ${browserHandle(visitor, hands) ?? ''}`

export function sealPendingSecondFactor(
  { person, at }: PendingSecondFactor,
  visitor: Visitor,
  hands: Hands,
): CookieChanges {
  const browser = visitor.browser ?? hands.ids.secret('gb_')
  const plain = Buffer.from(JSON.stringify([person.id, at]))
  const pending = Buffer.from(hands.vault.seal(plain, contextOf({ ...visitor, browser }, hands))).toString('base64url')
  return { pendingSecondFactor: pending, ...(visitor.browser === null ? { browser } : {}) }
}

export async function pendingSecondFactorOf(visitor: Visitor, hands: Hands): Promise<PendingSecondFactor | null> {
  if (visitor.pendingSecondFactor === null || visitor.browser === null) return null
  const opened = hands.vault.open(Buffer.from(visitor.pendingSecondFactor, 'base64url'), contextOf(visitor, hands))
  if (opened === null) return null
  const [subject, at] = JSON.parse(Buffer.from(opened).toString()) as [string, Instant]
  if (hands.clock.now() - at > hands.policy.interactionTtl * 1000) return null
  const person = await hands.people.find(visitor.tenant, subject)
  if (person === null || person.disabledAt !== null) return null
  const user = await hands.store.users.byId(visitor.tenant, subject)
  // Whoever knew the old password only is no longer half way in.
  if (user?.passwordChangedAt !== undefined && user.passwordChangedAt !== null && user.passwordChangedAt > at)
    return null
  return { person, at }
}
