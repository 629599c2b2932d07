/** Who stands before us: a browser, the accounts signed in to it, and what it will be told to remember. */
import { isSessionAlive } from '@grantor/protocol/authorize'
import type { Policy } from '@grantor/protocol/oauth'
import type { Authentication, Person } from '@grantor/protocol/people'
import type { Handle, Secret } from '@grantor/protocol/types'
import type { SessionRow, Store } from '@grantor/store'
import type { Origin } from '../events.ts'
import type { Clock, Ids } from '../ports/environment.ts'
import type { People } from '../ports/people.ts'

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
}

/** More accounts than anybody switches between are not looked up: a cookie must not be a way to make us read. */
export const maxAccounts = 8
/** Being seen is written down once a minute, not at every request. */
const touchAfter = 60_000

export interface AccountDependencies {
  readonly clock: Clock
  readonly ids: Pick<Ids, 'handleOf'>
  readonly people: People
  readonly policy: Policy
  readonly store: Pick<Store, 'sessions'>
}

/** In the order of their sign-ins; where there are too many, the newest. */
export async function accountsOf(
  { tenant, sessions }: Visitor,
  { clock, ids, people, policy, store }: AccountDependencies,
): Promise<readonly Account[]> {
  const now = clock.now()
  const accounts: Account[] = []
  for (const secret of sessions.slice(-maxAccounts)) {
    const session = await store.sessions.find(tenant, ids.handleOf(secret))
    if (session === null || !isSessionAlive(session, policy, now)) continue
    const person = await people.find(tenant, session.authentication.subject)
    if (person === null || person.disabledAt !== null) continue
    if (now - session.lastSeenAt > touchAfter) await store.sessions.touch(tenant, session.id, now)
    // As it was when the session was seen to stand: what ended it since is noticed by whatever rests on it.
    const seen = { ...person, passwordChangedAt: session.passwordSeen ?? null }
    accounts.push({ secret, session, person: seen, authentication: session.authentication })
  }
  return accounts
}

export const browserHandle = ({ browser }: Visitor, { handleOf }: Pick<Ids, 'handleOf'>): Handle | null =>
  browser === null ? null : handleOf(browser)
