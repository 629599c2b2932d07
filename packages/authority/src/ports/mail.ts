/** Mail as the authority sees it: a kind and facts. Texts, layout and SMTP are behind the port. */
import type { Tenant } from '@grantor/protocol/oauth'
import type { Instant, TenantId } from '@grantor/protocol/types'

/** When and from where something was done, so that the owner of the account can tell whether it was them. */
export interface Circumstances {
  readonly at: Instant
  readonly ip: string | null
  readonly userAgent: string | null
}

/** The content of a mail. `link` contains a secret. */
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
      /** The text that the client shows on its own device; null where it sent none. */
      readonly bindingMessage: string | null
      readonly where: Circumstances
    }
  | { readonly kind: NoticeKind; readonly username: string; readonly where: Circumstances }
  | { readonly kind: 'test' }

/** Events in an account of which its owner is notified. */
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
  /** The same for every try: the Message-ID is derived from it. */
  readonly id: string
  /** The issuer to which all links lead. */
  readonly issuer: string
  readonly to: string
  /** A BCP 47 tag, if one is known. */
  readonly language: string | null
  readonly madeAt: Instant
  /** The tenant whose name and branding the mail shows; if left out, the deployment's. */
  readonly tenant?: Pick<Tenant, 'id' | 'name' | 'branding'>
  readonly facts: MailFacts
}

export type SendOutcome =
  | { readonly did: 'sent' }
  /** Permanent: another try would be refused, too. */
  | { readonly did: 'refused'; readonly why: string }
  | { readonly did: 'failed'; readonly why: string }

export interface Mail {
  /** Settles soon after `signal` fires, whatever the mail server does. Does not throw. */
  send(letter: MailMessage, signal: AbortSignal): Promise<SendOutcome>
}

/** A mail as it is queued for a tenant. */
export interface AddressedMail {
  readonly tenant: TenantId
  /** Null where it concerns no account. */
  readonly subject: string | null
  readonly to: string
  readonly language: string | null
  readonly facts: MailFacts
}
