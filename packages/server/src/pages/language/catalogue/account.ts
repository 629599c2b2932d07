/** The messages of the account pages. */
import type { Formats } from '../formats.ts'

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

export interface AccountMessages {
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
  readonly changePassword: {
    readonly lead: string
    readonly current: string
    readonly fresh: string
    readonly hint: (least: number, formats: Formats) => string
    readonly submit: string
    readonly endsOthers: string
    readonly errors: Readonly<Record<'wrong' | 'short' | 'long' | 'same' | 'common', (least: number) => string>>
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
}
