/** `grantor audit head` */
import type { Command } from '../../program/command.ts'
import { withDatabase } from '../../program/deployment.ts'
import { adminFailure, done } from '../../program/exit.ts'

export const auditHead: Command = {
  name: 'head',
  description: 'print the signed head of the log, to be kept where nobody who holds the database can reach',
  tenant: true,
  run: (context) =>
    withDatabase(context, async ({ authority }) => {
      const head = await authority.admin.events.head(context.tenant)
      if (head.kind === 'error') return adminFailure(head.error)
      if (head.value === null) {
        await context.out.document(null, '')
        await context.out.remark('no events yet')
        return done
      }
      await context.out.record({ tenant: context.tenant, ...head.value }, [
        ['tenant', context.tenant],
        ...Object.entries(head.value),
      ])
      return done
    }),
}
