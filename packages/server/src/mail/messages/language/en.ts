/** English: the messages of the mails. Its type defines those of every other language. */
import type { MailKind } from '@grantor/authority'

/** The names that a sentence may contain, already made safe to show. */
export interface MailNames {
  readonly service: string
  readonly username: string
  /** Empty where the mail is not about an app. */
  readonly client: string
}

export interface MailText {
  readonly subject: (names: MailNames) => string
  readonly title: string
  readonly lead: (names: MailNames) => string
  /** The text of the button; absent where the mail has none. */
  readonly button?: string
  /** A note about the link, such as how long it works. */
  readonly linkNote?: string
  /** What to do if it was somebody else. */
  readonly notYou: string
}

const wasNotYou =
  'If this was not you, change your password now and end every session that you do not know. Your account page is where you do both.'

const kinds: Readonly<Record<MailKind, MailText>> = {
  reset: {
    subject: ({ service }) => `Choose a new password for ${service}`,
    title: 'Choose a new password',
    lead: ({ service }) => `Somebody, probably you, asked for a new password at ${service}.`,
    button: 'Choose a new password',
    linkNote: 'The link works once, for 30 minutes. A newer one replaces it.',
    notYou: 'If you did not ask for this, do nothing: your password stays as it is. Never pass the link on.',
  },
  sign_in_link: {
    subject: ({ service }) => `Sign in to ${service}`,
    title: 'Sign in',
    lead: ({ service }) => `Somebody, probably you, asked for a link to sign in to ${service}.`,
    button: 'Sign in',
    linkNote: 'The link works once, for 10 minutes, in the browser in which it was asked for.',
    notYou: 'If you did not ask for this, do nothing: nobody is signed in. Never pass the link on.',
  },
  sign_up: {
    subject: ({ service }) => `Create your account at ${service}`,
    title: 'Create your account',
    lead: ({ service }) => `Somebody, probably you, asked for an account at ${service} with this address.`,
    button: 'Create the account',
    linkNote: 'The link works once, for 24 hours. A newer one replaces it.',
    notYou: 'If you did not ask for this, do nothing: no account is made. Never pass the link on.',
  },
  account_exists: {
    subject: ({ service }) => `You have an account at ${service} already`,
    title: 'You have an account already',
    lead: ({ service }) =>
      `Somebody, probably you, asked for an account at ${service} with this address. There is one. If you forgot the password, you can choose a new one on the sign-in page.`,
    button: 'Sign in',
    notYou: 'If you did not ask for this, do nothing: your account stays as it is.',
  },
  invitation: {
    subject: ({ service }) => `You are invited to ${service}`,
    title: 'You are invited',
    lead: ({ service }) =>
      `You are invited to have an account at ${service}. Choose a name and a password, and it is yours.`,
    button: 'Accept the invitation',
    linkNote: 'The link works once and is for this address only.',
    notYou: 'If you do not know what this is about, do nothing: no account is made. Never pass the link on.',
  },
  deletion_requested: {
    subject: ({ service }) => `Your account at ${service} will be deleted`,
    title: 'Your account will be deleted',
    lead: ({ service }) =>
      `Your account at ${service} was ended and will be deleted for good. To keep it, sign in before then.`,
    notYou: 'If this was not you, sign in now to keep the account, and change your password.',
  },
  deletion_cancelled: {
    subject: ({ service }) => `Your account at ${service} stays`,
    title: 'Your account stays',
    lead: ({ service }) => `Somebody signed in to your account at ${service}, which was to be deleted. It stays.`,
    notYou: wasNotYou,
  },
  address: {
    subject: ({ service }) => `Confirm your address for ${service}`,
    title: 'Confirm your address',
    lead: ({ service }) => `This address was entered for an account at ${service}. Confirm it if the account is yours.`,
    button: 'Confirm address',
    linkNote: 'The link works once, for 24 hours, and asks you to sign in to that account.',
    notYou: 'If the account is not yours, do nothing: the address will not be used.',
  },
  address_changed: {
    subject: ({ service }) => `Your address at ${service} was changed`,
    title: 'Your address was changed',
    lead: ({ service }) =>
      `Another address was confirmed for your account at ${service}. From now on email goes there, and no longer here.`,
    notYou: wasNotYou,
  },
  password_changed: {
    subject: ({ service }) => `Your password at ${service} was changed`,
    title: 'Your password was changed',
    lead: ({ service }) => `The password of your account at ${service} was changed, and other sessions were ended.`,
    notYou:
      'If this was not you, ask for a new password on the sign-in page now, and tell the people who run this service.',
  },
  signed_in: {
    subject: ({ service }) => `New sign-in to ${service}`,
    title: 'New sign-in',
    lead: ({ service }) => `Your account at ${service} was signed in to from a browser that it did not know.`,
    notYou: wasNotYou,
  },
  app_connected: {
    subject: ({ client, service }) => `${client} was connected to your account at ${service}`,
    title: 'An app was connected',
    lead: ({ client, service }) =>
      `You allowed ${client} to act in your name at ${service}. You can see what it may do, and take it back, on your account page.`,
    notYou: 'If this was not you, remove the app on your account page now, and change your password.',
  },
  access_requested: {
    subject: ({ client, service }) => `${client} asks for access at ${service}`,
    title: 'An app asks for access',
    lead: ({ client, service }) =>
      `${client} asks to act in your name at ${service}. Look at what it asks for on your account page, and allow or deny it there.`,
    button: 'Look at the request',
    linkNote: 'The request waits for a few minutes only.',
    notYou:
      'If you did not start this, deny it, or do nothing: without you nothing is allowed. Nobody who calls or writes to you should ask you to allow it.',
  },
  factor_added: {
    subject: ({ service }) => `A sign-in method was added at ${service}`,
    title: 'A sign-in method was added',
    lead: ({ service }) => `Your account at ${service} can now be signed in to in another way.`,
    notYou: wasNotYou,
  },
  factor_removed: {
    subject: ({ service }) => `A sign-in method was removed at ${service}`,
    title: 'A sign-in method was removed',
    lead: ({ service }) => `A way to sign in to your account at ${service} was removed.`,
    notYou: wasNotYou,
  },
  recovery_code_used: {
    subject: ({ service }) => `A recovery code was used at ${service}`,
    title: 'A recovery code was used',
    lead: ({ service }) =>
      `Somebody signed in to your account at ${service} with one of your recovery codes. That code is used up.`,
    notYou: wasNotYou,
  },
  test: {
    subject: ({ service }) => `Test email of ${service}`,
    title: 'It works',
    lead: ({ service }) => `${service} can send email. Somebody who runs it asked for this one.`,
    notYou: 'There is nothing to do.',
  },
}

export const en = {
  account: 'Account',
  app: 'App',
  message: 'Message',
  when: 'When',
  device: 'Device',
  address: 'Address',
  unknownDevice: 'Unknown',
  unknownAddress: 'Unknown',
  /** In the text form: a label and its value. */
  labelled: (label: string, value: string) => `${label}: ${value}`,
  /** Before the URL of the button, for readers who cannot press it. */
  orOpen: 'Or open this address:',
  yourAccount: 'Your account',
  footer: (service: string) =>
    `You get this email because you have an account at ${service}. Replies to it are not read.`,
  /** For readers who have no account yet. */
  strangerFooter: (service: string) =>
    `You get this email because this address was given to ${service}. Replies to it are not read.`,
  kinds,
}

export type MailMessages = typeof en
