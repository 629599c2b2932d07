/** `grantor user disable` and `enable` */
import { operator } from '../../program/operator.ts'
import { done, type Ending, refused } from '../../program/exit.ts'
import { withTenant } from '../../program/deployment.ts'
import { arg, type Call, type Verb } from '../../program/command.ts'

const nameArg = { form: '<username>', says: 'the person' }

export const userDisable: Verb = {
  name: 'disable',
  says: 'stop a person at once, on every application; nothing is lost',
  args: [nameArg],
  tenant: true,
  run: (call) => setDisabled(call, true),
}

export const userEnable: Verb = {
  name: 'enable',
  says: 'let a disabled person in again',
  args: [nameArg],
  tenant: true,
  run: (call) => setDisabled(call, false),
}

const setDisabled = (call: Call, disabled: boolean): Promise<Ending> =>
  withTenant(call, async ({ authority }) => {
    const username = arg(call, 0)
    const changed = await authority.admin.users.setDisabled(operator(), call.tenant, { username, disabled })
    if (!changed.ok) return refused(changed.refusal)
    await call.out.record({ username, disabled }, [
      ['user', username],
      ['state', disabled ? 'disabled' : 'active'],
    ])
    return done
  })
