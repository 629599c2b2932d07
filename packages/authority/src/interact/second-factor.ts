/** The second factor: after a password, or to strengthen a session that is too weak for the request. */
import { type SignInStrength, withCode } from '@grantor/protocol/authorize'
import type { Person } from '@grantor/protocol/people'
import type { Instant } from '@grantor/protocol/types'
import type { UpstreamSession } from '@grantor/store'
import { type CodeDependencies, useOtp, useRecoveryCode } from '../factors/codes.ts'
import type { ChallengePurpose } from '../factors/relying-party.ts'
import { rememberBrowser } from '../factors/remembered-browser.ts'
import { type PasskeyDependencies, proveByPasskey } from '../factors/passkey-sign-in.ts'
import {
  countCodeAttempt,
  countNamelessAttempt,
  countSignInAttempt,
  lookAtProof,
  recordSignInFailure,
} from '../limits/sign-in-attempts.ts'
import { beginSession, type SignInDependencies, type SignInOfSubject } from './sign-in.ts'
import type { Visitor } from './visitor.ts'

export type SecondFactorDependencies = SignInDependencies & CodeDependencies & PasskeyDependencies

/** The person's answer: exactly one kind of factor. */
export type FactorAnswer =
  | { readonly otp: string }
  | { readonly recoveryCode: string }
  /** JSON, as the browser's authenticator made it. */
  | { readonly passkey: string }

export interface SecondFactor {
  readonly answer: FactorAnswer
  /** Whether to skip the second factor in this browser for a while. */
  readonly remember: boolean
}

/** The person, and how they authenticated before the second factor. */
export interface FirstFactor {
  readonly person: Person
  /** When the first factor was shown. A code makes the sign-in no newer: max_age concerns all of its factors. */
  readonly at: Instant
  /** The end of the session that is being strengthened, or of the session at the provider; null after a password. */
  readonly until: Instant | null
  readonly purpose: ChallengePurpose
  /** The methods of the first factor, and the provider that checked it, if not this server. */
  readonly amr: readonly string[]
  readonly upstream: UpstreamSession | null
}

export async function signInBySecondFactor(
  { answer, remember }: SecondFactor,
  first: FirstFactor,
  visitor: Visitor,
  deps: SecondFactorDependencies,
): Promise<SignInOfSubject> {
  const { person } = first
  const tried =
    'otp' in answer
      ? await countCodeAttempt(person, visitor, deps)
      : await countSignInAttempt(person.username, visitor, deps)
  if (tried.seconds > 0) return { did: 'throttled', seconds: tried.seconds }
  const since = deps.clock.now()
  const strength = await lookAtProof(tried, deps.limits, () => provenStrength(answer, first, visitor, deps))
  if (strength === null) return recordSignInFailure({ subject: person.id, reason: 'second_factor' }, visitor, deps)
  const isPasskey = 'passkey' in answer
  const at = isPasskey ? since : first.at
  // A passkey is a complete sign-in, so an earlier session does not limit it; the end that a provider sets always
  // holds.
  const until = isPasskey && first.upstream === null ? null : first.until
  const proof = { person, ...strength, at, since, until, upstream: first.upstream, tried }
  const begun = await beginSession(proof, visitor, deps)
  if (begun.did !== 'signed-in' || !remember) return begun
  return { ...begun, cookies: { ...begun.cookies, ...(await rememberBrowser({ person, since }, visitor, deps)) } }
}

async function provenStrength(
  answer: FactorAnswer,
  { person, purpose, amr }: FirstFactor,
  visitor: Visitor,
  deps: SecondFactorDependencies,
): Promise<SignInStrength | null> {
  if ('otp' in answer) return (await useOtp(person, answer.otp, deps)) ? withCode(amr) : null
  if ('recoveryCode' in answer) {
    const right = await useRecoveryCode(person, { typed: answer.recoveryCode, visitor }, deps)
    return right ? withCode(amr) : null
  }
  const proof = await proveByPasskey({ text: answer.passkey, purpose, known: true }, visitor, deps)
  // A passkey of another person does not count.
  return proof.person !== null && proof.person.id === person.id ? proof : null
}

/**
 * Signs in by a passkey alone, which names its person itself: until it is verified, attempts can only be counted by
 * address.
 */
export async function signInByPasskey(
  passkey: { readonly text: string; readonly purpose: ChallengePurpose },
  visitor: Visitor,
  deps: SecondFactorDependencies,
): Promise<SignInOfSubject> {
  const tried = await countNamelessAttempt(visitor, deps)
  if (tried.seconds > 0) return { did: 'throttled', seconds: tried.seconds }
  const since = deps.clock.now()
  const proof = await lookAtProof(tried, deps.limits, () => proveByPasskey({ ...passkey, known: false }, visitor, deps))
  if (proof.person === null) return recordSignInFailure({ subject: proof.subject, reason: 'passkey' }, visitor, deps)
  return beginSession({ ...proof, at: since, since, until: null, upstream: null, tried }, visitor, deps)
}
