/** Begins a session for a person who came from a provider, or asks for the second factor that they have here. */
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
  /** Whether a trusted browser skips the second factor. */
  readonly trusting: boolean
  /** The limits that were charged for the attempt; null where none were. */
  readonly tried: CountedAttempt | null
}

/**
 * Asks for the second factor that a person has here, unless they showed an equally strong one there and the provider is
 * trusted about it.
 */
export function signInAs(
  { person, answer: { at, strength, sid, until }, provider, trusting, tried }: Known,
  visitor: Visitor,
  deps: SignInDependencies,
): Promise<SignInOfSubject> {
  const upstream = { provider: provider.id, sid }
  const proof = { person, ...strength, at, since: deps.clock.now(), until: until ?? null, upstream, trusting, tried }
  return afterFirstFactor(proof, visitor, deps)
}
