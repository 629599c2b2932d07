/** Giving and taking roles needs a scope of its own: writing people or groups must not allow callers any role. */
import { problem } from '@grantor/protocol/http'
import type { Caller } from '@grantor/resource'
import { actorOf } from '../admin-problem.ts'

/** An operator at the machine itself may give all roles. */
export const mayGiveRoles = (caller: Caller): boolean =>
  caller.scope.has('admin:roles:write') || actorOf(caller).kind === 'operator'

export const rolesRefused = problem(
  'forbidden',
  'To give or take roles, your token needs the scope admin:roles:write too.',
)

export const changesRoles = (roles: readonly string[] = [], before: readonly string[] = []): boolean =>
  roles.length !== before.length || roles.some((role) => !before.includes(role))
