/** The messages of the account pages of passkeys and second factors. */
import type { Formats } from '../formats.ts'

export interface MethodMessages {
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
    readonly failed: Readonly<Record<'passkey' | 'full' | 'outrun', string>>
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
}
