/** The first owner: created where a deployment has none, so that somebody can administer it with a browser. */
import type { Actor } from '@grantor/protocol/events'
import { ok } from '@grantor/protocol/result'
import { defaultTenant, type TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { EventDependencies } from '../events.ts'
import { createUser } from './people/create-user.ts'
import type { AdminResult } from './result.ts'

export const firstOwner = 'admin'

/**
 * 'made', or why no owner was made: one exists, or the name is that of another person, who is not silently made owner.
 */
export type FirstOwnerOutcome = 'made' | 'has-owner' | 'name-taken'

export interface FirstOwnerAdmin {
  /** Whether `ensure` would create an owner. */
  isNeeded(): Promise<AdminResult<boolean>>
  /** Several nodes that start at once create only one. */
  ensure(
    by: Actor,
    input: { readonly password: string; readonly mustChangePassword: boolean },
  ): Promise<AdminResult<FirstOwnerOutcome>>
  /** Whether the first owner still has to choose a password of their own. */
  awaitsSignIn(): Promise<AdminResult<boolean>>
}

export interface FirstOwnerDependencies extends EventDependencies {
  readonly store: Pick<Store, 'users'>
}

export function openFirstOwnerAdmin(deps: FirstOwnerDependencies): FirstOwnerAdmin {
  const tenant = defaultTenant as TenantId
  const hasOwner = (): Promise<boolean> => deps.store.users.hasAdministrator(tenant, 'owner')
  return {
    isNeeded: async () => ok(!(await hasOwner())),

    async ensure(by, { password, mustChangePassword }) {
      if (await hasOwner()) return ok('has-owner')
      const person = { username: firstOwner, password, claims: {}, administrator: 'owner' as const, mustChangePassword }
      const made = await createUser(by, tenant, person, deps)
      if (made !== null) return ok('made')
      return ok((await hasOwner()) ? 'has-owner' : 'name-taken')
    },

    async awaitsSignIn() {
      const user = await deps.store.users.byUsername(tenant, firstOwner)
      return ok(user?.mustChangePassword === true)
    },
  }
}
