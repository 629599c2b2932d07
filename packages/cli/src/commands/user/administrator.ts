/** `grantor user administrator` */
import { administratorKinds } from '@grantor/protocol/people'
import { argument, type Command } from '../../program/command.ts'
import { withTenant } from '../../program/deployment.ts'
import { adminFailure, done } from '../../program/exit.ts'
import { operator } from '../../program/operator.ts'

export const userAdministrator: Command = {
  name: 'administrator',
  description: 'make somebody an administrator, or no longer one',
  args: [
    { form: '<username>', description: 'whose account' },
    { form: '<kind>', description: 'of what kind, or none', choices: [...administratorKinds, 'none'] },
  ],
  tenant: true,
  run: (context) =>
    withTenant(context, async ({ authority }) => {
      const [username, kind] = [argument(context, 0), argument(context, 1)]
      const administrator = kind === 'none' ? null : kind
      const input = { username, administrator }
      const changed = await authority.admin.users.setAdministrator(operator(), context.tenant, input)
      if (changed.kind === 'error') return adminFailure(changed.error)
      await context.out.record({ username, administrator }, [
        ['username', username],
        ['administrator', administrator ?? 'none'],
      ])
      return done
    }),
}
