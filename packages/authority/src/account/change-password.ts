/** A person replaces their own password, knowing the old one. */
import type { Store } from '@grantor/store'
import { type EventDependencies, newEvent } from '../events.ts'
import type { Account, Visitor } from '../interact/visitor.ts'
import { type CountedLimits, limitReached } from '../limits/limits.ts'
import { accountKey } from '../limits/sign-in-attempts.ts'
import { checkPassword, hashPassword, passwordProblem } from '../people/password.ts'

export interface ChangePasswordDependencies extends EventDependencies {
  readonly limits: CountedLimits
  readonly store: Pick<Store, 'users'>
}

export interface NewPassword {
  readonly current: string
  readonly next: string
}

export type PasswordChange = 'changed' | 'wrong' | 'too_short' | 'too_long' | 'is_name' | 'unchanged' | 'throttled'

/** Every other session of the person ends with the old password. */
export async function changePassword(
  account: Account,
  by: NewPassword,
  visitor: Visitor,
  deps: ChangePasswordDependencies,
): Promise<PasswordChange> {
  const { person, session } = account
  const problem = passwordProblem(by.next, person.username)
  if (problem !== null) return problem
  if (by.next === by.current) return 'unchanged'
  const key = accountKey(person.tenant, person.username)
  if (limitReached(await deps.limits.take('loginAccount', key)) !== null) return 'throttled'
  const user = await deps.store.users.byId(person.tenant, person.id)
  if (user === null || !(await checkPassword(user.passwordHash, by.current))) return 'wrong'
  await deps.limits.giveBack('loginAccount', key)
  const about = { actor: { kind: 'user' as const, id: user.id }, subject: user.id, reason: 'password_changed' }
  const outcome = await deps.store.users.change({
    tenant: user.tenant,
    id: user.id,
    version: user.version,
    passwordHash: await hashPassword(by.next),
    endSessionsBut: session.id,
    at: deps.clock.now(),
    // `cutoff` tells validators that access tokens of the ended sessions are dead; living grants refresh theirs.
    events: [newEvent(deps, visitor, 'admin.user_changed', { ...about, data: { cutoff: true } })],
  })
  return outcome === 'changed' ? 'changed' : 'wrong'
}
