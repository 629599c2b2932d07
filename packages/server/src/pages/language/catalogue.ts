/** Every message of the pages, as a type: a language that lacks one does not compile. */
import type { Formats } from './formats.ts'

export type LanguageTag = 'en' | 'de'

type FactorActivity =
  | 'factor.added'
  | 'factor.removed'
  | 'factor.recovered'
  | 'browser.remembered'
  | 'browser.forgotten'

/** What a person may read in their activity list; a subset of the event names, plus what the account pages themselves do. */
export type ActivityKind =
  | 'session.started'
  | 'session.ended'
  | 'login.failed'
  | 'password.reset_requested'
  | 'consent.granted'
  | 'consent.withdrawn'
  | 'grant.revoked'
  | 'token.replayed'
  | 'password.changed'
  | FactorActivity

export type ErrorKind =
  | 'request'
  | 'client'
  | 'expired'
  | 'elsewhere'
  | 'forged'
  | 'unavailable'
  | 'not_found'
  | 'internal'

export interface Messages {
  readonly frame: {
    readonly skip: string
    readonly languages: string
    readonly signIn: (service: string) => string
    readonly errorSummary: string
    readonly errorTitle: string
    readonly pageTitle: (page: string, service: string) => string
  }
  readonly login: {
    readonly title: string
    readonly to: (client: string) => string
    readonly toService: (service: string) => string
    readonly again: string
    readonly username: string
    readonly password: string
    readonly submit: string
    readonly forgot: string
    readonly rejected: string
    readonly throttled: (wait: string) => string
    readonly expired: string
  }
  readonly passkey: {
    readonly or: string
    readonly use: string
    readonly failed: string
    readonly unsupported: string
    readonly noScript: string
  }
  readonly secondFactor: {
    readonly title: string
    readonly lead: (username: string) => string
    readonly otp: string
    readonly otpHint: string
    readonly remember: (time: string) => string
    readonly submit: string
    readonly passkeyOnly: string
    readonly recover: string
    readonly recoveryCode: string
    readonly recoveryHint: (left: number, formats: Formats) => string
    readonly startOver: string
    readonly rejected: string
    readonly throttled: (wait: string) => string
  }
  readonly choose: {
    readonly title: string
    readonly to: (client: string) => string
    readonly signedOut: string
    readonly another: string
  }
  readonly consent: {
    readonly title: (client: string) => string
    readonly titleMore: (client: string) => string
    readonly signedInAs: string
    /** On the button; the fuller words for those who hear it must contain it (WCAG 2.2 §2.5.3). */
    readonly switch: string
    readonly switchAccount: string
    readonly proven: (host: string) => string
    readonly unverified: string
    readonly unverifiedHint: string
    readonly scopes: string
    readonly scopesMore: string
    readonly optionalHint: string
    readonly isNew: string
    readonly optional: string
    readonly sensitive: string
    readonly already: (count: number, formats: Formats) => string
    readonly details: string
    readonly sentTo: string
    readonly thisComputer: (host: string) => string
    readonly appOnDevice: (scheme: string) => string
    readonly thatDevice: string
    readonly reaches: string
    readonly howLong: string
    readonly once: (time: string) => string
    readonly lasting: (idle: string, max: string) => string
    readonly takeBack: string
    readonly takeBackAt: string
    readonly loopback: string
    readonly device: string
    readonly deviceCode: string
    readonly deviceFrom: string
    readonly deviceWhen: string
    readonly allow: string
    readonly deny: string
    readonly policy: string
    readonly terms: string
  }
  readonly device: {
    readonly title: string
    readonly lead: string
    readonly code: string
    readonly hint: string
    readonly prefilled: string
    readonly confirm: string
    readonly unknown: string
    readonly malformed: string
    readonly throttled: (wait: string) => string
    readonly approvedTitle: string
    readonly approved: (client: string) => string
    readonly deniedTitle: string
    readonly denied: (client: string) => string
    readonly expiredTitle: string
    readonly expired: string
    readonly startOver: string
  }
  readonly logout: {
    readonly title: string
    readonly asked: (client: string) => string
    readonly lead: (service: string) => string
    readonly confirm: string
    readonly stay: string
    readonly doneTitle: string
    readonly done: (service: string) => string
    readonly back: (client: string) => string
    readonly signInAgain: string
    readonly framesTitle: string
    readonly frames: string
    readonly frame: (host: string) => string
    readonly onward: string
  }
  readonly formPost: {
    readonly title: string
    readonly lead: (host: string) => string
    readonly submit: string
  }
  readonly error: {
    readonly trace: string
    readonly traceHint: string
    readonly code: string
    readonly kinds: Readonly<
      Record<ErrorKind, { readonly title: string; readonly lead: string; readonly remedy: string }>
    >
  }
  readonly problem: {
    readonly happened: string
    readonly why: string
    readonly remedy: string
    readonly source: string
    readonly status: string
    readonly all: string
    readonly allLead: string
    readonly unknownTitle: string
    readonly unknown: string
    readonly families: Readonly<Record<'authorize' | 'token' | 'api', string>>
  }
  readonly account: {
    readonly title: string
    readonly nav: string
    readonly apps: string
    readonly sessions: string
    readonly methods: string
    readonly password: string
    readonly address: string
    readonly activity: string
    readonly signOut: string
    readonly notices: Readonly<
      Record<
        | 'access_removed'
        | 'all_access_removed'
        | 'session_ended'
        | 'other_sessions_ended'
        | 'password_changed'
        | 'passkey_added'
        | 'passkey_removed'
        | 'authenticator_added'
        | 'authenticator_removed'
        | 'browser_forgotten'
        | 'check_sent'
        | 'address_confirmed',
        string
      >
    >
  }
  readonly apps: {
    readonly lead: string
    readonly none: string
    readonly open: string
    readonly openNamed: (client: string) => string
    readonly mayDo: string
    readonly reaches: string
    readonly firstUse: string
    readonly lastUse: string
    readonly neverUsed: string
    readonly until: string
    readonly withoutEnd: string
    readonly remove: string
    readonly removeNamed: (client: string) => string
    readonly removeLead: (client: string) => string
    readonly removeAll: string
    readonly removeAllLead: (count: number, formats: Formats) => string
  }
  readonly sessions: {
    readonly lead: string
    readonly current: string
    readonly started: string
    readonly seen: string
    readonly address: string
    readonly unknownDevice: string
    readonly end: string
    readonly endNamed: (device: string) => string
    readonly endOthers: string
    readonly only: string
  }
  readonly methods: {
    readonly leadOn: string
    readonly leadOff: string
    readonly confirmFirst: string
    readonly confirm: string
    readonly passkeys: string
    readonly passkeysLead: string
    readonly passkeyName: string
    readonly addPasskey: string
    readonly synced: string
    readonly added: string
    readonly used: string
    readonly until: string
    readonly never: string
    readonly remove: string
    readonly removeNamed: (name: string) => string
    readonly removeLead: string
    readonly removeLast: string
    readonly authenticator: string
    readonly authenticatorLead: string
    readonly setUp: string
    readonly removeAuthenticator: string
    readonly codes: string
    readonly codesLead: string
    readonly codesLeft: (left: number, formats: Formats) => string
    readonly newCodes: string
    readonly newCodesLead: string
    readonly browsers: string
    readonly browsersLead: string
    readonly noBrowsers: string
    readonly forget: string
    readonly forgetNamed: (device: string) => string
    readonly failed: Readonly<Record<'passkey' | 'full', string>>
  }
  readonly authenticator: {
    readonly title: string
    readonly lead: string
    readonly scan: string
    readonly qr: string
    readonly byHand: string
    readonly type: string
    readonly otp: string
    readonly confirm: string
    readonly cancel: string
    readonly wrong: string
  }
  readonly recoveryCodes: {
    readonly title: string
    readonly lead: string
    readonly leadFirst: string
    readonly once: string
    readonly kept: string
  }
  readonly changePassword: {
    readonly lead: string
    readonly current: string
    readonly fresh: string
    readonly hint: (least: number, formats: Formats) => string
    readonly submit: string
    readonly endsOthers: string
    readonly errors: Readonly<Record<'wrong' | 'short' | 'long' | 'same' | 'common', (least: number) => string>>
  }
  readonly forgot: {
    readonly title: string
    readonly lead: string
    readonly named: string
    readonly submit: string
    readonly throttled: (wait: string) => string
    readonly sentTitle: string
    readonly sent: string
    readonly sentHint: string
    readonly back: string
  }
  readonly reset: {
    readonly title: string
    readonly lead: (username: string) => string
    readonly endsAll: string
    readonly submit: string
    readonly doneTitle: string
    readonly done: string
    readonly signIn: string
    readonly goneTitle: string
    readonly gone: string
    readonly again: string
  }
  readonly address: {
    readonly lead: string
    readonly none: string
    readonly verified: string
    readonly unverified: string
    readonly verifiedHint: string
    readonly unverifiedHint: string
    readonly sendCheck: string
    readonly confirmTitle: string
    readonly confirmLead: (email: string) => string
    readonly confirm: string
    readonly linkGone: string
    readonly addTitle: string
    readonly changeTitle: string
    readonly fresh: string
    readonly freshHint: string
    readonly password: string
    readonly submit: string
    readonly errors: Readonly<Record<'wrong' | 'malformed' | 'unchanged' | 'throttled' | 'stale', string>>
  }
  readonly activity: {
    readonly lead: string
    readonly none: string
    readonly what: string
    readonly when: string
    readonly where: string
    readonly kinds: Readonly<Record<ActivityKind, (client: string | null) => string>>
    readonly older: string
  }
  /** The scopes of OpenID Connect; those of a catalogue bring their own words. */
  readonly scopes: Readonly<Record<'openid' | 'profile' | 'email' | 'address' | 'phone' | 'offline_access', string>>
}
