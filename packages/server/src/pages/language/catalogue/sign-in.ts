/** The messages of the frame of every page, signing in, and getting back in. */
import type { Formats } from '../formats.ts'

export interface SignInMessages {
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
}
