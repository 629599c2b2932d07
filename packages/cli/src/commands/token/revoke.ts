/** `grantor token revoke` */
import { operator } from '../../program/operator.ts'
import { done, refused } from '../../program/exit.ts'
import { withTenant } from '../../program/deployment.ts'
import type { Verb } from '../../program/command.ts'
import { givenToken, tokenArg } from './token-input.ts'

export const tokenRevoke: Verb = {
  name: 'revoke',
  says: 'revoke a token; validators refuse it within seconds',
  args: [tokenArg],
  tenant: true,
  run: async (call) => {
    const token = await givenToken(call)
    if (typeof token !== 'string') return token
    return withTenant(call, async ({ authority }) => {
      const revoked = await authority.admin.tokens.revoke(operator(), call.tenant, token)
      if (!revoked.ok) return refused(revoked.refusal)
      await call.out.record({ revoked: true, already: revoked.value === 'already-revoked' }, [
        ['token', revoked.value.replace('-', ' ')],
      ])
      return done
    })
  },
}
