/** The outcome of every step: what a person is shown, or what happens instead, as plain data for the pages. */
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
  /** Who vouches for the client: the operator of this service, the domain of its metadata document, or nobody. */
  readonly vouchedBy: 'operator' | 'domain' | 'nobody'
  /** A host that belongs to the client for certain; null where none does. */
  readonly provenHost: string | null
  readonly policyUri: string | null
  readonly termsUri: string | null
  /** The colours that an operator chose for the pages of this client's interactions. */
  readonly colours: { readonly accent: string | null; readonly background: string | null }
}

export interface DisplayedAccount {
  readonly subject: string
  readonly name: string
  readonly username: string
}

/** Data that every step of an interaction has. */
export interface QuestionContext {
  readonly client: DisplayedClient
  /** The version of the client's logo; null where it has none or it is not fetched yet. */
  readonly logo: string | null
  /** Validated: the browser will be sent there in the end. */
  readonly redirectUri: string
  /** The device that asks; then the browser is not redirected in the end. */
  readonly device: AskingDevice | null
  readonly uiLocales: readonly string[]
}

/** A refusal is for our own error page: the interaction cannot go on, and the client may not be told. */
export type InteractionResult = Result<InteractionResponse, Refusal>

export type InteractionResponse =
  /** The answer to the client; `framed` where no person was asked, because clients do that in hidden frames. */
  | { readonly go: 'answer'; readonly response: AuthorizationResponse; readonly framed?: boolean }
  /**
   * The same answer, shown to the person instead of sent: nobody vouches for the client (see unvouched-redirect.ts).
   */
  | {
      readonly go: 'unredirected'
      readonly response: AuthorizationResponse
      readonly refusal: Refusal
      readonly redirectUri: string
      readonly client: DisplayedClient
    }
  /** A redirect to the hub of this interaction. */
  | { readonly go: 'hub'; readonly interaction: Secret; readonly cookies: CookieChanges }
  /** The outcome for a device's code or a CIBA request: the browser is not redirected from here. */
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
  /** Only a passkey would be strong enough. */
  readonly passkeyOnly: boolean
  /** For how many seconds the second factor can be skipped in this browser. */
  readonly rememberFor: number
  /** Options for the browser's authenticators; null where the person has no passkey. */
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

/** The outcome of a sign-in. Wrong, unknown and disabled are not told apart. */
export type SignInOutcome =
  | { readonly did: 'signed-in'; readonly cookies: CookieChanges }
  /** The password was right; a second factor is asked for. */
  | { readonly did: 'second-factor-pending'; readonly cookies: CookieChanges }
  | { readonly did: 'rejected' }
  | { readonly did: 'throttled'; readonly seconds: number }
  /** The named directory, which keeps the password, cannot be asked now. */
  | { readonly did: 'unavailable'; readonly provider: string }
