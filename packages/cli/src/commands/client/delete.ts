/** `grantor client delete` */
import { operator } from '../../program/operator.ts'
import { confirmed, yes } from '../../program/confirm.ts'
import { done, refused } from '../../program/exit.ts'
import { withTenant } from '../../program/deployment.ts'
import { arg, type Verb } from '../../program/command.ts'

export const clientDelete: Verb = {
  name: 'delete',
  says: 'delete a client; its tokens die with it',
  args: [{ form: '<client_id>', says: 'the client' }],
  options: [yes],
  tenant: true,
  run: (call) =>
    withTenant(call, async ({ authority }) => {
      const id = arg(call, 0)
      const found = await authority.admin.clients.find(call.tenant, id)
      if (!found.ok) return refused(found.refusal)
      if (
        !(await confirmed(
          call,
          `Delete client ${id} (${found.value.metadata.client_name ?? 'no name'})? Its tokens die at once.`,
        ))
      )
        return done
      const removed = await authority.admin.clients.remove(operator(), call.tenant, id)
      if (!removed.ok) return refused(removed.refusal)
      await call.out.record({ client_id: id, deleted: true }, [['deleted', id]])
      return done
    }),
}
