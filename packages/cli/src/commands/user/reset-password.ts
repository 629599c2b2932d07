/** `grantor user reset-password` */
import { argument, type Command } from '../../program/command.ts'
import { withTenant } from '../../program/deployment.ts'
import { adminFailure, done } from '../../program/exit.ts'
import { operator } from '../../program/operator.ts'
import { passwordFileOption, readPassword } from './password.ts'

export const userResetPassword: Command = {
  name: 'reset-password',
  description: 'give a person another password; every session of theirs ends',
  args: [{ form: '<username>', description: 'the person' }],
  options: [passwordFileOption],
  tenant: true,
  run: async (context) => {
    const read = await readPassword(context)
    if (read.kind === 'error') return read
    const password = read.value
    return withTenant(context, async ({ authority }) => {
      const username = argument(context, 0)
      const reset = await authority.admin.users.resetPassword(operator(), context.tenant, {
        username,
        password: password.text,
      })
      if (reset.kind === 'error') return adminFailure(reset.error)
      const document = { username, ...(password.generated ? { password: password.text } : {}) }
      await context.out.record(document, Object.entries(document))
      if (password.generated) await context.out.remark('The password is shown this once; only its hash is kept.')
      return done
    })
  },
}
