/** Everything a browser can ask of the authority: the way through an authorization, and a person's own account. */
import type { Catalogue, Form, Refusal } from '@grantor/protocol/oauth'
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
import { enterCode, type Entered } from './interact/enter-user-code.ts'
import { type Entry, openEntry } from './account/sign-in.ts'
import { look, stand } from './interact/hub.ts'
import type { SecondFactor } from './interact/second-factor.ts'
import {
  type At,
  choose,
  decide,
  showSecondFactor,
  signIn,
  signInWithPasskey,
  startOver,
  switchAccount,
} from './interact/steps.ts'
import type { Asked, Shown, SignedIn } from './interact/response.ts'
import { type Account, accountsOf, type Keepsakes, type Visitor } from './interact/visitor.ts'
import { type MailDoor, openMailDoor } from './account/account-mail.ts'
import type { Mailer } from './background/mail-delivery.ts'
import { beginLogout, confirmLogout, type LogoutBegun, type LogoutShown, standAtLogout } from './logout/rp-initiated.ts'
import { leave, type Left } from './logout/end-sessions.ts'
import { isOutage } from './retry-stale.ts'

export interface Credentials {
  readonly username: string
  readonly password: string
}

export interface Browser {
  authorize(form: Form, visitor: Visitor): Promise<Shown>
  /** The code that a device shows was typed (RFC 8628 §3.3). */
  enterCode(typed: string, visitor: Visitor): Promise<Entered>
  /** The hub: what comes next in this interaction. */
  stand(interaction: Secret, visitor: Visitor): Promise<Shown>
  /** What the person is asked now, without going on: null where nothing is left to ask. */
  look(interaction: Secret, visitor: Visitor): Promise<Asked | null>
  signIn(at: At, by: Credentials): Promise<SignedIn | Refusal>
  /** `text` is the JSON that the browser's authenticator made. */
  signInWithPasskey(at: At, text: string): Promise<SignedIn | Refusal>
  secondFactor(at: At, by: SecondFactor): Promise<SignedIn | Refusal>
  /** Back to the login page, as whoever one likes. */
  startOver(at: At): Promise<Keepsakes | Refusal>
  choose(at: At, subject: string | null): Promise<Refusal | null>
  switchAccount(at: At): Promise<Refusal | null>
  decide(at: At, by: { readonly allow: boolean; readonly ticked: ReadonlySet<string> }): Promise<Refusal | null>
  /** Gives a browser that has none the secret that names it. */
  meet(visitor: Visitor): Keepsakes
  catalogue(visitor: Visitor): Promise<Catalogue | null>
  /** The accounts signed in to this browser. */
  accounts(visitor: Visitor): Promise<readonly Account[]>
  /** Signing in without an application behind it, to the account pages. */
  readonly entry: Entry
  /** Ends every session of this browser. */
  leave(visitor: Visitor): Promise<Left>
  /** RP-Initiated Logout 1.0: a client sends a person here to sign out. */
  readonly logout: {
    begin(form: Form, visitor: Visitor): Promise<LogoutBegun>
    /** Where the browser stands there: asked, or signed out already. */
    stand(interaction: Secret, visitor: Visitor): Promise<LogoutShown>
    confirm(interaction: Secret, visitor: Visitor): Promise<LogoutShown>
  }
  /** Null where nothing can be mailed. */
  readonly mail: MailDoor | null
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

export function openBrowser(hands: Hands, mailer: Mailer | null): Browser {
  return {
    authorize: (form, visitor) => shown(() => beginAuthorization(form, visitor, hands), visitor, hands),
    enterCode: (typed, visitor) => enterCode(typed, visitor, hands),
    stand: (interaction, visitor) => shown(() => stand(interaction, visitor, hands), visitor, hands),
    look: (interaction, visitor) => look(interaction, visitor, hands),
    signIn: (at, by) => signIn(at, by, hands),
    signInWithPasskey: (at, text) => signInWithPasskey(at, text, hands),
    secondFactor: (at, by) => showSecondFactor(at, by, hands),
    startOver: (at) => startOver(at, hands),
    choose: (at, subject) => choose(at, subject, hands),
    switchAccount: (at) => switchAccount(at, hands),
    decide: (at, by) => decide(at, by, hands),
    meet: (visitor) => (visitor.browser === null ? { browser: hands.secret('gb_') } : {}),
    catalogue: (visitor) => hands.directory.catalogueNow(visitor.tenant),
    accounts: (visitor) => accountsOf(visitor, hands),
    entry: openEntry(hands),
    leave: (visitor) => leave(visitor, hands),
    logout: {
      begin: (form, visitor) => beginLogout(form, visitor, hands),
      stand: (interaction, visitor) => standAtLogout(interaction, visitor, hands),
      confirm: (interaction, visitor) => confirmLogout(interaction, visitor, hands),
    },
    mail: mailer === null ? null : openMailDoor(mailer, hands),
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
async function shown(look: () => Promise<Shown | 'stale'>, { tenant }: Visitor, hands: Hands): Promise<Shown> {
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
