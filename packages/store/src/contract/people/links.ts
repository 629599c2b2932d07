/** Mailed links: whoever follows one has access to that mailbox. One use, and only the newest. */
import type { NewEvent } from '@grantor/protocol/events'
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'
import type { NewMail } from '../outgoing/mails.ts'
import type { UserChange } from './users.ts'

export interface LinkRow {
  readonly tenant: TenantId
  readonly handle: Handle
  readonly purpose: 'reset' | 'address'
  readonly subject: string
  /** The address to which it was mailed. */
  readonly email: string
  readonly madeAt: Instant
  readonly expiresAt: Instant
}

/**
 * A change of the password deletes the reset links of a person, a change of the address all of their links
 * (users.change).
 */
export interface LinkStore {
  find(tenant: TenantId, handle: Handle): Promise<LinkRow | null>
  /** Each link replaces the person's earlier one of its purpose; `instead` is the queued request that they answer. */
  mail(mailing: {
    readonly links: readonly { readonly link: LinkRow; readonly mail: NewMail }[]
    readonly instead: Pick<NewMail, 'tenant' | 'id'> | null
    readonly events: readonly NewEvent[]
  }): Promise<'mailed' | 'gone'>
  /** Uses up the link and makes its change, or neither. 'gone': used, replaced, expired or unknown. */
  spend(spending: {
    readonly handle: Handle
    readonly change: UserChange
    readonly mails: readonly NewMail[]
    readonly events: readonly NewEvent[]
  }): Promise<'spent' | 'gone' | 'changed-meanwhile'>
}
