/** Nobody hands on a right to administer that they do not hold: writing clients must not be a way to become more. */
import { problem, type Problem } from '@grantor/protocol/http'
import { reachableScope } from '@grantor/protocol/registration'
import type { Caller } from '@grantor/resource'

/** Scopes of other APIs of ours: what they allow is what these rights allow together. */
const asAdministrator: Readonly<Record<string, readonly string[]>> = {
  'scim:read': ['admin:users:read', 'admin:groups:read'],
  // Whoever fills groups gives what their roles give.
  'scim:write': ['admin:users:write', 'admin:groups:write', 'admin:roles:write'],
  // Whoever is told of events by a stream could be told by a webhook.
  'ssf.read': ['admin:webhooks:read'],
  'ssf.manage': ['admin:webhooks:write'],
}

/** Whether a scope allows to administer, at this API or at another of ours. */
export const administers = (name: string): boolean => name.startsWith('admin:') || Object.hasOwn(asAdministrator, name)

const isHeld = (name: string, { scope }: Caller): boolean =>
  scope.has(name) || (asAdministrator[name] ?? [name]).every((right) => scope.has(right))

/** What a client has or is to have. Whoever may change such a client, or see its secret, could act as it. */
export function exceedsRights(held: Parameters<typeof reachableScope>[0], caller: Caller): Problem | null {
  const beyond = reachableScope(held).some((name) => administers(name) && !isHeld(name, caller))
  return beyond ? problem('forbidden', 'This client has rights to administer that your own token does not have.') : null
}
