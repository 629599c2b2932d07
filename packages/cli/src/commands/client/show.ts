/** `grantor client show` */
import { clientDocument, clientFields } from '../../documents/client.ts'
import { done, refused } from '../../program/exit.ts'
import { withTenant } from '../../program/deployment.ts'
import { arg, type Verb } from '../../program/command.ts'

export const clientShow: Verb = {
  name: 'show',
  says: 'show one client; its secrets only by their dates',
  args: [{ form: '<client_id>', says: 'the client' }],
  tenant: true,
  run: (call) =>
    withTenant(call, async ({ authority }) => {
      const found = await authority.admin.clients.find(call.tenant, arg(call, 0))
      if (!found.ok) return refused(found.refusal)
      await call.out.record(clientDocument(found.value), clientFields(found.value))
      return done
    }),
}
