/** Browser sessions: one per account and browser; the cookie holds a secret, the row its handle. */
import type { NewEvent } from '@grantor/protocol/events'
import type { Authentication } from '@grantor/protocol/people'
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'
import type { SpentAssertion } from '../clients/assertions.ts'
import type { ReturnedUnit } from '../limits.ts'
import type { SessionParty } from '../outgoing/deliveries.ts'

export interface SessionRow {
  readonly tenant: TenantId
  /** The `sid` of tokens; not a secret. */
  readonly id: string
  readonly handle: Handle
  /** Connects the accounts that are signed in to one browser. */
  readonly browser: Handle
  readonly authentication: Authentication
  readonly createdAt: Instant
  readonly lastSeenAt: Instant
  readonly expiresAt: Instant
  readonly endedAt: Instant | null
  readonly ip: string | null
  readonly userAgent: string | null
  /** The provider that the person signed in by; left out for a sign-in here. */
  readonly upstream?: UpstreamSession
}

/** The session at a provider on which a session here is based. */
export interface UpstreamSession {
  readonly provider: string
  /** Its `sid`; null if the provider sent none. */
  readonly sid: string | null
}

/** A page of sessions that began before the given one (null: from the newest on). */
export interface SessionPage {
  readonly now: Instant
  readonly before: Pick<SessionRow, 'createdAt' | 'id'> | null
  readonly limit: number
}

/** A person who signed in with a browser before. */
export interface KnownPerson {
  readonly subject: string
  readonly acr: string
}

/**
 * The state that a proof was checked against: the person's `passwordChangedAt` at that time. A commit based on the
 * proof finds it unchanged, or does nothing; the order of events is not decided by a clock.
 */
export interface Proven {
  /** Left out for people whose passwords another directory keeps. */
  readonly passwordSeen?: Instant | null | undefined
}

export interface NewSession extends SessionRow, Proven {
  /** Fails if the person has a second factor here; left out: not checked. */
  readonly unlessSecondFactor?: boolean
  /** For a proof that was right: limits of which one unit each is returned, even if the session does not begin. */
  readonly returned?: readonly ReturnedUnit[]
}

export interface SessionStore {
  /**
   * Starts a session; `replaces` ends the one it renews in the same commit (session fixation), and takes over its
   * parties. 'outdated': the password changed since it was checked, or the person is disabled, so that a session whose
   * proof was being checked cannot survive an event that ended all sessions. 'second-factor': the person has one, and
   * `unlessSecondFactor` was set.
   */
  start(
    session: NewSession,
    replaces: string | null,
    events: readonly NewEvent[],
  ): Promise<'started' | 'outdated' | 'second-factor'>
  /** With the person's state that a commit based on the session must find unchanged. */
  find(tenant: TenantId, handle: Handle): Promise<(SessionRow & Proven) | null>
  byId(tenant: TenantId, id: string): Promise<SessionRow | null>
  /** People who signed in with this browser, as far back as sessions are kept, ended ones included, and their acr. */
  knownIn(tenant: TenantId, browser: Handle): Promise<readonly KnownPerson[]>
  /** Sessions based on this session of a provider that have not been ended, expired ones included. */
  byUpstream(tenant: TenantId, provider: string, sid: string): Promise<readonly SessionRow[]>
  /** The active sessions of a person, the newest first. */
  livingOf(tenant: TenantId, subject: string, page: SessionPage): Promise<readonly SessionRow[]>
  /** The active sessions of a person, or of all people: the newest first, before the id `before`. */
  search(
    tenant: TenantId,
    now: Instant,
    search: { readonly subject: string | null; readonly before: string | null; readonly limit: number },
  ): Promise<readonly SessionRow[]>
  /** Makes the browser of this session unknown to its person: every session of theirs in it forgets the browser. */
  forgetBrowser(tenant: TenantId, id: string): Promise<void>
  touch(tenant: TenantId, id: string, at: Instant): Promise<void>
  /** Queues a delivery for each party of the session, as does every verb that ends one. */
  end(tenant: TenantId, id: string, at: Instant, events: readonly NewEvent[]): Promise<'ended' | 'already-ended'>
  /**
   * Ends these sessions because of one message that is accepted once: a repeated message ends nothing. For a session
   * that has ended already nothing is logged. Returns how many ended.
   */
  endOnce(it: {
    readonly spent: SpentAssertion
    readonly ends: readonly { readonly id: string; readonly events: readonly NewEvent[] }[]
    readonly at: Instant
  }): Promise<number | 'already-spent'>
  /** The clients that the person signed in to in this session and that want to be notified of its end. */
  parties(tenant: TenantId, id: string): Promise<readonly SessionParty[]>
}
