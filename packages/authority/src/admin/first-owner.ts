/** The first owner: made where a deployment has none, so that somebody can administer it with a browser. */
import type { Actor } from '@grantor/protocol/events'
import { ok } from '@grantor/protocol/result'
import { defaultTenant, type TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { EventDependencies } from '../events.ts'
import { createUser } from './people/create-user.ts'
import type { AdminResult } from './result.ts'

export const firstOwner = 'admin'

/** 'made'; or nothing was: there is an owner, or the name is that of somebody who is none and is not made one in silence. */
export type FirstOwnerOutcome = 'made' | 'has-owner' | 'name-taken'

export interface FirstOwnerAdmin {
  /** Whether `ensure` would make one. */
  isNeeded(): Promise<AdminResult<boolean>>
  /** Several nodes that start at once make one. */
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
