/** `grantor key drop` */
import { argument, type Command } from '../../program/command.ts'
import { confirmAction, yesOption } from '../../program/confirm.ts'
import { withExistingTenant } from '../../program/deployment.ts'
import { adminFailure, done } from '../../program/exit.ts'
import { operator } from '../../program/operator.ts'

export const keyDrop: Command = {
  name: 'drop',
  description: 'remove a key at once; every token it signed is refused from now on',
  args: [{ form: '<kid>', description: 'the key' }],
  options: [yesOption],
  tenant: true,
  run: (context) =>
    withExistingTenant(context, async ({ authority }) => {
      const kid = argument(context, 0)
      if (!(await confirmAction(context, `Drop key ${kid}? Every token it signed dies at once.`))) return done
      const dropped = await authority.admin.keys.drop(operator(), context.tenant, kid)
      if (dropped.kind === 'error') return adminFailure(dropped.error)
      await context.out.record({ kid, dropped: true }, [['dropped', kid]])
      return done
    }),
}
