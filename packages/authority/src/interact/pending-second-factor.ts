/**
 * Half way in: who has shown the password and not yet the second factor. It is no session: sealed, it waits in a cookie
 * of the browser that showed it, opens nothing, and is over in a few minutes or with that password.
 */
import type { Person } from '@grantor/protocol/people'
import type { Instant } from '@grantor/protocol/types'
import type { Hands } from '../hands.ts'
import { browserHandle, type Keepsakes, type Visitor } from './visitor.ts'

export interface Halfway {
  readonly person: Person
  /** When the password was shown: the sign-in will be no younger than that. */
  readonly at: Instant
}

/** Bound to tenant and browser: a stolen one is worth nothing elsewhere. */
const contextOf = (visitor: Visitor, hands: Hands): string =>
  `halfway ${visitor.tenant} ${browserHandle(visitor, hands) ?? ''}`

export function keepHalfway({ person, at }: Halfway, visitor: Visitor, hands: Hands): Keepsakes {
  const browser = visitor.browser ?? hands.secret('gb_')
  const plain = Buffer.from(JSON.stringify([person.id, at]))
  const halfway = Buffer.from(hands.vault.seal(plain, contextOf({ ...visitor, browser }, hands))).toString('base64url')
  return { halfway, ...(visitor.browser === null ? { browser } : {}) }
}

export async function halfwayOf(visitor: Visitor, hands: Hands): Promise<Halfway | null> {
  if (visitor.halfway === null || visitor.browser === null) return null
  const opened = hands.vault.open(Buffer.from(visitor.halfway, 'base64url'), contextOf(visitor, hands))
  if (opened === null) return null
  const [subject, at] = JSON.parse(Buffer.from(opened).toString()) as [string, Instant]
  if (hands.now() - at > hands.policy.interactionTtl * 1000) return null
  const person = await hands.people.find(visitor.tenant, subject)
  if (person === null || person.disabledAt !== null) return null
  const user = await hands.store.users.byId(visitor.tenant, subject)
  // Whoever knew the old password only is no longer half way in.
  if (user?.passwordChangedAt !== undefined && user.passwordChangedAt !== null && user.passwordChangedAt > at)
    return null
  return { person, at }
}
