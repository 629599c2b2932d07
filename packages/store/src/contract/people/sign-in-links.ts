/** Links that sign in whoever asked for one: one use, in the browser that asked, and the newest of that browser only. */
import type { NewEvent } from '@grantor/protocol/events'
import type { Handle, Instant, TenantId } from '@grantor/protocol/types'
import type { NewMail } from '../outgoing/mails.ts'

export interface SignInLinkRow {
  readonly tenant: TenantId
  readonly handle: Handle
  readonly subject: string
  /** Which browser asked, and alone may use it. */
  readonly browser: Handle
  /** The authorization that was left for it. */
  readonly sealedReturn: Uint8Array | null
  /** When it was asked for. */
  readonly madeAt: Instant
  readonly expiresAt: Instant
}

/** A change of the password or of the address kills those of the person (users.change). */
export interface SignInLinkStore {
  find(tenant: TenantId, handle: Handle): Promise<SignInLinkRow | null>
  /**
   * Each replaces what the same browser had for the person; `instead` is the queued request that they answer. Whose
   * address is another by now gets none.
   */
  mail(mailing: {
    readonly links: readonly { readonly link: SignInLinkRow; readonly address: string; readonly mail: NewMail }[]
    readonly instead: Pick<NewMail, 'tenant' | 'id'>
    readonly events: readonly NewEvent[]
  }): Promise<'mailed' | 'gone'>
  /** 'gone': spent, replaced, expired, of another browser or never there. */
  spend(
    spending: Pick<SignInLinkRow, 'tenant' | 'handle' | 'browser'> & { readonly at: Instant },
  ): Promise<'spent' | 'gone'>
}
