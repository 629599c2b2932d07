/** `grantor tenant disable` and `enable` */
import type { TenantId } from '@grantor/protocol/types'
import { operator } from '../../program/operator.ts'
import { done, type Ending, refused } from '../../program/exit.ts'
import { withHouse } from '../../program/deployment.ts'
import { timestampOrNull } from '../../output/time.ts'
import { arg, type Call, type Verb } from '../../program/command.ts'

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
    const changed = await authority.admin.tenants.setDisabled(operator(), arg(call, 0) as TenantId, disabled)
    if (!changed.ok) return refused(changed.refusal)
    const { id, disabledAt } = changed.value
    await call.out.record({ id, disabled_at: timestampOrNull(disabledAt) }, [
      ['tenant', id],
      ['state', disabledAt === null ? 'active' : 'disabled'],
    ])
    return done
  })
