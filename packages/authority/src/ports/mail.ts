/** Mail as the authority sees it: it names the kind and the facts. Words, looks and SMTP are behind the port. */
import type { Tenant } from '@grantor/protocol/oauth'
import type { Instant, TenantId } from '@grantor/protocol/types'

/** Where and when something happened, so that its owner can tell whether it was them. */
export interface Circumstances {
  readonly at: Instant
  readonly ip: string | null
  readonly userAgent: string | null
}

/** What a mail is about. `link` holds a secret. */
export type MailFacts =
  | { readonly kind: 'reset'; readonly username: string; readonly link: string; readonly where: Circumstances }
  | { readonly kind: 'sign_up'; readonly username: string; readonly link: string; readonly where: Circumstances }
  | { readonly kind: 'sign_in_link'; readonly username: string; readonly link: string; readonly where: Circumstances }
  | { readonly kind: 'account_exists'; readonly username: string; readonly link: string; readonly where: Circumstances }
  | { readonly kind: 'invitation'; readonly username: string; readonly link: string }
  | { readonly kind: 'address'; readonly username: string; readonly link: string; readonly where: Circumstances }
  | {
      readonly kind: 'app_connected'
      readonly username: string
      readonly client: string
      readonly where: Circumstances
    }
  | {
      readonly kind: 'access_requested'
      readonly username: string
      readonly client: string
      /** What the client shows where it asks; null where it says nothing. */
      readonly bindingMessage: string | null
      readonly where: Circumstances
    }
  | { readonly kind: NoticeKind; readonly username: string; readonly where: Circumstances }
  | { readonly kind: 'test' }

/** Something happened in an account; its owner should know. */
export type NoticeKind =
  | 'signed_in'
  | 'password_changed'
  | 'address_changed'
  | 'factor_added'
  | 'factor_removed'
  | 'recovery_code_used'
  | 'deletion_requested'
  | 'deletion_cancelled'

export type MailKind = MailFacts['kind']

export interface MailMessage {
  /** The same however often it is tried: the mail's Message-ID is made of it. */
  readonly id: string
  /** Its links lead here and nowhere else. */
  readonly issuer: string
  readonly to: string
  /** A BCP 47 tag, as far as one is known. */
  readonly language: string | null
  readonly madeAt: Instant
  /** Whose it is, and looks like; left out, the deployment's. */
  readonly tenant?: Pick<Tenant, 'id' | 'name' | 'branding'>
  readonly facts: MailFacts
}

export type SendOutcome =
  | { readonly did: 'sent' }
  /** For good: another try would be answered the same. */
  | { readonly did: 'refused'; readonly why: string }
  | { readonly did: 'failed'; readonly why: string }

export interface Mail {
  /** Settles soon after `signal` fires, whatever the mail server does. Does not throw. */
  send(letter: MailMessage, signal: AbortSignal): Promise<SendOutcome>
}

/** A mail as it is queued for a tenant. */
export interface AddressedMail {
  readonly tenant: TenantId
  /** Null where it is for no account. */
  readonly subject: string | null
  readonly to: string
  readonly language: string | null
  readonly facts: MailFacts
}
