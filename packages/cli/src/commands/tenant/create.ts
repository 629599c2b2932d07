/** `grantor tenant create` */
import { argument, type Command, textOption } from '../../program/command.ts'
import { withDeployment } from '../../program/deployment.ts'
import { adminFailure, done } from '../../program/exit.ts'
import { operator } from '../../program/operator.ts'

export const tenantCreate: Command = {
  name: 'create',
  description: 'create a tenant, served at /t/{id} under the issuer',
  args: [{ form: '<id>', description: '1 to 40 of a-z, 0-9 and inner hyphens' }],
  options: [{ flag: '--name', takes: 'text', placeholder: 'name', description: 'what people see (default: the id)' }],
  run: (context) =>
    withDeployment(context, async ({ authority, issuer }) => {
      const id = argument(context, 0)
      const created = await authority.admin.tenants.create(operator(), id, textOption(context, '--name') ?? id)
      if (created.kind === 'error') return adminFailure(created.error)
      const { id: tenant, name } = created.value
      const document = { id: tenant, name, issuer: issuer.of(tenant) }
      await context.out.record(document, Object.entries(document))
      return done
    }),
}
