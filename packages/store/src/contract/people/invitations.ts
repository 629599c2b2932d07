/** Invitations: whoever shows the secret of one may make an account for its address. One use, the newest only. */
import type { NewEvent } from '@grantor/protocol/events'
import type { Handle, Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import type { NewMail } from '../outgoing/mails.ts'
import type { UserRow } from './users.ts'

export interface InvitationRow {
  readonly tenant: TenantId
  /** Not a secret. */
  readonly id: string
  readonly handle: Handle
  /** Asked for by whoever has the address, or by an administrator. */
  readonly kind: 'sign_up' | 'invitation'
  /** The only address that the account may begin with. */
  readonly email: string
  /** What the account has from the beginning. */
  readonly preset: JsonObject
  readonly invitedBy: string | null
  /** The authorization that was left for it. */
  readonly sealedReturn: Uint8Array | null
  readonly madeAt: Instant
  readonly expiresAt: Instant
}

export interface InvitationStore {
  find(tenant: TenantId, handle: Handle): Promise<InvitationRow | null>
  byId(tenant: TenantId, id: string): Promise<InvitationRow | null>
  /** Those of administrators that are not over, the newest first; so many whose id comes before the one named. */
  waiting(
    tenant: TenantId,
    page: { readonly now: Instant; readonly before: string | null; readonly limit: number },
  ): Promise<readonly InvitationRow[]>
  /**
   * Replaces the earlier one of its kind and address; without one only the mail goes out. `instead` is the queued
   * request that it answers.
   */
  make(making: {
    readonly invitation: InvitationRow | null
    readonly mails: readonly NewMail[]
    readonly instead: Pick<NewMail, 'tenant' | 'id'> | null
    readonly events: readonly NewEvent[]
  }): Promise<'made' | 'gone'>
  /**
   * Uses it up and makes the account, or neither; all others for the address go with it. 'gone': used, replaced, over or
   * never there. 'exists': somebody has the address or the name meanwhile.
   */
  accept(acceptance: {
    readonly handle: Handle
    readonly user: Omit<UserRow, 'version'>
    /** The ids of groups to begin in; one that is gone is passed over, as is a role of the user. */
    readonly groupIds?: readonly string[]
    readonly at: Instant
    readonly events: readonly NewEvent[]
  }): Promise<'accepted' | 'gone' | 'exists'>
  revoke(tenant: TenantId, id: string, events: readonly NewEvent[]): Promise<'revoked' | 'absent'>
}
