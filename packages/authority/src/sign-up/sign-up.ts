/** What a browser can ask of sign-up, invitations and terms. */
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
  /** What the tenant says of it; null where nobody signs up. */
  policy(visitor: Pick<Visitor, 'tenant'>): Promise<AccountPolicy | null>
  request(by: SignUpAsked, visitor: Visitor): Promise<SignUpRequestOutcome>
  /** What a link offers; null for what is none, or none any more. Uses nothing up. */
  offered(shown: ShownInvitation, visitor: Visitor): Promise<OfferedAccount | null>
  accept(by: Acceptance, visitor: Visitor): Promise<AcceptanceOutcome>
  /** The terms of use that the person has yet to agree to; null for none. */
  termsFor(account: Account): Promise<Terms | null>
  /** 'outrun': look again what they have to agree to. */
  agreeToTerms(account: Account, version: string, visitor: Visitor): Promise<'accepted' | 'outrun'>
}

/** `delivery` is null where nothing can be mailed: then nobody signs up, and links are used as they were handed over. */
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
