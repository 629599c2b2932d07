/** `grantor plan` */
import { prune } from '../declaration/prune.ts'
import { readDeclaration } from '../declaration/read.ts'
import { planText } from '../documents/plan.ts'
import { done, refused } from '../program/exit.ts'
import { withHouse } from '../program/deployment.ts'
import { arg, isSet, type Verb } from '../program/command.ts'

export const plan: Verb = {
  name: 'plan',
  says: 'show what `apply` would change, and change nothing',
  args: [{ form: '<file>', says: 'declared objects in YAML or JSON; - reads standard input' }],
  options: [prune],
  run: async (call) => {
    const read = await readDeclaration(arg(call, 0), call.world)
    if (!read.ok) return read.failure
    return withHouse(call, async ({ authority }) => {
      const planned = await authority.admin.declared.plan(read.file.declaration, { prune: isSet(call, prune.flag) })
      if (!planned.ok) return refused(planned.refusal, read.file.place)
      await call.out.document(planned.value, planText(planned.value, 'Plan', call.out.style))
      return done
    })
  },
}
