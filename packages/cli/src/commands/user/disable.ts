/** `grantor user disable` and `enable` */
import { argument, type Command, type CommandContext } from '../../program/command.ts'
import { withTenant } from '../../program/deployment.ts'
import { adminFailure, done, type ExitResult } from '../../program/exit.ts'
import { operator } from '../../program/operator.ts'

const nameArg = { form: '<username>', description: 'the person' }

export const userDisable: Command = {
  name: 'disable',
  description: 'stop a person at once, on every application; nothing is lost',
  args: [nameArg],
  tenant: true,
  run: (context) => setDisabled(context, true),
}

export const userEnable: Command = {
  name: 'enable',
  description: 'let a disabled person in again',
  args: [nameArg],
  tenant: true,
  run: (context) => setDisabled(context, false),
}

const setDisabled = (context: CommandContext, disabled: boolean): Promise<ExitResult> =>
  withTenant(context, async ({ authority }) => {
    const username = argument(context, 0)
    const changed = await authority.admin.users.setDisabled(operator(), context.tenant, { username, disabled })
    if (changed.kind === 'error') return adminFailure(changed.error)
    await context.out.record({ username, disabled }, [
      ['user', username],
      ['state', disabled ? 'disabled' : 'active'],
    ])
    return done
  })
