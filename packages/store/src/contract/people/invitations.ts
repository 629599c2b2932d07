/**
 * Invitations: whoever has the secret of one may create an account for its address. One use, and only the newest of an
 * address.
 */
import type { NewEvent } from '@grantor/protocol/events'
import type { Handle, Instant, JsonObject, TenantId } from '@grantor/protocol/types'
import type { NewMail } from '../outgoing/mails.ts'
import type { UserRow } from './users.ts'

export interface InvitationRow {
  readonly tenant: TenantId
  /** Not a secret. */
  readonly id: string
  readonly handle: Handle
  /** Requested by the owner of the address, or made by an administrator. */
  readonly kind: 'sign_up' | 'invitation'
  /** The only address with which the account may start. */
  readonly email: string
  /** What the account starts with. */
  readonly preset: JsonObject
  readonly invitedBy: string | null
  /** The sealed interaction that waits for the account. */
  readonly sealedReturn: Uint8Array | null
  readonly madeAt: Instant
  readonly expiresAt: Instant
}

export interface InvitationStore {
  find(tenant: TenantId, handle: Handle): Promise<InvitationRow | null>
  byId(tenant: TenantId, id: string): Promise<InvitationRow | null>
  /** Unexpired invitations by administrators, the newest first, before the id `before`. */
  waiting(
    tenant: TenantId,
    page: { readonly now: Instant; readonly before: string | null; readonly limit: number },
  ): Promise<readonly InvitationRow[]>
  /**
   * Replaces the earlier invitation of its kind and address; without one only the mail is queued. `instead` is the
   * queued request that it answers.
   */
  make(making: {
    readonly invitation: InvitationRow | null
    readonly mails: readonly NewMail[]
    readonly instead: Pick<NewMail, 'tenant' | 'id'> | null
    readonly events: readonly NewEvent[]
  }): Promise<'made' | 'gone'>
  /**
   * Uses up the invitation and creates the account, or neither; all others for the address are deleted. 'gone': used,
   * replaced, expired or unknown. 'exists': the address or the name was taken meanwhile.
   */
  accept(acceptance: {
    readonly handle: Handle
    readonly user: Omit<UserRow, 'version'>
    /** The ids of the initial groups; one that was removed is skipped, as is a role of the user. */
    readonly groupIds?: readonly string[]
    readonly at: Instant
    readonly events: readonly NewEvent[]
  }): Promise<'accepted' | 'gone' | 'exists'>
  revoke(tenant: TenantId, id: string, events: readonly NewEvent[]): Promise<'revoked' | 'absent'>
}
