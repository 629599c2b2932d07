/** Callers cannot give clients administrative rights that they lack: writing clients must not escalate privileges. */
import { problem, type Problem } from '@grantor/protocol/http'
import { reachableScope } from '@grantor/protocol/registration'
import type { Caller } from '@grantor/resource'

/** Scopes of our other APIs, each with the administrative scopes that together allow the same. */
const asAdministrator: Readonly<Record<string, readonly string[]>> = {
  'scim:read': ['admin:users:read', 'admin:groups:read'],
  // Whoever changes members of groups also gives them the roles of the groups.
  'scim:write': ['admin:users:write', 'admin:groups:write', 'admin:roles:write'],
  // A stream tells of events, as a webhook does.
  'ssf.read': ['admin:webhooks:read'],
  'ssf.manage': ['admin:webhooks:write'],
}

/** Whether a scope is administrative, at this API or at another of ours. */
export const administers = (name: string): boolean => name.startsWith('admin:') || Object.hasOwn(asAdministrator, name)

const isHeld = (name: string, { scope }: Caller): boolean =>
  scope.has(name) || (asAdministrator[name] ?? [name]).every((right) => scope.has(right))

/** The problem if a client has, or would get, more rights than the caller, who could then act as that client. */
export function exceedsRights(held: Parameters<typeof reachableScope>[0], caller: Caller): Problem | null {
  const beyond = reachableScope(held).some((name) => administers(name) && !isHeld(name, caller))
  return beyond ? problem('forbidden', 'This client has rights to administer that your own token does not have.') : null
}
