/** Devices: codes that wait for a person to type them, approve or deny (RFC 8628). Polling reads them as GrantStore.device. */
import type { NewEvent } from '@grantor/protocol/events'
import type { Handle, Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import type { Basis } from '../directory/basis.ts'
import type { InteractionRow } from '../people/interactions.ts'
import type { OpenGrant } from './grants.ts'

export interface NewDevice {
  readonly tenant: TenantId
  /** Of the device code. */
  readonly handle: Handle
  /** A keyed hash of the user code: a plain one could be undone by trying all codes. */
  readonly userCode: Handle
  readonly clientId: string
  /** What it asked for, as the protocol judged it. */
  readonly request: JsonObject
  /** Where it was asked from, for the person to recognise. */
  readonly ip: string | null
  readonly userAgent: string | null
  readonly askedAt: Instant
  readonly expiresAt: Instant
  /** Seconds. */
  readonly interval: number
  readonly salt: Uint8Array
}

export interface DeviceRow extends NewDevice {
  /** The browser in which the code was typed; it is nobody else's from then on. */
  readonly browser: Handle | null
  readonly deniedAt: Instant | null
  readonly approved: boolean
}

/** Those that wait, the newest first: so many that were asked for before the one that is named. */
export interface DeviceSearch {
  readonly clientId: string | null
  readonly before: Pick<DeviceRow, 'askedAt' | 'handle'> | null
  readonly limit: number
}

export interface DeviceStore {
  /** 'taken': another device has this user code; ask again with another. */
  open(device: NewDevice, basis: Basis): Promise<'opened' | 'taken' | 'stale'>
  find(tenant: TenantId, handle: Handle): Promise<DeviceRow | null>
  byUserCode(tenant: TenantId, userCode: Handle): Promise<DeviceRow | null>
  /**
   * The code was typed: from now on it belongs to the browser of this interaction. The same browser may type it again,
   * which ends the interaction before; another one may not, and nobody when it is decided or over.
   */
  claim(device: Handle, interaction: InteractionRow): Promise<'claimed' | 'gone'>
  /** Approved: grant and consent record come to be, and the interaction is over. Only what was claimed by it counts. */
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
  /** Of those that nobody has answered and that are not over; what asks by the back channel is not among them. */
  pending(tenant: TenantId, now: Instant, search: DeviceSearch): Promise<readonly DeviceRow[]>
  /** Without its person: an interaction that has it is over. */
  refuse(refusal: {
    readonly tenant: TenantId
    readonly device: Handle
    readonly at: Instant
    readonly events: readonly NewEvent[]
  }): Promise<'denied' | 'absent'>
  /** It polled too fast: `by` seconds more between its polls from now on, `most` at the utmost. */
  slowDown(tenant: TenantId, device: Handle, how: { readonly by: number; readonly most: number }): Promise<void>
}
