/** `grantor tenant disable` and `enable` */
import type { TenantId } from '@grantor/protocol/types'
import { timestampOrNull } from '../../output/time.ts'
import { argument, type Command, type CommandContext } from '../../program/command.ts'
import { withDeployment } from '../../program/deployment.ts'
import { adminFailure, done, type ExitResult } from '../../program/exit.ts'
import { operator } from '../../program/operator.ts'

const idArg = { form: '<id>', description: 'the tenant' }

export const tenantDisable: Command = {
  name: 'disable',
  description: 'refuse everything of a tenant at once; nothing is lost',
  args: [idArg],
  run: (context) => setDisabled(context, true),
}

export const tenantEnable: Command = {
  name: 'enable',
  description: 'serve a disabled tenant again',
  args: [idArg],
  run: (context) => setDisabled(context, false),
}

const setDisabled = (context: CommandContext, disabled: boolean): Promise<ExitResult> =>
  withDeployment(context, async ({ authority }) => {
    const changed = await authority.admin.tenants.setDisabled(operator(), argument(context, 0) as TenantId, disabled)
    if (changed.kind === 'error') return adminFailure(changed.error)
    const { id, disabledAt } = changed.value
    await context.out.record({ id, disabled_at: timestampOrNull(disabledAt) }, [
      ['tenant', id],
      ['state', disabledAt === null ? 'active' : 'disabled'],
    ])
    return done
  })
