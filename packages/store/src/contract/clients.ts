/** Clients and their secrets. */
import type { Client, ClientMetadata, Handle, Instant, NewEvent, TenantId } from '@grantor/protocol'

export interface ClientSecretRow {
  readonly handle: Handle
  readonly createdAt: Instant
  readonly expiresAt: Instant | null
}

export interface NewClient {
  readonly tenant: TenantId
  readonly id: string
  readonly metadata: ClientMetadata
  readonly origin: Client['origin']
  readonly secrets: readonly ClientSecretRow[]
  readonly createdAt: Instant
  /** A client may be declared before it is let in. */
  readonly disabledAt?: Instant | null
}

export interface ClientStore {
  find(tenant: TenantId, id: string): Promise<Client | null>
  /** By id, ascending. */
  list(tenant: TenantId, page: { readonly after: string | null; readonly limit: number }): Promise<readonly Client[]>
  create(client: NewClient, events: readonly NewEvent[]): Promise<'created' | 'exists' | 'no-tenant'>
  /**
   * Adds a secret; the others that have no earlier end expire at `othersExpireAt`, so that rotation overlaps. Of several
   * rotations planned on one version exactly one happens.
   */
  rotateSecret(rotation: {
    readonly tenant: TenantId
    readonly id: string
    /** The client's version this rotation was planned against. */
    readonly version: number
    readonly secret: ClientSecretRow
    readonly at: Instant
    readonly othersExpireAt: Instant
    readonly events: readonly NewEvent[]
  }): Promise<'rotated' | 'absent' | 'changed-meanwhile'>
  remove(tenant: TenantId, id: string, at: Instant, events: readonly NewEvent[]): Promise<'removed' | 'absent'>
}
