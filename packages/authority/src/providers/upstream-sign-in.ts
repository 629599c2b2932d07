/** A session for whoever came from a provider; or the second factor that they have here, first. */
import { acrValues, hasSecondFactor, meetsAcr } from '@grantor/protocol/authorize'
import type { StoredProvider } from '@grantor/protocol/providers'
import { isRememberedBrowser } from '../factors/remembered-browser.ts'
import { sealPendingSecondFactor } from '../interact/pending-second-factor.ts'
import { beginSession, type SignInDependencies, type SignInOfSubject } from '../interact/sign-in.ts'
import type { Visitor } from '../interact/visitor.ts'
import type { UpstreamAnswer } from './answer.ts'

interface Known {
  readonly person: Parameters<typeof beginSession>[0]['person']
  readonly answer: UpstreamAnswer
  readonly provider: StoredProvider
  /** Whether a browser that the person trusted is spared the second factor; it is where nothing is said. */
  readonly trusting?: boolean
}

const [, twoFactors] = acrValues

/** A second factor that a person has here is asked for here, unless they showed as much there and that is believed. */
export async function signInAs(
  { person, answer, provider, trusting = true }: Known,
  visitor: Visitor,
  deps: SignInDependencies,
): Promise<SignInOfSubject> {
  const { at, strength, sid } = answer
  const upstream = { provider: provider.id, sid }
  const enough = meetsAcr(strength.acr, twoFactors) || (trusting && (await isRememberedBrowser(person, visitor, deps)))
  if (!enough && hasSecondFactor(await deps.store.factors.of(person.tenant, person.id))) {
    const cookies = sealPendingSecondFactor({ person, at, amr: strength.amr, upstream }, visitor, deps)
    return { did: 'second-factor-pending', subject: person.id, cookies }
  }
  return beginSession({ person, ...strength, at, since: deps.clock.now(), until: null, upstream }, visitor, deps)
}
