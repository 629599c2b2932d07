/** Signing in with a password: checks the limits, then the password, here or at the directory that keeps it. */
import type { Catalogue } from '@grantor/protocol/oauth'
import { afterFirstFactor } from '../factors/after-first-factor.ts'
import {
  type CountedAttempt,
  countSignInAttempt,
  giveBackAttempt,
  lookAtProof,
  recordSignInFailure,
} from '../limits/sign-in-attempts.ts'
import { type GroupKeepingDependencies, keepGroups } from '../providers/ldap/keep-groups.ts'
import { type LdapProof, type LdapSignInDependencies, proofByDirectory } from '../providers/ldap/ldap-sign-in.ts'
import { signInAs } from '../providers/upstream-sign-in.ts'
import type { SignInDependencies, SignInOfSubject } from '../interact/sign-in.ts'
import type { Visitor } from '../interact/visitor.ts'

export type PasswordSignInDependencies = SignInDependencies & LdapSignInDependencies & GroupKeepingDependencies

export interface PasswordSignIn {
  readonly username: string
  readonly password: string
  /** Whether a trusted browser skips the second factor. */
  readonly trusting: boolean
  /** Of the tenant, read for this request: it lists the directories that keep passwords. */
  readonly catalogue: Catalogue | null
}

export async function signInByPassword(
  typed: PasswordSignIn,
  visitor: Visitor,
  deps: PasswordSignInDependencies,
): Promise<SignInOfSubject> {
  // A username contains no spaces, but phone keyboards append one to a completed word.
  const by = { ...typed, username: typed.username.trim() }
  const tried = await countSignInAttempt(by.username, visitor, deps)
  if (tried.seconds > 0) return { did: 'throttled', seconds: tried.seconds }
  const asked = await lookAtProof(tried, deps.limits, () => proofByDirectory(by, visitor, deps))
  if (asked !== null) return afterDirectory(asked, { by, tried, visitor }, deps)
  const at = deps.clock.now()
  const proof = await lookAtProof(tried, deps.limits, () =>
    deps.people.byPassword(visitor.tenant, by.username, by.password),
  )
  if (proof.person === null) return recordSignInFailure({ subject: proof.subject, reason: 'password' }, visitor, deps)
  const first = { ...proof, at, since: at, until: null, upstream: null, trusting: by.trusting, tried }
  return afterFirstFactor(first, visitor, deps)
}

interface DirectoryAttempt {
  readonly by: PasswordSignIn
  readonly tried: CountedAttempt
  readonly visitor: Visitor
}

/**
 * A directory that could not be asked does not count as a failed attempt, and only people whose password it keeps are
 * told of the outage.
 */
async function afterDirectory(
  asked: LdapProof,
  { by, tried, visitor }: DirectoryAttempt,
  deps: PasswordSignInDependencies,
): Promise<SignInOfSubject> {
  if (asked.did === 'rejected')
    return recordSignInFailure({ subject: asked.subject, reason: 'password', data: asked.data }, visitor, deps)
  if (asked.did === 'proven') {
    await keepGroups(asked, visitor, deps)
    return signInAs({ ...asked, trusting: by.trusting, tried }, visitor, deps)
  }
  await giveBackAttempt(tried, deps.limits)
  await recordSignInFailure({ subject: null, reason: 'provider', data: asked.data }, visitor, deps)
  return { did: 'unavailable', provider: asked.provider.name }
}
