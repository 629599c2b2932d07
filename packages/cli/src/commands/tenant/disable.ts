/** `grantor tenant disable` and `enable` */
import { operator } from '../../actor.ts'
import { done, type Ending, failure, refused } from '../../ending.ts'
import { withHouse } from '../../house.ts'
import { arg, type Call, type Verb } from '../../verb.ts'

const idArg = { form: '<id>', says: 'the tenant' }

export const tenantDisable: Verb = {
  name: 'disable',
  says: 'refuse everything of a tenant at once; nothing is lost',
  args: [idArg],
  run: (call) => setDisabled(call, true),
}

export const tenantEnable: Verb = {
  name: 'enable',
  says: 'serve a disabled tenant again',
  args: [idArg],
  run: (call) => setDisabled(call, false),
}

const setDisabled = (call: Call, disabled: boolean): Promise<Ending> =>
  withHouse(call, async ({ authority }) => {
    const id = arg(call, 0)
    const wanted = { tenants: [{ id, disabled }] }
    // To declare a tenant that is not there would create it.
    const planned = await authority.admin.declared.plan(wanted)
    if (!planned.ok) return refused(planned.refusal)
    if (planned.value.steps.some(({ act }) => act === 'create')) return failure('absent', `there is no tenant ${id}`)
    const applied = await authority.admin.declared.apply(operator(), wanted)
    if (!applied.ok) return refused(applied.refusal)
    await call.out.record({ id, disabled, changed: applied.value.steps.length > 0 }, [
      ['tenant', id],
      ['state', disabled ? 'disabled' : 'active'],
    ])
    return done
  })
