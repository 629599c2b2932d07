/** Who stands before us: a browser, the accounts signed in to it, and what it will be told to remember. */
import { isSessionAlive } from '@grantor/protocol/authorize'
import type { Authentication, Person } from '@grantor/protocol/people'
import type { Handle, Instant, Secret } from '@grantor/protocol/types'
import type { SessionRow } from '@grantor/store'
import type { Origin } from '../events.ts'
import type { Hands } from '../hands.ts'

/** Cookies and circumstances of a request, as the transport read them. */
export interface Visitor extends Origin {
  /** Names the browser; binds interactions to it. Not a proof of anything else. */
  readonly browser: Secret | null
  /** One per account that is signed in here. */
  readonly sessions: readonly Secret[]
  /** Sealed: who has shown the password here (see pending-second-factor.ts). */
  readonly pendingSecondFactor: string | null
  /** One per person who trusts this browser (see factors/remembered-browser.ts). */
  readonly remembered: readonly Secret[]
  readonly userAgent: string | null
}

/** What the browser is told to keep from now on; absent means unchanged. */
export interface CookieChanges {
  readonly browser?: Secret
  readonly sessions?: readonly Secret[]
  /** Null: no longer. */
  readonly pendingSecondFactor?: string | null
  readonly remembered?: readonly Secret[]
}

/** An account of this browser whose session stands and whose person may sign in. */
export interface Account {
  readonly secret: Secret
  readonly session: SessionRow
  readonly person: Person
  readonly authentication: Authentication
  /** When the session was seen to stand: what ends it later must be noticed by whatever still rests on it. */
  readonly seenAt: Instant
}

/** More accounts than anybody switches between are not looked up: a cookie must not be a way to make us read. */
const maxAccounts = 8
/** Being seen is written down once a minute, not at every request. */
const touchAfter = 60_000

export async function accountsOf(visitor: Visitor, hands: Hands): Promise<readonly Account[]> {
  const now = hands.clock.now()
  const accounts: Account[] = []
  for (const secret of visitor.sessions.slice(0, maxAccounts)) {
    const session = await hands.store.sessions.find(visitor.tenant, hands.ids.handleOf(secret))
    if (session === null || !isSessionAlive(session, hands.policy, now)) continue
    const person = await hands.people.find(visitor.tenant, session.authentication.subject)
    if (person === null || person.disabledAt !== null) continue
    if (now - session.lastSeenAt > touchAfter) await hands.store.sessions.touch(visitor.tenant, session.id, now)
    accounts.push({ secret, session, person, authentication: session.authentication, seenAt: now })
  }
  return accounts
}

export const browserHandle = (visitor: Visitor, hands: Pick<Hands, 'ids'>): Handle | null =>
  visitor.browser === null ? null : hands.ids.handleOf(visitor.browser)
