/**
 * Device codes that wait for a person to type, approve or deny them (RFC 8628). Polling reads them by
 * GrantStore.device.
 */
import type { NewEvent } from '@grantor/protocol/events'
import type { Handle, Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import type { Basis } from '../directory/basis.ts'
import type { InteractionRow } from '../people/interactions.ts'
import type { OpenGrant } from './grants.ts'

export interface NewDevice {
  readonly tenant: TenantId
  /** The handle of the device code. */
  readonly handle: Handle
  /** A keyed hash of the user code: a plain one could be reversed by trying all codes. */
  readonly userCode: Handle
  readonly clientId: string
  /** The requested access, as the protocol accepted it. */
  readonly request: JsonObject
  /** The address of the device, for the person to recognise. */
  readonly ip: string | null
  readonly userAgent: string | null
  readonly askedAt: Instant
  readonly expiresAt: Instant
  /** Seconds. */
  readonly interval: number
  readonly salt: Uint8Array
}

export interface DeviceRow extends NewDevice {
  /** The browser in which the code was typed; from then on no other browser can use it. */
  readonly browser: Handle | null
  readonly deniedAt: Instant | null
  readonly approved: boolean
}

/** The waiting ones, the newest first, before the given one. */
export interface DeviceSearch {
  readonly clientId: string | null
  readonly before: Pick<DeviceRow, 'askedAt' | 'handle'> | null
  readonly limit: number
}

export interface DeviceStore {
  /** 'taken': another device has this user code; try again with another. */
  open(device: NewDevice, basis: Basis): Promise<'opened' | 'taken' | 'stale'>
  find(tenant: TenantId, handle: Handle): Promise<DeviceRow | null>
  byUserCode(tenant: TenantId, userCode: Handle): Promise<DeviceRow | null>
  /**
   * The code was typed: from now on it belongs to the browser of this interaction. The same browser may type it again,
   * which closes the earlier interaction; another browser may not, and nobody may once it is decided or expired.
   */
  claim(device: Handle, interaction: InteractionRow): Promise<'claimed' | 'gone'>
  /**
   * Approves the device: stores the grant and the consent record, and closes the interaction. Only the interaction that
   * claimed it can do so.
   */
  approve(
    approval: Omit<OpenGrant, 'code' | 'interaction' | 'pushed'> & {
      readonly device: Handle
      readonly interaction: Handle
    },
  ): Promise<'opened' | 'stale' | 'already-closed'>
  deny(denial: {
    readonly tenant: TenantId
    readonly device: Handle
    readonly interaction: Handle
    readonly at: Instant
    readonly events: readonly NewEvent[]
  }): Promise<'denied' | 'already-closed'>
  /** Unanswered, unexpired devices; CIBA requests are not included. */
  pending(tenant: TenantId, now: Instant, search: DeviceSearch): Promise<readonly DeviceRow[]>
  /** Denies the device without its person: an interaction that has it is closed. */
  refuse(refusal: {
    readonly tenant: TenantId
    readonly device: Handle
    readonly at: Instant
    readonly events: readonly NewEvent[]
  }): Promise<'denied' | 'absent'>
  /** It polled too fast: its interval grows by `by` seconds from now on, up to `most`. */
  slowDown(tenant: TenantId, device: Handle, how: { readonly by: number; readonly most: number }): Promise<void>
}
