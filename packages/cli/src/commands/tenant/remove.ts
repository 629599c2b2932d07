/** `grantor tenant remove` */
import type { TenantId } from '@grantor/protocol/types'
import { argument, type Command } from '../../program/command.ts'
import { confirmAction, yesOption } from '../../program/confirm.ts'
import { withDeployment } from '../../program/deployment.ts'
import { adminFailure, done } from '../../program/exit.ts'
import { operator } from '../../program/operator.ts'

export const tenantRemove: Command = {
  name: 'remove',
  description: 'remove a disabled tenant with all it holds; only its log stays',
  args: [{ form: '<id>', description: 'the tenant' }],
  options: [yesOption],
  run: (context) =>
    withDeployment(context, async ({ authority }) => {
      const id = argument(context, 0)
      if (
        !(await confirmAction(context, `Remove tenant ${id} with its clients, keys and tokens? There is no way back.`))
      )
        return done
      const removed = await authority.admin.tenants.remove(operator(), id as TenantId)
      if (removed.kind === 'error') return adminFailure(removed.error)
      await context.out.record({ id, removed: true }, [['removed', id]])
      return done
    }),
}
