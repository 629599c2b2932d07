/** Nobody hands on a right to administer that they do not hold: writing clients must not be a way to become more. */
import { problem, type Problem } from '@grantor/protocol/http'
import type { Caller } from '@grantor/resource'

/** `scope` is what a client has or is to have. Whoever may change such a client, or see its secret, could act as it. */
/** Scopes of other APIs of ours: what they allow is what these rights allow together. */
const asAdministrator: Readonly<Record<string, readonly string[]>> = {
  'scim:read': ['admin:users:read', 'admin:groups:read'],
  'scim:write': ['admin:users:write', 'admin:groups:write'],
  // Whoever is told of events by a stream could be told by a webhook.
  'ssf.read': ['admin:webhooks:read'],
  'ssf.manage': ['admin:webhooks:write'],
}

const isHeld = (name: string, { scope }: Caller): boolean =>
  scope.has(name) || (asAdministrator[name] ?? [name]).every((right) => scope.has(right))

export function exceedsRights(scope: string | undefined, caller: Caller): Problem | null {
  const beyond = (scope ?? '')
    .split(' ')
    .some((name) => (name.startsWith('admin:') || Object.hasOwn(asAdministrator, name)) && !isHeld(name, caller))
  return beyond ? problem('forbidden', 'This client has rights to administer that your own token does not have.') : null
}
