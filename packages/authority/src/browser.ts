/** Everything a browser can request of the authority: the steps of an authorization, and the person's own account. */
import { servesBackchannel, servesDevices } from '@grantor/protocol/grants'
import type { Catalogue, Form } from '@grantor/protocol/oauth'
import type { Secret } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { type OwnAccount, openOwnAccount } from './account/account.ts'
import { type AccountMail, openAccountMail } from './account/account-mail.ts'
import { type AccountSignIn, openAccountSignIn } from './account/sign-in.ts'
import { type AskingVisitor, type AuthorizationDependencies, beginAuthorization } from './interact/authorize.ts'
import { enterUserCode, type UserCodeDependencies, type UserCodeEntry } from './interact/enter-user-code.ts'
import { continueInteraction, currentQuestion, type HubDependencies } from './interact/hub.ts'
import type { InteractionQuestion, InteractionResult } from './interact/response.ts'
import { type InteractionSteps, openInteractionSteps, type StepDependencies } from './interact/steps.ts'
import { type Account, accountsOf, type CookieChanges, type Visitor } from './interact/visitor.ts'
import { type EndedSessions, endBrowserSessions } from './logout/end-sessions.ts'
import { type LogoutDependencies, openRpInitiatedLogout, type RpInitiatedLogout } from './logout/rp-initiated.ts'
import { retryStale } from './retry-stale.ts'
import { openSignInLinks, type SignInLinks } from './sign-in-link/sign-in-link.ts'
import { openSignUp, type SignUp, type SignUpDependencies } from './sign-up/sign-up.ts'

export interface Browser extends InteractionSteps {
  authorize(form: Form, visitor: AskingVisitor): Promise<InteractionResult>
  /** Whether the device flow is on. */
  readonly servesDevices: boolean
  /** Whether CIBA is on. */
  readonly servesBackchannel: boolean
  /** A person typed the code that a device shows (RFC 8628 §3.3). */
  enterUserCode(typed: string, visitor: Visitor): Promise<UserCodeEntry>
  /** The hub: determines the next step of this interaction. */
  continueInteraction(interaction: Secret, visitor: Visitor): Promise<InteractionResult>
  /** The current question, without going on: null where none is left. */
  currentQuestion(interaction: Secret, visitor: Visitor): Promise<InteractionQuestion | null>
  /** Gives a browser without one the secret that names it. */
  nameBrowser(visitor: Visitor): CookieChanges
  readonly leastPasswordLength: number
  catalogue(visitor: Pick<Visitor, 'tenant'>): Promise<Catalogue | null>
  /** The accounts signed in to this browser. */
  accounts(visitor: Visitor): Promise<readonly Account[]>
  /** Signing in to the account pages, without an application. */
  readonly accountSignIn: AccountSignIn
  /** Ends every session of this browser. */
  signOut(visitor: Visitor): Promise<EndedSessions>
  readonly logout: RpInitiatedLogout
  /** Awaited before a page says that something is done: an earlier request that got 503 may have done it. */
  untilDurable(): Promise<void>
  /** Null where nothing can be mailed. */
  readonly mail: AccountMail | null
  readonly account: OwnAccount
  readonly signUp: SignUp
  readonly signInLinks: SignInLinks
}

export type BrowserDependencies = AuthorizationDependencies &
  UserCodeDependencies &
  HubDependencies &
  StepDependencies &
  LogoutDependencies &
  SignUpDependencies & { readonly store: Pick<Store, 'untilDurable'> } & Parameters<typeof openSignInLinks>[1] &
  Parameters<typeof openOwnAccount>[0] &
  Parameters<typeof openAccountMail>[1]

/** `mailDelivery` is null where no mail can be sent. */
export function openBrowser(deps: BrowserDependencies, mailDelivery: { wake(): void } | null): Browser {
  return {
    ...openInteractionSteps(deps),
    authorize: (form, visitor) =>
      retryStale(visitor.tenant, deps.directory, () => beginAuthorization(form, visitor, deps)),
    servesDevices: servesDevices(deps.served),
    servesBackchannel: servesBackchannel(deps.served),
    enterUserCode: (typed, visitor) => enterUserCode(typed, visitor, deps),
    continueInteraction: (id, visitor) =>
      retryStale(visitor.tenant, deps.directory, () => continueInteraction(id, visitor, deps)),
    currentQuestion: (id, visitor) => currentQuestion(id, visitor, deps),
    nameBrowser: (visitor) => (visitor.browser === null ? { browser: deps.ids.secret('gb_') } : {}),
    leastPasswordLength: deps.passwords.leastLength,
    catalogue: (visitor) => deps.directory.currentCatalogue(visitor.tenant),
    accounts: (visitor) => accountsOf(visitor, deps),
    accountSignIn: openAccountSignIn(deps),
    signOut: (visitor) => endBrowserSessions(visitor, deps),
    logout: openRpInitiatedLogout(deps),
    untilDurable: () => deps.store.untilDurable(),
    mail: mailDelivery === null ? null : openAccountMail(mailDelivery, deps),
    account: openOwnAccount(deps),
    signUp: openSignUp(mailDelivery, deps),
    signInLinks: openSignInLinks(mailDelivery, deps),
  }
}
