/** Signing in to the account pages, without an application: the same proofs, but no hub to return to. */
import type { Catalogue } from '@grantor/protocol/oauth'
import type { JsonObject } from '@grantor/protocol/types'
import { passkeyQuestion } from '../factors/passkey-sign-in.ts'
import { pendingSecondFactorOf } from '../interact/pending-second-factor.ts'
import {
  type SecondFactorDependencies,
  signInBySecondFactor,
  type SecondFactor,
  signInByPasskey,
} from '../interact/second-factor.ts'
import { displayedPerson } from '../interact/display.ts'
import type { SecondFactorQuestion, SignInOutcome } from '../interact/response.ts'
import { type PasswordSignInDependencies, signInByPassword } from '../people/password-sign-in.ts'
import type { CookieChanges, Visitor } from '../interact/visitor.ts'
import { type Departure, type DepartureDependencies, leaveForProvider } from '../providers/departure.ts'

export interface AccountSignIn {
  /**
   * `confirming`: even a trusted browser must show the second factor. `catalogue`: that of the tenant, if it was read
   * for this request.
   */
  byPassword(
    by: {
      readonly username: string
      readonly password: string
      readonly confirming: boolean
      readonly catalogue?: Catalogue | null
    },
    visitor: Visitor,
  ): Promise<SignInOutcome>
  byPasskey(text: string, visitor: Visitor): Promise<SignInOutcome>
  /** The question for a person whose second factor is missing; null otherwise. */
  pendingSecondFactor(visitor: Visitor): Promise<SecondFactorQuestion | null>
  /** 'rejected' also where no second factor is missing any more. */
  bySecondFactor(by: SecondFactor, visitor: Visitor): Promise<SignInOutcome>
  /** Leaves for a provider, to return to that page of the account. */
  leaveForProvider(by: AccountDeparture, visitor: Visitor): Promise<Departure>
  startOver(visitor: Visitor): CookieChanges
  /** Options for the browser's authenticators on the login page; null where passkeys are impossible. */
  passkeyQuestion(visitor: Visitor): Promise<JsonObject | null>
}

export interface AccountDeparture {
  readonly provider: string
  readonly loginHint: string | null
  readonly section: string
  readonly confirming: boolean
}

export type AccountSignInDependencies = SecondFactorDependencies & PasswordSignInDependencies & DepartureDependencies

export const openAccountSignIn = (deps: AccountSignInDependencies): AccountSignIn => ({
  async byPassword({ confirming, catalogue: read, ...by }, visitor) {
    const catalogue = read === undefined ? await deps.directory.currentCatalogue(visitor.tenant) : read
    return signInByPassword({ ...by, catalogue, trusting: !confirming }, visitor, deps)
  },
  byPasskey: (text, visitor) => signInByPasskey({ text, purpose: 'account' }, visitor, deps),

  async pendingSecondFactor(visitor) {
    const pending = await pendingSecondFactorOf(visitor, deps)
    if (pending === null) return null
    const { person } = pending
    const factors = await deps.store.factors.of(person.tenant, person.id)
    const passkey = await passkeyQuestion({ purpose: 'account', of: person.id }, visitor, deps)
    const { rememberedBrowserTtl: rememberFor } = deps.policy
    return { account: displayedPerson(person), factors, passkeyOnly: false, rememberFor, passkey }
  },

  async bySecondFactor(by, visitor) {
    const pending = await pendingSecondFactorOf(visitor, deps)
    if (pending === null) return { did: 'rejected' }
    return signInBySecondFactor(by, { ...pending, purpose: 'account' }, visitor, deps)
  },

  leaveForProvider({ provider, loginHint, section, confirming }, visitor) {
    const purpose = { kind: 'account' as const, section, confirming }
    return leaveForProvider({ provider, purpose, loginHint, again: confirming, acrValues: [] }, visitor, deps)
  },

  startOver: (visitor) => (visitor.pendingSecondFactor === null ? {} : { pendingSecondFactor: null }),
  passkeyQuestion: (visitor) => passkeyQuestion({ purpose: 'account', of: null }, visitor, deps),
})
