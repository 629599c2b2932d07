/** `grantor user reset-factors` */
import { operator } from '../../program/operator.ts'
import { done, refused } from '../../program/exit.ts'
import { withTenant } from '../../program/deployment.ts'
import { arg, type Verb } from '../../program/command.ts'

export const userResetFactors: Verb = {
  name: 'reset-factors',
  says: 'remove passkeys, authenticator app and recovery codes of a person who lost them; the password stays',
  args: [{ form: '<username>', says: 'the person' }],
  tenant: true,
  run: (call) =>
    withTenant(call, async ({ authority }) => {
      const username = arg(call, 0)
      const reset = await authority.admin.users.resetFactors(operator(), call.tenant, username)
      if (!reset.ok) return refused(reset.refusal)
      await call.out.record({ username, factors: 'none' }, [
        ['user', username],
        ['second factors', 'none'],
      ])
      return done
    }),
}
