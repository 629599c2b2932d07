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
  /** Ties the accounts signed in to one browser together. */
  readonly browser: Handle
  readonly authentication: Authentication
  readonly createdAt: Instant
  readonly lastSeenAt: Instant
  readonly expiresAt: Instant
  readonly endedAt: Instant | null
  readonly ip: string | null
  readonly userAgent: string | null
  /** By whom the person came in; left out for those who signed in here. */
  readonly upstream?: UpstreamSession
}

/** The session of a provider that one of ours rests on. */
export interface UpstreamSession {
  readonly provider: string
  /** Its `sid`; null where it said none. */
  readonly sid: string | null
}

/** So many, begun before the one that is named (null: from the newest on). */
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
 * What a proof rested on: the person's `passwordChangedAt` as whoever looked at the proof saw it. A commit that rests on
 * the proof finds it unchanged, or does nothing; no clock is asked what came first.
 */
export interface Proven {
  /** Left out for people whose passwords another directory keeps. */
  readonly passwordSeen?: Instant | null | undefined
}

export interface NewSession extends SessionRow, Proven {
  /** Not where the person has a second factor here; left out: whatever they have. */
  readonly unlessSecondFactor?: boolean
  /** Of limits, for a proof that was right: one unit of each is given back, whatever becomes of the session. */
  readonly returned?: readonly ReturnedUnit[]
}

export interface SessionStore {
  /**
   * Starts a session; `replaces` ends the one it renews in the same commit (fixation), and takes over its parties.
   * 'outdated': the password is another than was seen, or the person is disabled. What ended all sessions then must
   * not be outlived by one whose proof was being looked at meanwhile. 'second-factor': they have one, and must not.
   */
  start(
    session: NewSession,
    replaces: string | null,
    events: readonly NewEvent[],
  ): Promise<'started' | 'outdated' | 'second-factor'>
  /** With what whoever rests on it has seen of its person. */
  find(tenant: TenantId, handle: Handle): Promise<(SessionRow & Proven) | null>
  byId(tenant: TenantId, id: string): Promise<SessionRow | null>
  /** Who signed in with this browser, as far back as sessions are kept, ended ones included, and how strongly. */
  knownIn(tenant: TenantId, browser: Handle): Promise<readonly KnownPerson[]>
  /** Those that rest on this session of a provider and did not end, expired ones included. */
  byUpstream(tenant: TenantId, provider: string, sid: string): Promise<readonly SessionRow[]>
  /** The living sessions of a person, the newest first. */
  livingOf(tenant: TenantId, subject: string, page: SessionPage): Promise<readonly SessionRow[]>
  /** The living sessions of a person, or of everybody: the newest first, those whose id comes before the one named. */
  search(
    tenant: TenantId,
    now: Instant,
    search: { readonly subject: string | null; readonly before: string | null; readonly limit: number },
  ): Promise<readonly SessionRow[]>
  /** The browser of this session is no longer known to its person: every session of theirs there lets go of it. */
  forgetBrowser(tenant: TenantId, id: string): Promise<void>
  touch(tenant: TenantId, id: string, at: Instant): Promise<void>
  /** Leaves a delivery for each party of the session, as every verb does that ends one. */
  end(tenant: TenantId, id: string, at: Instant, events: readonly NewEvent[]): Promise<'ended' | 'already-ended'>
  /**
   * Ends each of these, all because of one message that is good once: what was spent before ends nothing. Of a session
   * that is over already nothing is logged. Returns how many ended.
   */
  endOnce(it: {
    readonly spent: SpentAssertion
    readonly ends: readonly { readonly id: string; readonly events: readonly NewEvent[] }[]
    readonly at: Instant
  }): Promise<number | 'already-spent'>
  /** The clients that the person signed in to in this session and that want to know of its end. */
  parties(tenant: TenantId, id: string): Promise<readonly SessionParty[]>
}
