/** `grantor user reset-password` */
import { operator } from '../../program/operator.ts'
import { done, refused } from '../../program/exit.ts'
import { withTenant } from '../../program/deployment.ts'
import { arg, type Verb } from '../../program/command.ts'
import { passwordFile, passwordOf } from './password.ts'

export const userResetPassword: Verb = {
  name: 'reset-password',
  says: 'give a person another password; every session of theirs ends',
  args: [{ form: '<username>', says: 'the person' }],
  options: [passwordFile],
  tenant: true,
  run: async (call) => {
    const password = await passwordOf(call)
    if ('kind' in password) return password
    return withTenant(call, async ({ authority }) => {
      const username = arg(call, 0)
      const reset = await authority.admin.users.resetPassword(operator(), call.tenant, {
        username,
        password: password.text,
      })
      if (!reset.ok) return refused(reset.refusal)
      const document = { username, ...(password.made ? { password: password.text } : {}) }
      await call.out.record(document, Object.entries(document))
      if (password.made) await call.out.remark('The password is shown this once; only its hash is kept.')
      return done
    })
  },
}
