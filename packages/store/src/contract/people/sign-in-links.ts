/** Sign-in links: one use, only in the browser that requested the link, and only the newest of that browser. */
import type { NewEvent } from '@grantor/protocol/events'
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'
import type { NewMail } from '../outgoing/mails.ts'

export interface SignInLinkRow {
  readonly tenant: TenantId
  readonly handle: Handle
  readonly subject: string
  /** The browser that requested the link, which alone may use it. */
  readonly browser: Handle
  /** The sealed interaction that waits for the sign-in. */
  readonly sealedReturn: Uint8Array | null
  /** When it was requested. */
  readonly madeAt: Instant
  readonly expiresAt: Instant
}

/** A change of the password or of the address deletes the person's sign-in links (users.change). */
export interface SignInLinkStore {
  find(tenant: TenantId, handle: Handle): Promise<SignInLinkRow | null>
  /**
   * Each replaces the earlier link of the same browser and person; `instead` is the queued request that they answer. A
   * person whose address has changed gets none.
   */
  mail(mailing: {
    readonly links: readonly { readonly link: SignInLinkRow; readonly address: string; readonly mail: NewMail }[]
    readonly instead: Pick<NewMail, 'tenant' | 'id'>
    readonly events: readonly NewEvent[]
  }): Promise<'mailed' | 'gone'>
  /** 'gone': used, replaced, expired, of another browser or unknown. */
  spend(
    spending: Pick<SignInLinkRow, 'tenant' | 'handle' | 'browser'> & { readonly at: Instant },
  ): Promise<'spent' | 'gone'>
}
