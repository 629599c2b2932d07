/** The second factor: after a password, or on top of a session that is weaker than what is asked for. */
import { byPasswordAndCode, type SignInStrength } from '@grantor/protocol/authorize'
import type { Person } from '@grantor/protocol/people'
import type { Instant } from '@grantor/protocol/types'
import { useOtp, useRecoveryCode } from '../factors/codes.ts'
import type { ChallengePurpose } from '../factors/relying-party.ts'
import { rememberBrowser } from '../factors/remembered-browser.ts'
import { proveByPasskey } from '../factors/passkey-sign-in.ts'
import type { Hands } from '../hands.ts'
import {
  countSignInAttempt,
  countCodeAttempt,
  recordSignInFailure,
  giveBackAttempt,
} from '../limits/sign-in-attempts.ts'
import { beginSession, type SignInOfSubject } from './sign-in.ts'
import type { Visitor } from './visitor.ts'

/** What a person sent: one of them. */
export type FactorAnswer =
  | { readonly otp: string }
  | { readonly recoveryCode: string }
  /** JSON, as the browser's authenticator made it. */
  | { readonly passkey: string }

export interface SecondFactor {
  readonly answer: FactorAnswer
  /** Not to be asked in this browser for a while. */
  readonly remember: boolean
}

/** Whose, and what was shown before. */
export interface FirstFactor {
  readonly person: Person
  /** When the first factor was shown: codes make a sign-in no younger (max_age means all of it). */
  readonly at: Instant
  /** The end of the session that is being strengthened; null after a password. */
  readonly until: Instant | null
  readonly purpose: ChallengePurpose
}

export async function signInBySecondFactor(
  { answer, remember }: SecondFactor,
  standing: FirstFactor,
  on: { readonly visitor: Visitor; readonly hands: Hands },
): Promise<SignInOfSubject> {
  const { visitor, hands } = on
  const { person } = standing
  const tried =
    'otp' in answer
      ? await countCodeAttempt(person, visitor, hands)
      : await countSignInAttempt(person.username, visitor, hands)
  if (tried.seconds > 0) return { did: 'throttled', seconds: tried.seconds }
  const since = hands.clock.now()
  const strength = await provenStrength(answer, standing, on)
  if (strength === null) return recordSignInFailure({ subject: person.id, reason: 'second_factor' }, visitor, hands)
  await giveBackAttempt(tried, hands)
  const byKey = 'passkey' in answer
  const at = byKey ? since : standing.at
  const begun = await beginSession(
    { person, ...strength, at, since, until: byKey ? null : standing.until },
    visitor,
    hands,
  )
  if (begun.did !== 'signed-in' || !remember) return begun
  return { ...begun, cookies: { ...begun.cookies, ...(await rememberBrowser({ person, since }, visitor, hands)) } }
}

async function provenStrength(
  answer: FactorAnswer,
  { person, purpose }: FirstFactor,
  { visitor, hands }: { readonly visitor: Visitor; readonly hands: Hands },
): Promise<SignInStrength | null> {
  if ('otp' in answer) return (await useOtp(person, answer.otp, hands)) ? byPasswordAndCode : null
  if ('recoveryCode' in answer) {
    const right = await useRecoveryCode(person, { typed: answer.recoveryCode, visitor }, hands)
    return right ? byPasswordAndCode : null
  }
  const proof = await proveByPasskey({ text: answer.passkey, purpose }, visitor, hands)
  // A passkey of somebody else proves somebody else.
  return proof.person !== null && proof.person.id === person.id ? proof : null
}

/** A passkey by itself: who it is, it says itself. Only the address can be counted before that. */
export async function signInByPasskey(
  by: { readonly text: string; readonly purpose: ChallengePurpose },
  visitor: Visitor,
  hands: Hands,
): Promise<SignInOfSubject> {
  const tried = await countSignInAttempt(null, visitor, hands)
  if (tried.seconds > 0) return { did: 'throttled', seconds: tried.seconds }
  const since = hands.clock.now()
  const proof = await proveByPasskey(by, visitor, hands)
  if (proof.person === null) return recordSignInFailure({ subject: proof.subject, reason: 'passkey' }, visitor, hands)
  await giveBackAttempt(tried, hands)
  return beginSession({ ...proof, at: since, since, until: null }, visitor, hands)
}
