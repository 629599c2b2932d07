/**
 * A person ends their account. It is out of use at once and removed after a while, in which signing in keeps it.
 * Each part is one commit: whoever dies in between leaves an account that is still due, or one that is gone.
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

/** 'stale': the sign-in is too old, somebody else may sit there. 'outrun': the account was changed at the same moment. */
export type DeletionOutcome =
  | { readonly did: 'requested'; readonly dueAt: Instant }
  | { readonly did: 'stale' | 'wrong' | 'last_owner' | 'outrun' }

export const deletionDue = ({ clock, policy }: Pick<DeletionDependencies, 'clock' | 'policy'>): Instant =>
  (clock.now() + policy.deletionGrace * 1000) as Instant

/** Asks for a recent sign-in and the password: whoever found the browser open must not be able to end the account. */
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
  // Who never had a password has just shown a passkey instead.
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
      // `cutoff` tells validators that access tokens are dead.
      newEvent(deps, visitor, 'admin.user_changed', { ...about, reason: 'deletion_requested', data: { cutoff: true } }),
    ],
  })
  if (outcome === 'changed') return { did: 'requested', dueAt }
  return { did: outcome === 'last-owner' ? 'last_owner' : 'outrun' }
}

const maxAttempts = 4

/** Whoever signs in keeps the account. It is kept before they are in: nobody works in what is deleted under them. */
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

/** Removes whoever is due. Who signed in meanwhile is another version, and stays; so does who is the last owner by now. */
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
