/** `grantor client delete` */
import { argument, type Command } from '../../program/command.ts'
import { confirmAction, yesOption } from '../../program/confirm.ts'
import { withTenant } from '../../program/deployment.ts'
import { adminFailure, done } from '../../program/exit.ts'
import { operator } from '../../program/operator.ts'

export const clientDelete: Command = {
  name: 'delete',
  description: 'delete a client; its tokens die with it',
  args: [{ form: '<client_id>', description: 'the client' }],
  options: [yesOption],
  tenant: true,
  run: (context) =>
    withTenant(context, async ({ authority }) => {
      const id = argument(context, 0)
      const found = await authority.admin.clients.find(context.tenant, id)
      if (found.kind === 'error' && found.error.reason !== 'unreadable') return adminFailure(found.error)
      const name = found.kind === 'error' ? 'it cannot be read' : (found.value.metadata.client_name ?? 'no name')
      if (!(await confirmAction(context, `Delete client ${id} (${name})? Its tokens die at once.`))) return done
      const removed = await authority.admin.clients.remove(operator(), context.tenant, id)
      if (removed.kind === 'error') return adminFailure(removed.error)
      await context.out.record({ client_id: id, deleted: true }, [['deleted', id]])
      return done
    }),
}
