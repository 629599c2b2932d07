/**
 * Who may make a person an administrator, or change the sign-in methods of one: the operator of the machine (command
 * line, declared files), and an owner of the same tenant. A client never may, whatever its scopes are: with
 * admin:users:write alone it could otherwise make itself an owner.
 */
import type { Actor } from '@grantor/protocol/events'
import type { TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'

export async function mayNameAdministrators(
  by: Actor,
  tenant: TenantId,
  { users }: Pick<Store, 'users'>,
): Promise<boolean> {
  if (by.kind === 'operator' || by.kind === 'system') return true
  if (by.kind !== 'user' || by.id === null) return false
  const person = await users.byId(tenant, by.id)
  return person !== null && person.disabledAt === null && person.administrator === 'owner'
}
