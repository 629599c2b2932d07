/**
 * Half way in: who has shown the password, or came from a provider, and not yet shown the second factor. It is no session: sealed, it waits in a cookie
 * of the browser that showed it, opens nothing, and is over in a few minutes or with that password.
 */
import type { Policy } from '@grantor/protocol/oauth'
import type { Person } from '@grantor/protocol/people'
import type { Instant } from '@grantor/protocol/types'
import type { UpstreamSession } from '@grantor/store'
import type { Clock, Ids } from '../ports/environment.ts'
import type { People } from '../ports/people.ts'
import type { Vault } from '../ports/vault.ts'
import { browserHandle, type CookieChanges, type Visitor } from './visitor.ts'

export interface PendingFactorDependencies {
  readonly clock: Clock
  readonly ids: Ids
  readonly people: People
  readonly policy: Policy
  readonly vault: Vault
}

export interface PendingSecondFactor {
  readonly person: Person
  /** When the password was shown, here or at the provider: the sign-in will be no younger than that. */
  readonly at: Instant
  /** When that was known here. */
  readonly since: Instant
  /** How long the session may stand at most; null: as long as any. */
  readonly until: Instant | null
  /** How: nothing is known of it where a provider is not believed. */
  readonly amr: readonly string[]
  /** By whom; null for a password. */
  readonly upstream: UpstreamSession | null
}

/** Bound to tenant and browser: a stolen one is worth nothing elsewhere. */
const contextOf = (visitor: Visitor, ids: Ids): string =>
  `halfway ${visitor.tenant} ${browserHandle(visitor, ids) ?? ''}`

type Sealed = [
  string,
  Instant,
  Instant | null,
  (readonly string[])?,
  (UpstreamSession | null)?,
  Instant?,
  (Instant | null)?,
]

export function sealPendingSecondFactor(
  { person, at, since, until, amr, upstream }: PendingSecondFactor,
  visitor: Visitor,
  deps: PendingFactorDependencies,
): CookieChanges {
  const browser = visitor.browser ?? deps.ids.secret('gb_')
  const sealed: Sealed = [person.id, at, person.passwordChangedAt ?? null, amr, upstream, since, until]
  const plain = Buffer.from(JSON.stringify(sealed))
  const pending = Buffer.from(deps.vault.seal(plain, contextOf({ ...visitor, browser }, deps.ids))).toString(
    'base64url',
  )
  return { pendingSecondFactor: pending, ...(visitor.browser === null ? { browser } : {}) }
}

export async function pendingSecondFactorOf(
  visitor: Visitor,
  deps: PendingFactorDependencies,
): Promise<PendingSecondFactor | null> {
  if (visitor.pendingSecondFactor === null || visitor.browser === null) return null
  const opened = deps.vault.open(Buffer.from(visitor.pendingSecondFactor, 'base64url'), contextOf(visitor, deps.ids))
  if (opened === null) return null
  // One from before people came from elsewhere says nothing of it.
  const [subject, at, passwordSeen, amr = ['pwd'], upstream = null, since = at, until = null] = JSON.parse(
    Buffer.from(opened).toString(),
  ) as Sealed
  if (Math.abs(deps.clock.now() - since) > deps.policy.interactionTtl * 1000) return null
  const person = await deps.people.find(visitor.tenant, subject)
  if (person === null || person.disabledAt !== null) return null
  // Whoever knew the old password only is no longer half way in.
  return (person.passwordChangedAt ?? null) === passwordSeen ? { person, at, since, until, amr, upstream } : null
}
