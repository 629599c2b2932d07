/** `grantor key rewrap` */
import type { Command } from '../../program/command.ts'
import { withDatabase } from '../../program/deployment.ts'
import { adminFailure, done } from '../../program/exit.ts'
import { operator } from '../../program/operator.ts'

export const keyRewrap: Command = {
  name: 'rewrap',
  description: 'seal everything under the current master key, so that the previous one can go',
  run: (context) =>
    withDatabase(context, async ({ authority }) => {
      const rewrapped = await context.out.progress('sealing anew', () => authority.admin.keys.rewrap(operator()))
      if (rewrapped.kind === 'error') return adminFailure(rewrapped.error)
      await context.out.record({ rewrapped: rewrapped.value }, [['rewrapped', rewrapped.value]])
      await context.out.remark(
        'Nothing that is kept needs GRANTOR_MASTER_KEY_PREVIOUS any more: take it from every node.',
      )
      return done
    }),
}
