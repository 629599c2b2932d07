/** The visitor: a browser, the accounts signed in to it, and the cookies it will be given. */
import { isSessionAlive } from '@grantor/protocol/authorize'
import type { Policy } from '@grantor/protocol/oauth'
import type { Authentication, Person } from '@grantor/protocol/people'
import type { Handle, Secret } from '@grantor/protocol/types'
import type { SessionRow, Store } from '@grantor/store'
import type { Origin } from '../events.ts'
import type { Clock, Ids } from '../ports/environment.ts'
import type { People } from '../ports/people.ts'

/** Cookies and origin of a request, as the transport read them. */
export interface Visitor extends Origin {
  /** The secret that names the browser and binds interactions to it. It proves nothing else. */
  readonly browser: Secret | null
  /** The secrets of the sessions in this browser, one per account. */
  readonly sessions: readonly Secret[]
  /** The sealed pending sign-in of this browser (see pending-second-factor.ts). */
  readonly pendingSecondFactor: string | null
  /** One secret per person who trusts this browser (see factors/remembered-browser.ts). */
  readonly remembered: readonly Secret[]
  readonly userAgent: string | null
}

/** The cookies that the browser is to keep from now on; absent means unchanged. */
export interface CookieChanges {
  readonly browser?: Secret
  readonly sessions?: readonly Secret[]
  /** Null deletes the cookie. */
  readonly pendingSecondFactor?: string | null
  readonly remembered?: readonly Secret[]
}

/** An account of this browser whose session is valid and whose person may sign in. */
export interface Account {
  readonly secret: Secret
  readonly session: SessionRow
  readonly person: Person
  readonly authentication: Authentication
}

/** Further accounts are not looked up: a long cookie must not cause many reads. */
export const maxAccounts = 8
/** Milliseconds: when a session was last seen is written once a minute, not at every request. */
const touchAfter = 60_000

export interface AccountDependencies {
  readonly clock: Clock
  readonly ids: Pick<Ids, 'handleOf'>
  readonly people: People
  readonly policy: Policy
  readonly store: Pick<Store, 'sessions'>
}

/** In the order of their sign-ins; if there are too many, only the newest. */
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
    // The password as it was when the session was checked: a change since then is noticed by whatever depends on it.
    const seen = { ...person, passwordChangedAt: session.passwordSeen ?? null }
    accounts.push({ secret, session, person: seen, authentication: session.authentication })
  }
  return accounts
}

export const browserHandle = ({ browser }: Visitor, { handleOf }: Pick<Ids, 'handleOf'>): Handle | null =>
  browser === null ? null : handleOf(browser)
