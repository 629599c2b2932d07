/** After a first factor: begins the session, or asks for the second factor if the person has one here. */
import { acrValues, hasSecondFactor, meetsAcr } from '@grantor/protocol/authorize'
import { sealPendingSecondFactor } from '../interact/pending-second-factor.ts'
import { beginSession, type ProvenSignIn, type SignInDependencies, type SignInOfSubject } from '../interact/sign-in.ts'
import type { Visitor } from '../interact/visitor.ts'
import { giveBackAttempt } from '../limits/sign-in-attempts.ts'
import { isRememberedBrowser } from './remembered-browser.ts'

export interface FirstProof extends ProvenSignIn {
  /** Whether a trusted browser skips the second factor. */
  readonly trusting: boolean
}

const [, twoFactors] = acrValues

export async function afterFirstFactor(
  { trusting, ...proof }: FirstProof,
  visitor: Visitor,
  deps: SignInDependencies,
): Promise<SignInOfSubject> {
  const { person, acr } = proof
  const enough = meetsAcr(acr, twoFactors) || (trusting && (await isRememberedBrowser(person, visitor, deps)))
  // A first factor alone does not cancel a deletion, so whether the second one is missing must be known before the
  // session begins.
  if (!enough && person.deletionDueAt !== undefined) {
    if (hasSecondFactor(await deps.store.factors.of(person.tenant, person.id))) {
      if (proof.tried !== null) await giveBackAttempt(proof.tried, deps.limits)
      const cookies = sealPendingSecondFactor(proof, visitor, deps)
      return { did: 'second-factor-pending', subject: person.id, cookies }
    }
  }
  return beginSession({ ...proof, unlessSecondFactor: !enough }, visitor, deps)
}
