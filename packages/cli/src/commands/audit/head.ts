/** `grantor audit head` */
import { done, refused } from '../../program/exit.ts'
import { withHouse } from '../../program/deployment.ts'
import type { Verb } from '../../program/command.ts'

export const auditHead: Verb = {
  name: 'head',
  says: 'print the signed head of the log, to be kept where nobody who holds the database can reach',
  tenant: true,
  run: (call) =>
    withHouse(call, async ({ authority }) => {
      const head = await authority.admin.events.head(call.tenant)
      if (!head.ok) return refused(head.refusal)
      if (head.value === null) {
        await call.out.document(null, '')
        await call.out.remark('no events yet')
        return done
      }
      await call.out.record({ tenant: call.tenant, ...head.value }, [
        ['tenant', call.tenant],
        ...Object.entries(head.value),
      ])
      return done
    }),
}
