/** `grantor key drop` */
import { operator } from '../../program/operator.ts'
import { confirmed, yes } from '../../program/confirm.ts'
import { done, refused } from '../../program/exit.ts'
import { withTenant } from '../../program/deployment.ts'
import { arg, type Verb } from '../../program/command.ts'

export const keyDrop: Verb = {
  name: 'drop',
  says: 'remove a key at once; every token it signed is refused from now on',
  args: [{ form: '<kid>', says: 'the key' }],
  options: [yes],
  tenant: true,
  run: (call) =>
    withTenant(call, async ({ authority }) => {
      const kid = arg(call, 0)
      if (!(await confirmed(call, `Drop key ${kid}? Every token it signed dies at once.`))) return done
      const dropped = await authority.admin.keys.drop(operator(), call.tenant, kid)
      if (!dropped.ok) return refused(dropped.refusal)
      await call.out.record({ kid, dropped: true }, [['dropped', kid]])
      return done
    }),
}
