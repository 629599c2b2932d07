/** Requests that clients make by the back channel (CIBA). They wait as devices do: polling, approval and denial are theirs. */
import type { NewEvent } from '@grantor/protocol/events'
import type { Handle, Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import type { Basis } from '../directory/basis.ts'
import type { InteractionRow } from '../people/interactions.ts'
import type { NewDevice } from './devices.ts'

export interface NewBackchannelRequest extends Omit<NewDevice, 'userCode'> {
  /** The person who may answer; null where the hint meant nobody. */
  readonly subject: string | null
  /** What it says beside the access that it asks for. */
  readonly terms: JsonObject
  /** Sealed: what the client is told once it is decided; null where it only polls. */
  readonly notification: Uint8Array | null
}

export interface BackchannelRequestRow extends Omit<NewBackchannelRequest, 'subject' | 'notification'> {
  readonly subject: string
}

/** What a client is to be told, taken by one who tells it. */
export interface BackchannelNotification {
  readonly tenant: TenantId
  readonly handle: Handle
  readonly clientId: string
  readonly sealed: Uint8Array
  readonly expiresAt: Instant
  /** Which try this is, counted from 1. */
  readonly tries: number
}

export interface BackchannelStore {
  /**
   * 'unasked': as many wait for the person as may. It is kept like any other, but nobody is asked, and `unasked` are
   * written instead of `events`.
   */
  open(
    request: NewBackchannelRequest,
    it: {
      readonly basis: Basis
      readonly mostWaiting: number
      readonly events: readonly NewEvent[]
      readonly unasked: readonly NewEvent[]
    },
  ): Promise<'opened' | 'unasked' | 'stale'>
  /** Of one person, neither decided nor over; the oldest first. */
  waitingFor(tenant: TenantId, subject: string, now: Instant): Promise<readonly BackchannelRequestRow[]>
  /** The person answers: what was begun before, in whatever browser, is over. 'gone' where it is not theirs to answer. */
  claim(request: Handle, subject: string, interaction: InteractionRow): Promise<'claimed' | 'gone'>
  /** Of the code that a person has applications name; null where they have none. */
  userCodeHash(tenant: TenantId, subject: string): Promise<string | null>
  /** Sets it, or does away with it (null). */
  setUserCode(
    it: { readonly tenant: TenantId; readonly subject: string; readonly hash: string | null; readonly at: Instant },
    events: readonly NewEvent[],
  ): Promise<void>
  /** Whether anything is to be told. */
  notificationsDue(now: Instant): Promise<boolean>
  /** What has been due longest, for the caller alone: due again after `lease`, four times that, nine times that … */
  takeNotification(it: {
    readonly now: Instant
    readonly lease: number
    /** Up to fifteen clients, as `tenant client`, that are left alone for now. */
    readonly busy: readonly string[]
  }): Promise<BackchannelNotification | null>
  /** Told, or given up for good, with the events that say so. */
  settleNotification(
    it: Pick<BackchannelNotification, 'tenant' | 'handle' | 'tries'>,
    events: readonly NewEvent[],
  ): Promise<'settled' | 'taken-again'>
}
