/**
 * A person deletes their account. It is disabled at once and removed after a delay, in which signing in cancels the
 * deletion. Each part is one commit: a crash in between leaves an account that is still due, or one that is removed.
 */
import type { Policy } from '@grantor/protocol/oauth'
import type { Person } from '@grantor/protocol/people'
import type { Instant } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { type EventDependencies, localOrigin, newEvent, type Origin, systemActor } from '../events.ts'
import type { Account, Visitor } from '../interact/visitor.ts'
import type { CountedLimits } from '../limits/limits.ts'
import { countOwnAttempt, giveBackAttempt, lookAtProof } from '../limits/sign-in-attempts.ts'
import { checkPassword } from '../people/password.ts'

export interface DeletionDependencies extends EventDependencies {
  readonly limits: CountedLimits
  readonly policy: Policy
  readonly store: Pick<Store, 'users'>
}

/**
 * 'stale': the sign-in is too old, somebody else may be at the browser. 'outrun': the account was changed at the same
 * moment.
 */
export type DeletionOutcome =
  | { readonly did: 'requested'; readonly dueAt: Instant }
  | { readonly did: 'stale' | 'wrong' | 'last_owner' | 'outrun' }

export const deletionDue = ({ clock, policy }: Pick<DeletionDependencies, 'clock' | 'policy'>): Instant =>
  (clock.now() + policy.deletionGrace * 1000) as Instant

/**
 * Requires a recent sign-in and the password: whoever finds the browser open must not be able to delete the account.
 */
export async function requestDeletion(
  account: Account,
  password: string,
  visitor: Visitor,
  deps: DeletionDependencies,
): Promise<DeletionOutcome> {
  const { tenant, id } = account.person
  if (deps.clock.now() - account.authentication.at > deps.policy.recentSignIn * 1000) return { did: 'stale' }
  const tried = await countOwnAttempt(account, deps.limits)
  if (tried.seconds > 0) return { did: 'wrong' }
  const user = await deps.store.users.byId(tenant, id)
  // A person without a password has just shown a passkey instead.
  const hash = user?.passwordHash ?? null
  const right = hash === null || (await lookAtProof(tried, deps.limits, () => checkPassword(hash, password)))
  if (user === null || !right) return { did: 'wrong' }
  await giveBackAttempt(tried, deps.limits)
  const at = deps.clock.now()
  const dueAt = deletionDue(deps)
  const about = { actor: { kind: 'user' as const, id }, subject: id }
  const outcome = await deps.store.users.change({
    tenant,
    id,
    version: user.version,
    deletionDueAt: dueAt,
    endSessionsBut: null,
    at,
    events: [
      newEvent(deps, visitor, 'account.deletion_requested', { ...about, data: { due_at: dueAt } }),
      // `cutoff` tells validators that the access tokens are revoked.
      newEvent(deps, visitor, 'admin.user_changed', { ...about, reason: 'deletion_requested', data: { cutoff: true } }),
    ],
  })
  if (outcome === 'changed') return { did: 'requested', dueAt }
  return { did: outcome === 'last-owner' ? 'last_owner' : 'outrun' }
}

const maxAttempts = 4

/**
 * Signing in cancels the deletion. It is cancelled before the session begins, so that nobody works in an account that
 * is about to be removed.
 */
export async function keepAccount(
  { tenant, id, deletionDueAt }: Person,
  origin: Origin,
  deps: EventDependencies & { readonly store: Pick<Store, 'users'> },
): Promise<void> {
  if (deletionDueAt === undefined) return
  for (let tries = 0; tries < maxAttempts; tries++) {
    const user = await deps.store.users.byId(tenant, id)
    if (user === null || user.deletionDueAt === undefined) return
    const about = { actor: { kind: 'user' as const, id }, subject: id }
    const events = [newEvent(deps, origin, 'account.deletion_cancelled', about)]
    const change = { tenant, id, version: user.version, deletionDueAt: null, at: deps.clock.now(), events }
    if ((await deps.store.users.change(change)) === 'changed') return
  }
}

const atOnce = 100

/**
 * Removes the accounts that are due. One whose person signed in meanwhile has another version, and stays; so does that
 * of the last owner.
 */
export async function removeDueAccounts(
  deps: EventDependencies & { readonly store: Pick<Store, 'users'> },
): Promise<void> {
  const { users } = deps.store
  for (const user of await users.deletionsDue(deps.clock.now(), atOnce)) {
    const { tenant, id, version } = user
    const about = { actor: systemActor, subject: id, reason: 'deletion_due', data: { removed: true, cutoff: true } }
    const events = [newEvent(deps, localOrigin(tenant), 'admin.user_changed', about)]
    await users.remove({ tenant, id, version, by: id, at: deps.clock.now(), events })
  }
}
