/** `grantor user reset-factors` */
import { argument, type Command } from '../../program/command.ts'
import { confirmAction, yesOption } from '../../program/confirm.ts'
import { withTenant } from '../../program/deployment.ts'
import { adminFailure, done } from '../../program/exit.ts'
import { operator } from '../../program/operator.ts'

export const userResetFactors: Command = {
  name: 'reset-factors',
  description: 'remove passkeys, authenticator app and recovery codes of a person who lost them; the password stays',
  args: [{ form: '<username>', description: 'the person' }],
  options: [yesOption],
  tenant: true,
  run: (context) =>
    withTenant(context, async ({ authority }) => {
      const username = argument(context, 0)
      if (!(await confirmAction(context, `Remove all second factors of ${username}?`))) return done
      const reset = await authority.admin.users.resetFactors(operator(), context.tenant, username)
      if (reset.kind === 'error') return adminFailure(reset.error)
      await context.out.record({ username, factors: 'none' }, [
        ['user', username],
        ['second factors', 'none'],
      ])
      return done
    }),
}
