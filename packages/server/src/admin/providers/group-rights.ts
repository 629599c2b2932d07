/** Directories fill groups, so a caller who maps groups needs the scopes to change members and to give roles. */
import type { Handlers } from '@grantor/api'
import type { Authority } from '@grantor/authority'
import { type Problem, problem } from '@grantor/protocol/http'
import type { Caller } from '@grantor/resource'
import type { TenantId } from '@grantor/protocol/types'
import { actorOf } from '../admin-problem.ts'
import { tenantOf } from '../fields.ts'
import { mayGiveRoles, rolesRefused } from '../rights/giving-roles.ts'

interface WithGroups {
  /** Groups of the directory, each with the name of a group of ours. */
  readonly groups?: Readonly<Record<string, string>>
}

/** Checked at any change, also of hosts or filter, because that may lead to another directory or other people. */
export function withGroupRights<T extends WithGroups, B extends WithGroups>(
  acts: Handlers<T, B>,
  { groups }: Pick<Authority['admin'], 'groups'>,
): Handlers<T, B> {
  async function missing(caller: Caller, tenant: TenantId, filled: readonly WithGroups[]): Promise<Problem | null> {
    const names = new Set(filled.flatMap((it) => Object.values(it.groups ?? {})))
    if (names.size === 0 || actorOf(caller).kind === 'operator') return null
    if (!caller.scope.has('admin:groups:write'))
      return problem('forbidden', 'To let a directory fill groups, your token needs the scope admin:groups:write too.')
    if (mayGiveRoles(caller)) return null
    for (const name of names) {
      const group = await groups.byName(tenant, name)
      // A group that is created later may get any role.
      if (group.kind === 'error' || group.value.roles.length > 0) return rolesRefused
    }
    return null
  }

  return {
    ...acts,
    async create(body, context) {
      const refused = await missing(context.caller, tenantOf(context), [body])
      return refused ?? (acts.create?.(body, context) as never)
    },
    async insert(id, body, context) {
      const refused = await missing(context.caller, tenantOf(context), [body])
      return refused ?? (acts.insert?.(id, body, context) as never)
    },
    async update(id, change, context) {
      const refused = await missing(context.caller, tenantOf(context), [change.body, change.before])
      return refused ?? (acts.update?.(id, change, context) as never)
    },
  }
}
