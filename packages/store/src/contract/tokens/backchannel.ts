/** CIBA requests. They wait like device codes, and use the same polling, approval and denial. */
import type { NewEvent } from '@grantor/protocol/events'
import type { Handle, Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import type { Basis } from '../directory/basis.ts'
import type { InteractionRow } from '../people/interactions.ts'
import type { NewDevice } from './devices.ts'

export interface NewBackchannelRequest extends Omit<NewDevice, 'userCode'> {
  /** The person who may answer; null if the hint named nobody. */
  readonly subject: string | null
  /** The parameters of the request besides the requested access. */
  readonly terms: JsonObject
  /** Sealed: the notification for the client once the request is decided; null if the client only polls. */
  readonly notification: Uint8Array | null
}

export interface BackchannelRequestRow extends Omit<NewBackchannelRequest, 'subject' | 'notification'> {
  readonly subject: string
}

/** A due notification of a client, as the caller took it. */
export interface BackchannelNotification {
  readonly tenant: TenantId
  readonly handle: Handle
  readonly clientId: string
  readonly sealed: Uint8Array
  readonly expiresAt: Instant
  /** The number of this try, from 1. */
  readonly tries: number
}

export interface BackchannelStore {
  /**
   * 'unasked': the maximum number of requests waits for the person. The request is stored like any other, but the
   * person is not asked, and the events `unasked` are written instead of `events`.
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
  /** The undecided, unexpired requests to one person; the oldest first. */
  waitingFor(tenant: TenantId, subject: string, now: Instant): Promise<readonly BackchannelRequestRow[]>
  /**
   * The person begins to answer: an earlier interaction with it, in any browser, is closed. 'gone' if the request is
   * not theirs, or no longer waits.
   */
  claim(request: Handle, subject: string, interaction: InteractionRow): Promise<'claimed' | 'gone'>
  /** The hash of the person's user code; null if they have none. */
  userCodeHash(tenant: TenantId, subject: string): Promise<string | null>
  /** Sets the user code, or removes it (null). */
  setUserCode(
    it: { readonly tenant: TenantId; readonly subject: string; readonly hash: string | null; readonly at: Instant },
    events: readonly NewEvent[],
  ): Promise<void>
  /** Whether any notification is due. */
  notificationsDue(now: Instant): Promise<boolean>
  /**
   * The notification that has been due longest, for this caller alone; due again after `lease`, four times that, nine
   * times that …
   */
  takeNotification(it: {
    readonly now: Instant
    readonly lease: number
    /** Up to fifteen clients, as `tenant client`, whose rows are not taken now. */
    readonly busy: readonly string[]
  }): Promise<BackchannelNotification | null>
  /** Records that it was delivered or given up, with the events. */
  settleNotification(
    it: Pick<BackchannelNotification, 'tenant' | 'handle' | 'tries'>,
    events: readonly NewEvent[],
  ): Promise<'settled' | 'taken-again'>
}
