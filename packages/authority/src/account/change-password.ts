/** A person replaces their own password, given the old one, or a temporary one. */
import type { Store } from '@grantor/store'
import { type EventDependencies, newEvent } from '../events.ts'
import type { Account, Visitor } from '../interact/visitor.ts'
import type { CountedLimits } from '../limits/limits.ts'
import { countOwnAttempt, giveBackAttempt, lookAtProof } from '../limits/sign-in-attempts.ts'
import {
  checkPassword,
  hashPassword,
  type PasswordProblem,
  passwordProblem,
  type PasswordPolicy,
} from '../people/password.ts'

export interface ChangePasswordDependencies extends EventDependencies {
  readonly limits: CountedLimits
  readonly passwords: PasswordPolicy
  readonly store: Pick<Store, 'users'>
}

export const hasPassword = async (
  { person }: Account,
  { store }: Pick<ChangePasswordDependencies, 'store'>,
): Promise<boolean> => ((await store.users.byId(person.tenant, person.id))?.passwordHash ?? null) !== null

export interface NewPassword {
  readonly current: string
  readonly next: string
}

export type PasswordChange = 'changed' | 'wrong' | PasswordProblem | 'unchanged' | 'throttled'

/** The new password ends every other session of the person. */
export async function changePassword(
  account: Account,
  by: NewPassword,
  visitor: Visitor,
  deps: ChangePasswordDependencies,
): Promise<PasswordChange> {
  const { person, session } = account
  const problem = await passwordProblem(by.next, person.username, deps.passwords)
  if (problem !== null) return problem
  if (by.next === by.current) return 'unchanged'
  const tried = await countOwnAttempt(account, deps.limits)
  if (tried.seconds > 0) return 'throttled'
  const user = await deps.store.users.byId(person.tenant, person.id)
  const right = await lookAtProof(tried, deps.limits, () => checkPassword(user?.passwordHash ?? null, by.current))
  if (user === null || !right) return 'wrong'
  await giveBackAttempt(tried, deps.limits)
  const about = { actor: { kind: 'user' as const, id: user.id }, subject: user.id, reason: 'password_changed' }
  const outcome = await deps.store.users.change({
    tenant: user.tenant,
    id: user.id,
    version: user.version,
    passwordHash: await hashPassword(by.next),
    endSessionsBut: session.id,
    at: deps.clock.now(),
    // `cutoff` tells validators that the access tokens of the ended sessions are revoked; active grants refresh theirs.
    events: [newEvent(deps, visitor, 'admin.user_changed', { ...about, data: { cutoff: true } })],
  })
  return outcome === 'changed' ? 'changed' : 'wrong'
}

export type NewPasswordOutcome = 'changed' | PasswordProblem | 'unchanged' | 'outrun'

/**
 * Replaces a temporary password with which the person has just signed in. Another person may know it, so every other
 * session ends.
 */
export async function chooseNewPassword(
  { person, session }: Account,
  password: string,
  visitor: Visitor,
  deps: Pick<ChangePasswordDependencies, 'clock' | 'ids' | 'passwords' | 'store'>,
): Promise<NewPasswordOutcome> {
  const { tenant, id } = person
  const user = await deps.store.users.byId(tenant, id)
  // Replaced meanwhile, for example in another tab: a further change needs the old password.
  if (user === null || !user.mustChangePassword) return 'changed'
  const problem = await passwordProblem(password, user.username, deps.passwords)
  if (problem !== null) return problem
  if (await checkPassword(user.passwordHash, password)) return 'unchanged'
  const about = { actor: { kind: 'user' as const, id }, subject: id, reason: 'password_changed' }
  const outcome = await deps.store.users.change({
    tenant,
    id,
    version: user.version,
    passwordHash: await hashPassword(password),
    endSessionsBut: session.id,
    at: deps.clock.now(),
    events: [newEvent(deps, visitor, 'admin.user_changed', { ...about, data: { cutoff: true } })],
  })
  return outcome === 'changed' ? 'changed' : 'outrun'
}
