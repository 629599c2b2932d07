/** Whoever has shown one factor is in, or half way in where they have a second one here. */
import { acrValues, hasSecondFactor, meetsAcr } from '@grantor/protocol/authorize'
import { sealPendingSecondFactor } from '../interact/pending-second-factor.ts'
import { beginSession, type ProvenSignIn, type SignInDependencies, type SignInOfSubject } from '../interact/sign-in.ts'
import type { Visitor } from '../interact/visitor.ts'
import { isRememberedBrowser } from './remembered-browser.ts'

export interface FirstProof extends ProvenSignIn {
  /** Whether a browser that the person trusted is spared the second factor. */
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
  if (!enough && hasSecondFactor(await deps.store.factors.of(person.tenant, person.id))) {
    const cookies = sealPendingSecondFactor(proof, visitor, deps)
    return { did: 'second-factor-pending', subject: person.id, cookies }
  }
  return beginSession(proof, visitor, deps)
}
