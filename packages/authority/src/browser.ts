/** Everything a browser can ask of the authority: the way through an authorization, and a person's own account. */
import type { Catalogue, Form, Refusal } from '@grantor/protocol/oauth'
import type { Result } from '@grantor/protocol/result'
import type { Secret } from '@grantor/protocol/types'
import {
  changePassword,
  connectedApps,
  type ConnectedApp,
  disconnectApp,
  endSession,
  type PasswordChange,
  sessionsOf,
} from './account/account.ts'
import { type AccountFactors, openAccountFactors } from './account/sign-in-methods.ts'
import { activityOf, type ActivityPage } from './account/activity.ts'
import type { Hands } from './hands.ts'
import { beginAuthorization } from './interact/authorize.ts'
import { enterUserCode, type UserCodeEntry } from './interact/enter-user-code.ts'
import { type AccountSignIn, openAccountSignIn } from './account/sign-in.ts'
import { currentQuestion, continueInteraction } from './interact/hub.ts'
import type { SecondFactor } from './interact/second-factor.ts'
import {
  type InteractionVisit,
  chooseAccount,
  answerConsent,
  answerSecondFactor,
  answerPassword,
  answerPasskey,
  startOver,
  switchAccount,
} from './interact/steps.ts'
import type { InteractionQuestion, InteractionResponse, SignInOutcome } from './interact/response.ts'
import { type Account, accountsOf, type CookieChanges, type Visitor } from './interact/visitor.ts'
import { type AccountMail, openAccountMail } from './account/account-mail.ts'
import type { MailDelivery } from './background/mail-delivery.ts'
import {
  beginLogout,
  confirmLogout,
  type LogoutStart,
  type LogoutResponse,
  continueLogout,
} from './logout/rp-initiated.ts'
import { endBrowserSessions, type EndedSessions } from './logout/end-sessions.ts'
import { isOutage } from './retry-stale.ts'

export interface Credentials {
  readonly username: string
  readonly password: string
}

export interface Browser {
  authorize(form: Form, visitor: Visitor): Promise<InteractionResponse>
  /** The code that a device shows was typed (RFC 8628 §3.3). */
  enterUserCode(typed: string, visitor: Visitor): Promise<UserCodeEntry>
  /** The hub: what comes next in this interaction. */
  continueInteraction(interaction: Secret, visitor: Visitor): Promise<InteractionResponse>
  /** What the person is asked now, without going on: null where nothing is left to ask. */
  currentQuestion(interaction: Secret, visitor: Visitor): Promise<InteractionQuestion | null>
  signIn(at: InteractionVisit, by: Credentials): Promise<Result<SignInOutcome, Refusal>>
  /** `text` is the JSON that the browser's authenticator made. */
  signInWithPasskey(at: InteractionVisit, text: string): Promise<Result<SignInOutcome, Refusal>>
  secondFactor(at: InteractionVisit, by: SecondFactor): Promise<Result<SignInOutcome, Refusal>>
  /** Back to the login page, as whoever one likes. */
  startOver(at: InteractionVisit): Promise<Result<CookieChanges, Refusal>>
  chooseAccount(at: InteractionVisit, subject: string | null): Promise<Result<null, Refusal>>
  switchAccount(at: InteractionVisit): Promise<Result<null, Refusal>>
  answerConsent(
    at: InteractionVisit,
    by: { readonly allow: boolean; readonly ticked: ReadonlySet<string> },
  ): Promise<Result<null, Refusal>>
  /** Gives a browser that has none the secret that names it. */
  nameBrowser(visitor: Visitor): CookieChanges
  catalogue(visitor: Visitor): Promise<Catalogue | null>
  /** The accounts signed in to this browser. */
  accounts(visitor: Visitor): Promise<readonly Account[]>
  /** Signing in without an application behind it, to the account pages. */
  readonly accountSignIn: AccountSignIn
  /** Ends every session of this browser. */
  signOut(visitor: Visitor): Promise<EndedSessions>
  /** RP-Initiated Logout 1.0: a client sends a person here to sign out. */
  readonly logout: {
    begin(form: Form, visitor: Visitor): Promise<LogoutStart>
    /** Where the browser stands there: asked, or signed out already. */
    continue(interaction: Secret, visitor: Visitor): Promise<LogoutResponse>
    confirm(interaction: Secret, visitor: Visitor): Promise<LogoutResponse>
  }
  /** Null where nothing can be mailed. */
  readonly mail: AccountMail | null
  readonly account: {
    readonly factors: AccountFactors
    apps(account: Account): Promise<readonly ConnectedApp[]>
    disconnect(clientId: string, account: Account, visitor: Visitor): Promise<void>
    sessions(account: Account): ReturnType<typeof sessionsOf>
    /** Newest first; `before` is the `older` of the page before. */
    activity(account: Account, before: number | null): Promise<ActivityPage>
    endSession(id: string, account: Account, visitor: Visitor): Promise<void>
    changePassword(
      account: Account,
      by: { readonly current: string; readonly next: string },
      visitor: Visitor,
    ): Promise<PasswordChange>
  }
}

const maxAttempts = 4

export function openBrowser(hands: Hands, mailer: MailDelivery | null): Browser {
  return {
    authorize: (form, visitor) => decideAgainWhileStale(() => beginAuthorization(form, visitor, hands), visitor, hands),
    enterUserCode: (typed, visitor) => enterUserCode(typed, visitor, hands),
    continueInteraction: (interaction, visitor) =>
      decideAgainWhileStale(() => continueInteraction(interaction, visitor, hands), visitor, hands),
    currentQuestion: (interaction, visitor) => currentQuestion(interaction, visitor, hands),
    signIn: (at, by) => answerPassword(at, by, hands),
    signInWithPasskey: (at, text) => answerPasskey(at, text, hands),
    secondFactor: (at, by) => answerSecondFactor(at, by, hands),
    startOver: (at) => startOver(at, hands),
    chooseAccount: (at, subject) => chooseAccount(at, subject, hands),
    switchAccount: (at) => switchAccount(at, hands),
    answerConsent: (at, by) => answerConsent(at, by, hands),
    nameBrowser: (visitor) => (visitor.browser === null ? { browser: hands.ids.secret('gb_') } : {}),
    catalogue: (visitor) => hands.directory.currentCatalogue(visitor.tenant),
    accounts: (visitor) => accountsOf(visitor, hands),
    accountSignIn: openAccountSignIn(hands),
    signOut: (visitor) => endBrowserSessions(visitor, hands),
    logout: {
      begin: (form, visitor) => beginLogout(form, visitor, hands),
      continue: (interaction, visitor) => continueLogout(interaction, visitor, hands),
      confirm: (interaction, visitor) => confirmLogout(interaction, visitor, hands),
    },
    mail: mailer === null ? null : openAccountMail(mailer, hands),
    account: {
      factors: openAccountFactors(hands),
      apps: (account) => connectedApps(account, hands),
      disconnect: (clientId, account, visitor) => disconnectApp(clientId, account, visitor, hands),
      sessions: (account) => sessionsOf(account, hands),
      activity: (account, before) => activityOf(account, before, hands),
      endSession: (id, account, visitor) => endSession(id, account, visitor, hands),
      changePassword: (account, by, visitor) => changePassword(account, by, visitor, hands),
    },
  }
}

/** As steady() does for clients: decides again on fresh facts, and shows an outage as one. */
async function decideAgainWhileStale(
  look: () => Promise<InteractionResponse | 'stale'>,
  { tenant }: Visitor,
  hands: Hands,
): Promise<InteractionResponse> {
  try {
    for (let tries = 0; tries < maxAttempts; tries++) {
      const outcome = await look()
      if (outcome !== 'stale') return outcome
      hands.directory.forget(tenant)
    }
    return { go: 'error', refusal: { reason: 'unavailable', retryAfter: 1 } }
  } catch (cause) {
    if (isOutage(cause)) return { go: 'error', refusal: { reason: 'unavailable', retryAfter: 2 } }
    throw cause
  }
}
