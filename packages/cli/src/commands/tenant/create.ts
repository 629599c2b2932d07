/** `grantor tenant create` */
import { operator } from '../../program/operator.ts'
import { done, refused } from '../../program/exit.ts'
import { withHouse } from '../../program/deployment.ts'
import { arg, textOf, type Verb } from '../../program/command.ts'

export const tenantCreate: Verb = {
  name: 'create',
  says: 'create a tenant, served at /t/{id} under the issuer',
  args: [{ form: '<id>', says: '1 to 40 of a-z, 0-9 and inner hyphens' }],
  options: [{ flag: '--name', takes: 'text', placeholder: 'name', says: 'what people see (default: the id)' }],
  run: (call) =>
    withHouse(call, async ({ authority, issuer }) => {
      const id = arg(call, 0)
      const created = await authority.admin.tenants.create(operator(), id, textOf(call, '--name') ?? id)
      if (!created.ok) return refused(created.refusal)
      const { id: tenant, name } = created.value
      const document = { id: tenant, name, issuer: issuer.of(tenant) }
      await call.out.record(document, Object.entries(document))
      return done
    }),
}
