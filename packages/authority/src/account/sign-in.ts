/** Signing in without an application behind it, to the account pages: the same proofs, and no hub to return to. */
import type { JsonObject } from '@grantor/protocol/types'
import { passkeyQuestion } from '../factors/passkey-sign-in.ts'
import type { Hands } from '../hands.ts'
import { halfwayOf } from '../interact/pending-second-factor.ts'
import { completeSignIn, type SecondFactor, signInByPasskey } from '../interact/second-factor.ts'
import { shownPerson } from '../interact/display.ts'
import type { SecondFactorQuestion, SignedIn } from '../interact/response.ts'
import { startSession } from '../interact/sign-in.ts'
import type { Keepsakes, Visitor } from '../interact/visitor.ts'

export interface Entry {
  /** `confirming`: a browser that is trusted otherwise must show the second factor, too. */
  byPassword(
    by: { readonly username: string; readonly password: string; readonly confirming: boolean },
    visitor: Visitor,
  ): Promise<SignedIn>
  byPasskey(text: string, visitor: Visitor): Promise<SignedIn>
  /** What is asked of whoever is half way in; null for everybody else. */
  halfway(visitor: Visitor): Promise<SecondFactorQuestion | null>
  /** 'rejected' where nobody is half way in any more, too. */
  further(by: SecondFactor, visitor: Visitor): Promise<SignedIn>
  startOver(visitor: Visitor): Keepsakes
  /** For the browser's authenticators on the login page; null where they cannot help. */
  passkey(visitor: Visitor): Promise<JsonObject | null>
}

export const openEntry = (hands: Hands): Entry => ({
  byPassword: ({ confirming, ...by }, visitor) => startSession({ ...by, trusting: !confirming }, visitor, hands),
  byPasskey: (text, visitor) => signInByPasskey({ text, purpose: 'account' }, visitor, hands),

  async halfway(visitor) {
    const halfway = await halfwayOf(visitor, hands)
    if (halfway === null) return null
    const { person } = halfway
    const factors = await hands.store.factors.of(person.tenant, person.id)
    const passkey = await passkeyQuestion({ purpose: 'account', of: person.id }, visitor, hands)
    const { rememberedBrowserTtl: rememberFor } = hands.policy
    return { account: shownPerson(person), factors, passkeyOnly: false, rememberFor, passkey }
  },

  async further(by, visitor) {
    const halfway = await halfwayOf(visitor, hands)
    if (halfway === null) return { did: 'rejected' }
    return completeSignIn(by, { ...halfway, until: null, purpose: 'account' }, { visitor, hands })
  },

  startOver: (visitor) => (visitor.halfway === null ? {} : { halfway: null }),
  passkey: (visitor) => passkeyQuestion({ purpose: 'account', of: null }, visitor, hands),
})
