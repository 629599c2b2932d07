/**
 * A sign-in whose second factor is still missing: the person has shown the password, or came from a provider. It is not
 * a session and gives no access. It is kept sealed in a cookie of that browser, for a few minutes or until the password
 * changes.
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
  /** When the password was shown, here or at the provider: the `auth_time` of the sign-in will be no later. */
  readonly at: Instant
  /** When the sign-in arrived here, from which its few minutes count. */
  readonly since: Instant
  /** The latest end of the session to come; null where only the general limit applies. */
  readonly until: Instant | null
  /** The first factor, in the names of RFC 8176; empty where the provider is not trusted to name it. */
  readonly amr: readonly string[]
  /** The provider that the person came from; null for a password. */
  readonly upstream: UpstreamSession | null
}

/** The context of the seal, which binds it to tenant and browser: a stolen cookie is useless elsewhere. */
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
  // Values sealed by earlier versions end after the third member.
  const [subject, at, passwordSeen, amr = ['pwd'], upstream = null, since = at, until = null] = JSON.parse(
    Buffer.from(opened).toString(),
  ) as Sealed
  if (Math.abs(deps.clock.now() - since) > deps.policy.interactionTtl * 1000) return null
  const person = await deps.people.find(visitor.tenant, subject)
  if (person === null || person.disabledAt !== null) return null
  // A password that was changed meanwhile invalidates the sign-in.
  return (person.passwordChangedAt ?? null) === passwordSeen ? { person, at, since, until, amr, upstream } : null
}
