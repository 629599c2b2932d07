/** `grantor client show` */
import { clientDocument, clientFields } from '../../documents/client.ts'
import { argument, type Command } from '../../program/command.ts'
import { withTenant } from '../../program/deployment.ts'
import { adminFailure, done } from '../../program/exit.ts'

export const clientShow: Command = {
  name: 'show',
  description: 'show one client; its secrets only by their dates',
  args: [{ form: '<client_id>', description: 'the client' }],
  tenant: true,
  run: (context) =>
    withTenant(context, async ({ authority }) => {
      const found = await authority.admin.clients.find(context.tenant, argument(context, 0))
      if (found.kind === 'error') return adminFailure(found.error)
      await context.out.record(clientDocument(found.value), clientFields(found.value))
      return done
    }),
}
