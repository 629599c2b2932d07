/** The messages of signing out, and what went wrong. */

export type ErrorKind =
  | 'request'
  | 'client'
  | 'expired'
  | 'elsewhere'
  | 'forged'
  | 'unavailable'
  | 'not_found'
  | 'internal'

export interface EndingMessages {
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
}
