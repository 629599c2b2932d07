/** The messages of what an app asks for, and the answer on its way. */
import type { Formats } from '../formats.ts'

export interface ConsentMessages {
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
  /** The scopes of OpenID Connect; those of a catalogue bring their own words. */
  readonly scopes: Readonly<Record<'openid' | 'profile' | 'email' | 'address' | 'phone' | 'offline_access', string>>
  readonly formPost: {
    readonly title: string
    readonly lead: (host: string) => string
    readonly submit: string
  }
}
