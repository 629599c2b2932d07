/** Nobody hands on a right to administer that they do not hold: writing clients must not be a way to become more. */
import { problem, type Problem } from '@grantor/protocol/http'
import type { Caller } from '@grantor/resource'

/** `scope` is what a client has or is to have. Whoever may change such a client, or see its secret, could act as it. */
export function exceedsRights(scope: string | undefined, caller: Caller): Problem | null {
  const beyond = (scope ?? '').split(' ').some((name) => name.startsWith('admin:') && !caller.scope.has(name))
  return beyond ? problem('forbidden', 'This client has rights to administer that your own token does not have.') : null
}
