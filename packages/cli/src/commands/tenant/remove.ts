/** `grantor tenant remove` */
import type { TenantId } from '@grantor/protocol/types'
import { operator } from '../../program/operator.ts'
import { confirmed, yes } from '../../program/confirm.ts'
import { done, refused } from '../../program/exit.ts'
import { withHouse } from '../../program/deployment.ts'
import { arg, type Verb } from '../../program/command.ts'

export const tenantRemove: Verb = {
  name: 'remove',
  says: 'remove a disabled tenant with all it holds; only its log stays',
  args: [{ form: '<id>', says: 'the tenant' }],
  options: [yes],
  run: (call) =>
    withHouse(call, async ({ authority }) => {
      const id = arg(call, 0)
      if (!(await confirmed(call, `Remove tenant ${id} with its clients, keys and tokens? There is no way back.`)))
        return done
      const removed = await authority.admin.tenants.remove(operator(), id as TenantId)
      if (!removed.ok) return refused(removed.refusal)
      await call.out.record({ id, removed: true }, [['removed', id]])
      return done
    }),
}
