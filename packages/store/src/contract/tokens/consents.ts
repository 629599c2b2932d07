/** Consent records: proof of approval, never edited. Remembered consent is read from them. */
import type { GivenDetails } from '@grantor/protocol/authorize'
import type { NewEvent } from '@grantor/protocol/events'
import type { GrantId, Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import type { AccessSearch } from './searches.ts'

/** Who approved what, for which client, when and how. `client` is how the client was displayed. */
export interface NewConsent {
  readonly id: string
  readonly tenant: TenantId
  readonly subject: string
  readonly clientId: string
  readonly client: JsonObject
  readonly scope: string
  readonly resources: readonly string[]
  readonly authorizationDetails: GivenDetails | null
  readonly claims: JsonObject | null
  readonly grantedAt: Instant
  readonly expiresAt: Instant | null
  readonly how: 'page' | 'device' | 'back_channel' | 'administrator'
  readonly textVersion: string
  readonly grantId: GrantId
}

export interface ConsentRecord extends NewConsent {
  readonly revokedAt: Instant | null
  readonly revokedBy: string | null
}

export interface ConsentStore {
  /** Every record in force for this person and client, oldest first. */
  inForce(tenant: TenantId, subject: string, clientId: string, now: Instant): Promise<readonly ConsentRecord[]>
  /** All records of a person, newest first, withdrawn ones included. */
  ofSubject(tenant: TenantId, subject: string, limit: number): Promise<readonly ConsentRecord[]>
  find(tenant: TenantId, id: string): Promise<ConsentRecord | null>
  /** All records, withdrawn ones included, the newest first. */
  search(tenant: TenantId, search: AccessSearch): Promise<readonly ConsentRecord[]>
  /**
   * Withdraws every consent in force of the person to the client and revokes every grant between them, in one commit.
   */
  withdraw(withdrawal: {
    readonly tenant: TenantId
    readonly subject: string
    readonly clientId: string
    readonly by: string
    readonly at: Instant
    /** Written once, for the withdrawal. */
    readonly event: NewEvent
    /** The template of the grant.revoked event of each revoked grant: its grantId and a fresh id are filled in. */
    readonly grantEvent: NewEvent
  }): Promise<readonly GrantId[]>
}
