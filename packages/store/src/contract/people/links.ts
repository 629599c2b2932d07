/** Links that were mailed: whoever follows one reads that mailbox. One use, the newest only. */
import type { NewEvent } from '@grantor/protocol/events'
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'
import type { NewMail } from '../outgoing/mails.ts'
import type { UserChange } from './users.ts'

export interface LinkRow {
  readonly tenant: TenantId
  readonly handle: Handle
  readonly purpose: 'reset' | 'address'
  readonly subject: string
  /** The address it was sent to. */
  readonly email: string
  readonly madeAt: Instant
  readonly expiresAt: Instant
}

/** A change of the password kills the reset links of a person, a change of the address kills all of them (users.change). */
export interface LinkStore {
  find(tenant: TenantId, handle: Handle): Promise<LinkRow | null>
  /** Each link replaces the person's earlier one of its purpose; `instead` is the queued request that they answer. */
  mail(mailing: {
    readonly links: readonly { readonly link: LinkRow; readonly mail: NewMail }[]
    readonly instead: Pick<NewMail, 'tenant' | 'id'> | null
    readonly events: readonly NewEvent[]
  }): Promise<'mailed' | 'gone'>
  /** Uses the link up and makes the change it allows, or neither. 'gone': spent, replaced, expired or never there. */
  spend(spending: {
    readonly handle: Handle
    readonly change: UserChange
    readonly mails: readonly NewMail[]
    readonly events: readonly NewEvent[]
  }): Promise<'spent' | 'gone' | 'changed-meanwhile'>
}
