/** Signing keys of a tenant, private halves sealed. Adding and dropping a key increase the tenant's revision. */
import type { NewEvent } from '@grantor/protocol/events'
import type { KeyRecord } from '@grantor/protocol/jose'
import type { Instant, TenantId } from '@grantor/protocol/types'

export interface KeyStore {
  /** All keys that are still stored, dropped ones included, oldest first. */
  list(tenant: TenantId): Promise<readonly KeyRecord[]>
  /** 'exists' if another node added this generation first: read again and use that one. */
  add(key: KeyRecord, events: readonly NewEvent[]): Promise<'added' | 'exists' | 'no-tenant'>
  /** Activates a published key that waits (rotate --now), and records it. 'absent': it does not wait. */
  activate(
    tenant: TenantId,
    kid: string,
    activatesAt: Instant,
    events: readonly NewEvent[],
  ): Promise<'moved' | 'absent'>
  /** Records that a key became active by the passing of time; of many nodes that notice, one writes the event. */
  noteActive(
    tenant: TenantId,
    kid: string,
    at: Instant,
    events: readonly NewEvent[],
  ): Promise<'noted' | 'already-noted'>
  drop(tenant: TenantId, kid: string, at: Instant, events: readonly NewEvent[]): Promise<'dropped' | 'absent'>
  /** Deletes keys whose last token, including leeway, expired long ago. */
  forget(tenant: TenantId, kids: readonly string[], events: readonly NewEvent[]): Promise<void>
  /** The sealed key of the log. */
  auditKey(): Promise<Uint8Array>
  /**
   * A key for one purpose, derived from the key of the log: the same on every node, and for the life of the database.
   */
  derived(purpose: string): Uint8Array
  /** Replaces secrets by newly sealed ones; all of these or none. 'changed-meanwhile': one is not as it was read. */
  rewrap(secrets: readonly Resealed[], events: readonly NewEvent[]): Promise<'rewrapped' | 'changed-meanwhile'>
}

/** One secret, sealed under another master key than before. */
export interface Resealed {
  readonly which:
    | 'audit-key'
    | Pick<KeyRecord, 'tenant' | 'kid'>
    | { readonly tenant: TenantId; readonly totpOf: string }
    | { readonly tenant: TenantId; readonly mail: string }
    | { readonly tenant: TenantId; readonly receiver: string; readonly secret: 'current' | 'previous' }
  readonly from: Uint8Array
  readonly to: Uint8Array
}
