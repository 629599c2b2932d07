/** `grantor registration-token revoke` */
import { operator } from '../../program/operator.ts'
import { done, refused } from '../../program/exit.ts'
import { withTenant } from '../../program/deployment.ts'
import { arg, type Verb } from '../../program/command.ts'

export const registrationTokenRevoke: Verb = {
  name: 'revoke',
  says: 'revoke such a token; clients that came by it stay',
  args: [{ form: '<id>', says: 'the id that `list` shows' }],
  tenant: true,
  run: (call) =>
    withTenant(call, async ({ authority }) => {
      const id = arg(call, 0)
      const revoked = await authority.admin.registrationTokens.revoke(operator(), call.tenant, id)
      if (!revoked.ok) return refused(revoked.refusal)
      await call.out.record({ id, revoked: true }, [['revoked', id]])
      return done
    }),
}
