/** What a person is shown, or what is done instead: the outcomes of every step, as plain data for the pages. */
import type { AuthorizationResponse, ConsentQuestion, Factors } from '@grantor/protocol/authorize'
import type { AskingDevice } from '@grantor/protocol/device'
import type { Refusal, ScopeEntry } from '@grantor/protocol/oauth'
import type { Instant, JsonObject, Secret } from '@grantor/protocol/types'
import type { Keepsakes } from './visitor.ts'

export interface ShownClient {
  readonly id: string
  readonly name: string
  /** A host that somebody vouches for; null shows "not verified". */
  readonly provenHost: string | null
  readonly policyUri: string | null
  readonly termsUri: string | null
}

export interface ShownAccount {
  readonly subject: string
  readonly name: string
  readonly username: string
}

/** What every step of an interaction knows. */
export interface StepGround {
  readonly client: ShownClient
  /** The version of the client's logo; null where it has none, or it is not here yet. */
  readonly logo: string | null
  /** Validated: where the browser will be sent in the end. */
  readonly redirectUri: string
  /** The device that asks; then nobody is sent anywhere. */
  readonly device: AskingDevice | null
  readonly uiLocales: readonly string[]
}

export type Shown =
  /** It cannot go on, and nobody else may be told: our own error page. */
  | { readonly go: 'error'; readonly refusal: Refusal }
  /** The answer to the client. */
  | { readonly go: 'answer'; readonly response: AuthorizationResponse }
  /** To the hub of this interaction. */
  | { readonly go: 'hub'; readonly interaction: Secret; readonly keep: Keepsakes }
  /** What came of a device's code: there is nowhere to go from here. */
  | { readonly go: 'device'; readonly outcome: 'approved' | 'denied' | 'expired'; readonly client: string }
  | Asked

/** What a person is asked after the password. */
export interface SecondFactorQuestion {
  readonly account: ShownAccount
  readonly factors: Factors
  /** Nothing else would be strong enough. */
  readonly passkeyOnly: boolean
  /** How long this browser can be spared, in seconds. */
  readonly rememberFor: number
  /** For the browser's authenticators; null where there is none of theirs. */
  readonly passkey: JsonObject | null
}

/** A page that asks a person something. */
export type Asked =
  | (StepGround & {
      readonly go: 'login'
      readonly again: boolean
      readonly username: string
      readonly passkey: JsonObject | null
    })
  | (StepGround & { readonly go: 'second-factor' } & SecondFactorQuestion)
  | (StepGround & { readonly go: 'choose'; readonly accounts: readonly ShownAccount[] })
  | (StepGround & {
      readonly go: 'consent'
      readonly account: ShownAccount
      readonly question: ConsentQuestion
      readonly scopes: ReadonlyMap<string, ScopeEntry>
      readonly resources: readonly { readonly name: string; readonly identifier: string }[]
      readonly accessTtl: number
      readonly lasting: { readonly idle: number; readonly max: number } | null
      readonly now: Instant
    })

/** What became of a sign-in. Wrong, unknown and disabled are one and the same. */
export type SignedIn =
  | { readonly did: 'signed-in'; readonly keep: Keepsakes }
  /** The password was right; a second factor is asked for. */
  | { readonly did: 'halfway'; readonly keep: Keepsakes }
  | { readonly did: 'rejected' }
  | { readonly did: 'throttled'; readonly seconds: number }
