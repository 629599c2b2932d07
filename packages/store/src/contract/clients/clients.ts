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
  /** A client may be created disabled: nothing is issued to it until it is enabled. */
  readonly disabledAt?: Instant | null
  /** For a client that registered itself: the handle of the token that manages it (RFC 7592). */
  readonly registrationAccess?: Handle
  /** For a client from a metadata document: until when its copy is valid. */
  readonly freshUntil?: Instant
  /** For a client that registered itself: whether it had an initial access token. */
  readonly vouched?: boolean
}

/** 'subject-of-person': its tokens would carry the `sub` of a person. */
export type ClientCreation = 'created' | 'exists' | 'no-tenant' | 'subject-of-person'

export interface ClientUse extends Pick<Client, 'tenant' | 'id'> {
  readonly at: Instant
}

export interface ClientStore {
  find(tenant: TenantId, id: string): Promise<Client | null>
  /** Ordered by id, ascending by default; `after` is the last id of the previous page, in that order. */
  list(
    tenant: TenantId,
    page: { readonly after: string | null; readonly limit: number; readonly descending?: boolean },
  ): Promise<readonly Client[]>
  create(client: NewClient, events: readonly NewEvent[]): Promise<ClientCreation>
  /**
   * Clients of an older database, which did not keep ids of clients and people apart, whose tokens would carry the
   * `sub` of a person.
   */
  namedAsPeople(): Promise<readonly Client[]>
  /**
   * Adds a secret; the others expire at `othersExpireAt` unless they expire earlier, so that rotation overlaps. Of
   * several rotations planned on one version exactly one happens.
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
  /** Replaces the metadata of a client, if `version` is still current. */
  replace(change: {
    readonly tenant: TenantId
    readonly id: string
    readonly version: number
    readonly metadata: ClientMetadata
    readonly disabledAt: Instant | null
    /** Replaces its secrets; null leaves them. */
    readonly secrets: readonly ClientSecretRow[] | null
    /** Scopes that its active grants lose permanently by this; none if left out. */
    readonly losesScope?: readonly string[]
    readonly at: Instant
    readonly events: readonly NewEvent[]
  }): Promise<'replaced' | 'absent' | 'changed-meanwhile'>
  /** Records that the clients received tokens; removed clients are skipped, and no time goes back. */
  noteUses(uses: readonly ClientUse[]): Promise<void>
  /** With a version, only if it is still current. */
  remove(
    tenant: TenantId,
    which: string | { readonly id: string; readonly version: number },
    at: Instant,
    events: readonly NewEvent[],
  ): Promise<'removed' | 'absent' | 'changed-meanwhile'>
}
