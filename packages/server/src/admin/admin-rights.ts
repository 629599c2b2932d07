/** Nobody hands on a right to administer that they do not hold: writing clients must not be a way to become more. */
import { problem, type Problem } from '@grantor/protocol/http'
import type { Caller } from '@grantor/resource'

/** `scope` is what a client has or is to have. Whoever may change such a client, or see its secret, could act as it. */
/** Whoever provisions by SCIM does to people what these rights allow. */
const asUsers: Readonly<Record<string, string>> = { 'scim:read': 'admin:users:read', 'scim:write': 'admin:users:write' }

const isHeld = (name: string, { scope }: Caller): boolean => scope.has(name) || scope.has(asUsers[name] ?? name)

export function exceedsRights(scope: string | undefined, caller: Caller): Problem | null {
  const beyond = (scope ?? '')
    .split(' ')
    .some((name) => (name.startsWith('admin:') || Object.hasOwn(asUsers, name)) && !isHeld(name, caller))
  return beyond ? problem('forbidden', 'This client has rights to administer that your own token does not have.') : null
}
