/** Clients and their secrets. */
import type { NewEvent } from '@grantor/protocol/events'
import type { Client, ClientMetadata } from '@grantor/protocol/registration'
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'

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
  /** A client may be made before it is let in: nothing is issued to it until then. */
  readonly disabledAt?: Instant | null
  /** Of one that registered itself: the handle of the token that manages it (RFC 7592). */
  readonly registrationAccess?: Handle
  /** Of one that is a document: until when its copy is believed. */
  readonly freshUntil?: Instant
  /** Of one that registered itself: it had an initial access token. */
  readonly vouched?: boolean
}

/** 'subject-of-person': its tokens would carry the `sub` of somebody. */
export type ClientCreation = 'created' | 'exists' | 'no-tenant' | 'subject-of-person'

export interface ClientUse extends Pick<Client, 'tenant' | 'id'> {
  readonly at: Instant
}

export interface ClientStore {
  find(tenant: TenantId, id: string): Promise<Client | null>
  /** By id, ascending unless said otherwise; `after` is the last one seen, in that order. */
  list(
    tenant: TenantId,
    page: { readonly after: string | null; readonly limit: number; readonly descending?: boolean },
  ): Promise<readonly Client[]>
  create(client: NewClient, events: readonly NewEvent[]): Promise<ClientCreation>
  /** Clients of a database from before names were kept apart, whose tokens would carry the `sub` of a person. */
  namedAsPeople(): Promise<readonly Client[]>
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
  /** Replaces what a client says of itself, if `version` is still the one. */
  replace(change: {
    readonly tenant: TenantId
    readonly id: string
    readonly version: number
    readonly metadata: ClientMetadata
    readonly disabledAt: Instant | null
    /** Instead of those it has; null leaves them. */
    readonly secrets: readonly ClientSecretRow[] | null
    /** Scopes that its living grants lose with this, for good; none where left out. */
    readonly losesScope?: readonly string[]
    readonly at: Instant
    readonly events: readonly NewEvent[]
  }): Promise<'replaced' | 'absent' | 'changed-meanwhile'>
  /** That they were given tokens; clients that are gone are left out, and no time goes back. */
  noteUses(uses: readonly ClientUse[]): Promise<void>
  /** With a version, only if it is still the one. */
  remove(
    tenant: TenantId,
    which: string | { readonly id: string; readonly version: number },
    at: Instant,
    events: readonly NewEvent[],
  ): Promise<'removed' | 'absent' | 'changed-meanwhile'>
}
