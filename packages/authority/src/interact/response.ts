/** What a person is shown, or what is done instead: the outcomes of every step, as plain data for the pages. */
import type { AuthorizationDetailType } from '@grantor/protocol/authorization-details'
import type { AuthorizationResponse, ConsentQuestion, Factors } from '@grantor/protocol/authorize'
import type { AskingDevice } from '@grantor/protocol/device'
import type { Refusal, ScopeEntry } from '@grantor/protocol/oauth'
import type { Terms } from '@grantor/protocol/people'
import type { Result } from '@grantor/protocol/result'
import type { Instant, JsonObject, Secret } from '@grantor/protocol/types'
import type { ProviderChoice } from '../providers/served-providers.ts'
import type { CookieChanges } from './visitor.ts'

export interface DisplayedClient {
  readonly id: string
  readonly name: string
  /** Who stands behind it: whoever runs this service, the domain that its document lies at, or nobody but itself. */
  readonly vouchedBy: 'operator' | 'domain' | 'nobody'
  /** A host that somebody vouches for; null where there is none. */
  readonly provenHost: string | null
  readonly policyUri: string | null
  readonly termsUri: string | null
  /** As an operator chose them for the pages on the way to it. */
  readonly colours: { readonly accent: string | null; readonly background: string | null }
}

export interface DisplayedAccount {
  readonly subject: string
  readonly name: string
  readonly username: string
}

/** What every step of an interaction knows. */
export interface QuestionContext {
  readonly client: DisplayedClient
  /** The version of the client's logo; null where it has none, or it is not here yet. */
  readonly logo: string | null
  /** Validated: where the browser will be sent in the end. */
  readonly redirectUri: string
  /** The device that asks; then nobody is sent anywhere. */
  readonly device: AskingDevice | null
  readonly uiLocales: readonly string[]
}

/** A refusal is for our own error page: it cannot go on, and nobody else may be told. */
export type InteractionResult = Result<InteractionResponse, Refusal>

export type InteractionResponse =
  /** The answer to the client; `framed` where nobody was asked, as clients do it in frames. */
  | { readonly go: 'answer'; readonly response: AuthorizationResponse; readonly framed?: boolean }
  /** The same, shown to the person instead of sent: nobody vouches for the client (see unvouched-redirect.ts). */
  | {
      readonly go: 'unredirected'
      readonly response: AuthorizationResponse
      readonly refusal: Refusal
      readonly redirectUri: string
      readonly client: DisplayedClient
    }
  /** To the hub of this interaction. */
  | { readonly go: 'hub'; readonly interaction: Secret; readonly cookies: CookieChanges }
  /** What came of a device's code, or of a request by the back channel: there is nowhere to go from here. */
  | {
      readonly go: 'device'
      readonly outcome: 'approved' | 'denied' | 'expired'
      readonly client: string
      readonly backchannel: boolean
    }
  | InteractionQuestion

/** What a person is asked after the password. */
export interface SecondFactorQuestion {
  readonly account: DisplayedAccount
  readonly factors: Factors
  /** Nothing else would be strong enough. */
  readonly passkeyOnly: boolean
  /** How long this browser can be spared, in seconds. */
  readonly rememberFor: number
  /** For the browser's authenticators; null where there is none of theirs. */
  readonly passkey: JsonObject | null
}

/** A page that asks a person something. */
export type InteractionQuestion =
  | (QuestionContext &
      ProviderChoice & {
        readonly go: 'login'
        readonly again: boolean
        readonly username: string
        readonly passkey: JsonObject | null
      })
  | (QuestionContext & { readonly go: 'second-factor' } & SecondFactorQuestion)
  | (QuestionContext & { readonly go: 'choose'; readonly accounts: readonly DisplayedAccount[] })
  | (QuestionContext & { readonly go: 'new-password'; readonly account: DisplayedAccount })
  | (QuestionContext & { readonly go: 'terms'; readonly account: DisplayedAccount; readonly terms: Terms })
  | (QuestionContext & {
      readonly go: 'consent'
      readonly account: DisplayedAccount
      readonly question: ConsentQuestion
      readonly scopes: ReadonlyMap<string, ScopeEntry>
      readonly detailTypes: readonly AuthorizationDetailType[]
      readonly resources: readonly { readonly name: string; readonly identifier: string }[]
      readonly accessTtl: number
      readonly lasting: { readonly idle: number; readonly max: number } | null
      readonly now: Instant
    })

/** What became of a sign-in. Wrong, unknown and disabled are one and the same. */
export type SignInOutcome =
  | { readonly did: 'signed-in'; readonly cookies: CookieChanges }
  /** The password was right; a second factor is asked for. */
  | { readonly did: 'second-factor-pending'; readonly cookies: CookieChanges }
  | { readonly did: 'rejected' }
  | { readonly did: 'throttled'; readonly seconds: number }
  /** The directory that keeps the password, by its name, cannot be asked now. */
  | { readonly did: 'unavailable'; readonly provider: string }
