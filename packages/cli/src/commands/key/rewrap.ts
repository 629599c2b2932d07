/** `grantor key rewrap` */
import { operator } from '../../program/operator.ts'
import { done, refused } from '../../program/exit.ts'
import { withHouse } from '../../program/deployment.ts'
import type { Verb } from '../../program/command.ts'

export const keyRewrap: Verb = {
  name: 'rewrap',
  says: 'seal everything under the current master key, so that the previous one can go',
  run: (call) =>
    withHouse(call, async ({ authority }) => {
      const rewrapped = await authority.admin.keys.rewrap(operator())
      if (!rewrapped.ok) return refused(rewrapped.refusal)
      await call.out.record({ rewrapped: rewrapped.value }, [['rewrapped', rewrapped.value]])
      await call.out.remark('GRANTOR_MASTER_KEY_PREVIOUS is not needed any more: take it from every node.')
      return done
    }),
}
