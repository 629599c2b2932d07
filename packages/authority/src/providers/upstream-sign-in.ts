/** A session for whoever came from a provider; or the second factor that they have here, first. */
import type { Person } from '@grantor/protocol/people'
import type { StoredProvider } from '@grantor/protocol/providers'
import { afterFirstFactor } from '../factors/after-first-factor.ts'
import type { SignInDependencies, SignInOfSubject } from '../interact/sign-in.ts'
import type { Visitor } from '../interact/visitor.ts'
import type { CountedAttempt } from '../limits/sign-in-attempts.ts'
import type { UpstreamAnswer } from './answer.ts'

interface Known {
  readonly person: Person
  readonly answer: UpstreamAnswer
  readonly provider: StoredProvider
  /** Whether a browser that the person trusted is spared the second factor. */
  readonly trusting: boolean
  /** What it was counted as; null where nothing was. */
  readonly tried: CountedAttempt | null
}

/** A second factor that a person has here is asked for here, unless they showed as much there and that is believed. */
export function signInAs(
  { person, answer: { at, strength, sid, until }, provider, trusting, tried }: Known,
  visitor: Visitor,
  deps: SignInDependencies,
): Promise<SignInOfSubject> {
  const upstream = { provider: provider.id, sid }
  const proof = { person, ...strength, at, since: deps.clock.now(), until: until ?? null, upstream, trusting, tried }
  return afterFirstFactor(proof, visitor, deps)
}
