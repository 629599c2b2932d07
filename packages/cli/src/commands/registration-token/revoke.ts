/** `grantor registration-token revoke` */
import { argument, type Command } from '../../program/command.ts'
import { confirmAction, yesOption } from '../../program/confirm.ts'
import { withTenant } from '../../program/deployment.ts'
import { adminFailure, done } from '../../program/exit.ts'
import { operator } from '../../program/operator.ts'

export const registrationTokenRevoke: Command = {
  name: 'revoke',
  description: 'revoke such a token; clients that came by it stay',
  args: [{ form: '<id>', description: 'the id that `list` shows' }],
  options: [yesOption],
  tenant: true,
  run: (context) =>
    withTenant(context, async ({ authority }) => {
      const id = argument(context, 0)
      if (!(await confirmAction(context, `Revoke registration token ${id}?`))) return done
      const revoked = await authority.admin.registrationTokens.revoke(operator(), context.tenant, id)
      if (revoked.kind === 'error') return adminFailure(revoked.error)
      await context.out.record({ id, revoked: true }, [['revoked', id]])
      return done
    }),
}
