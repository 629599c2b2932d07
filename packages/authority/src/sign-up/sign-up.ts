/** What a browser can request about sign-up, invitations and terms. */
import type { AccountPolicy, Terms } from '@grantor/protocol/people'
import type { RefusalRecorder } from '../events.ts'
import type { Account, Visitor } from '../interact/visitor.ts'
import {
  type Acceptance,
  type AcceptanceDependencies,
  type AcceptanceOutcome,
  acceptInvitation,
  type OfferedAccount,
  offeredAccount,
  type ShownInvitation,
} from './accept.ts'
import {
  requestSignUp,
  type SignUpAsked,
  signUpPolicy,
  type SignUpRequestDependencies,
  type SignUpRequestOutcome,
} from './request.ts'
import { acceptTerms, termsFor } from './terms.ts'

export type SignUpDependencies = AcceptanceDependencies &
  SignUpRequestDependencies & { readonly refusedRequests: RefusalRecorder }

export interface SignUp {
  /** The tenant's account policy; null where sign-up is off. */
  policy(visitor: Pick<Visitor, 'tenant'>): Promise<AccountPolicy | null>
  request(by: SignUpAsked, visitor: Visitor): Promise<SignUpRequestOutcome>
  /** What a link offers; null if it is not valid (any more). Does not use up the link. */
  offered(shown: ShownInvitation, visitor: Visitor): Promise<OfferedAccount | null>
  accept(by: Acceptance, visitor: Visitor): Promise<AcceptanceOutcome>
  /** The terms of use that the person must still accept; null for none. */
  termsFor(account: Account): Promise<Terms | null>
  /** 'outrun': the terms or the account changed; look again. */
  agreeToTerms(account: Account, version: string, visitor: Visitor): Promise<'accepted' | 'outrun'>
}

/** `delivery` is null where no mail can be sent: then sign-up is off, and only links that were handed over work. */
export const openSignUp = (delivery: { wake(): void } | null, deps: SignUpDependencies): SignUp => ({
  policy: async (visitor) => (delivery === null ? null : signUpPolicy(visitor, deps)),
  async request(by, visitor) {
    if (delivery === null) return 'off'
    const outcome = await requestSignUp(by, visitor, deps)
    delivery.wake()
    return outcome
  },
  offered: (shown, visitor) => offeredAccount(shown, visitor, deps),
  accept: (by, visitor) => acceptInvitation(by, visitor, deps),
  termsFor: (account) => termsFor(account, deps),
  agreeToTerms: (account, version, visitor) => acceptTerms(account, version, visitor, deps),
})
