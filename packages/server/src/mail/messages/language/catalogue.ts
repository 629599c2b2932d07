/** Every word of the mails, as a type: a language that lacks one does not compile. */
import type { MailKind } from '@grantor/authority'

/** What a sentence may name. All of it was made fit to be shown. */
export interface Named {
  readonly service: string
  readonly username: string
  /** Empty where no app is concerned. */
  readonly client: string
}

export interface MailText {
  readonly subject: (named: Named) => string
  readonly title: string
  readonly lead: (named: Named) => string
  /** On the button; absent where the mail asks for nothing. */
  readonly button?: string
  /** What holds for the link. */
  readonly linkNote?: string
  /** What to do if it was somebody else. */
  readonly notYou: string
}

export interface MailWords {
  readonly account: string
  readonly app: string
  readonly when: string
  readonly device: string
  readonly address: string
  readonly unknownDevice: string
  readonly unknownAddress: string
  /** Before the address of the button, for whoever cannot press it. */
  readonly orOpen: string
  readonly yourAccount: string
  readonly footer: (service: string) => string
  readonly kinds: Readonly<Record<MailKind, MailText>>
}
