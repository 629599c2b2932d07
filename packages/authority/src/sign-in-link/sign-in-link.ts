/** What a browser can request about sign-in links. */
import type { Secret } from '@grantor/protocol/types'
import type { Visitor } from '../interact/visitor.ts'
import {
  offersSignInLinks,
  requestSignInLink,
  type SignInLinkAsked,
  type SignInLinkRequestDependencies,
  type SignInLinkRequestOutcome,
} from './request.ts'
import { type OfferedSignIn, offeredSignIn, type SignInLinkDependencies } from './use.ts'

export interface SignInLinks {
  /** Whether the tenant offers them, and mail can be sent. */
  offered(visitor: Pick<Visitor, 'tenant'>): Promise<boolean>
  request(by: SignInLinkAsked, visitor: Visitor): Promise<SignInLinkRequestOutcome>
  /** What the link would do in this browser. Does not use up the link; `signInByLink` does. */
  look(secret: Secret, visitor: Visitor): Promise<OfferedSignIn>
}

/** `delivery` is null where no mail can be sent. */
export const openSignInLinks = (
  delivery: { wake(): void } | null,
  deps: SignInLinkRequestDependencies & SignInLinkDependencies,
): SignInLinks => ({
  offered: async (visitor) => delivery !== null && offersSignInLinks(visitor, deps),
  async request(by, visitor) {
    const outcome = delivery === null ? 'off' : await requestSignInLink(by, visitor, deps)
    delivery?.wake()
    return outcome
  },
  look: (secret, visitor) => offeredSignIn(secret, visitor, deps),
})
