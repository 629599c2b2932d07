/** `grantor tenant create` */
import { operator } from '../../actor.ts'
import { done, failure, refused } from '../../ending.ts'
import { withHouse } from '../../house.ts'
import { arg, textOf, type Verb } from '../../verb.ts'

export const tenantCreate: Verb = {
  name: 'create',
  says: 'create a tenant, served at /t/{id} under the issuer',
  args: [{ form: '<id>', says: '1 to 40 of a-z, 0-9 and inner hyphens' }],
  options: [{ flag: '--name', takes: 'text', placeholder: 'name', says: 'what people see (default: the id)' }],
  run: (call) =>
    withHouse(call, async ({ authority, issuer }) => {
      const id = arg(call, 0)
      const name = textOf(call, '--name') ?? id
      const wanted = { tenants: [{ id, name }] }
      // To declare a tenant that is there would rename it; to create it again is a mistake.
      const planned = await authority.admin.declared.plan(wanted)
      if (!planned.ok) return refused(planned.refusal)
      const isNew = planned.value.steps.some(
        ({ kind, act, tenant }) => kind === 'tenant' && act === 'create' && tenant === id,
      )
      if (!isNew) return failure('conflict', `tenant ${id} exists already`, { fix: 'choose another id' })
      const applied = await authority.admin.declared.apply(operator(), wanted)
      if (!applied.ok) return refused(applied.refusal)
      const document = { id, name, issuer: `${issuer.origin()}/t/${id}` }
      await call.out.record(document, Object.entries(document))
      return done
    }),
}
