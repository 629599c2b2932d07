/** `grantor token revoke` */
import type { Command } from '../../program/command.ts'
import { withTenant } from '../../program/deployment.ts'
import { adminFailure, done } from '../../program/exit.ts'
import { operator } from '../../program/operator.ts'
import { readToken, tokenArgument } from './token-input.ts'

export const tokenRevoke: Command = {
  name: 'revoke',
  description: 'revoke a token; validators refuse it within seconds',
  args: [tokenArgument],
  tenant: true,
  run: async (context) => {
    const token = await readToken(context)
    if (token.kind === 'error') return token
    return withTenant(context, async ({ authority }) => {
      const revoked = await authority.admin.tokens.revoke(operator(), context.tenant, token.value)
      if (revoked.kind === 'error') return adminFailure(revoked.error)
      await context.out.record({ revoked: true, already: revoked.value === 'already-revoked' }, [
        ['token', revoked.value.replace('-', ' ')],
      ])
      return done
    })
  },
}
