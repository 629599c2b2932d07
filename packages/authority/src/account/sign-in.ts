/** Signing in without an application behind it, to the account pages: the same proofs, and no hub to return to. */
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
import { signInByPassword } from '../interact/sign-in.ts'
import type { CookieChanges, Visitor } from '../interact/visitor.ts'

export interface AccountSignIn {
  /** `confirming`: a browser that is trusted otherwise must show the second factor, too. */
  byPassword(
    by: { readonly username: string; readonly password: string; readonly confirming: boolean },
    visitor: Visitor,
  ): Promise<SignInOutcome>
  byPasskey(text: string, visitor: Visitor): Promise<SignInOutcome>
  /** What is asked of whoever is half way in; null for everybody else. */
  pendingSecondFactor(visitor: Visitor): Promise<SecondFactorQuestion | null>
  /** 'rejected' where nobody is half way in any more, too. */
  bySecondFactor(by: SecondFactor, visitor: Visitor): Promise<SignInOutcome>
  startOver(visitor: Visitor): CookieChanges
  /** For the browser's authenticators on the login page; null where they cannot help. */
  passkeyQuestion(visitor: Visitor): Promise<JsonObject | null>
}

export const openAccountSignIn = (deps: SecondFactorDependencies): AccountSignIn => ({
  byPassword: ({ confirming, ...by }, visitor) => signInByPassword({ ...by, trusting: !confirming }, visitor, deps),
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
    return signInBySecondFactor(by, { ...pending, until: null, purpose: 'account' }, visitor, deps)
  },

  startOver: (visitor) => (visitor.pendingSecondFactor === null ? {} : { pendingSecondFactor: null }),
  passkeyQuestion: (visitor) => passkeyQuestion({ purpose: 'account', of: null }, visitor, deps),
})
