/** `grantor apply` */
import { operator } from '../program/operator.ts'
import { prune } from '../declaration/prune.ts'
import { readDeclaration } from '../declaration/read.ts'
import { planText } from '../documents/plan.ts'
import { done, refused } from '../program/exit.ts'
import { withHouse } from '../program/deployment.ts'
import { arg, isSet, type Verb } from '../program/command.ts'

export const apply: Verb = {
  name: 'apply',
  says: 'make it so: everything a file declares, or nothing',
  args: [{ form: '<file>', says: 'declared objects in YAML or JSON; - reads standard input' }],
  options: [prune],
  run: async (call) => {
    const read = await readDeclaration(arg(call, 0), call.world)
    if (!read.ok) return read.failure
    return withHouse(call, async ({ authority }) => {
      const applied = await authority.admin.declared.apply(operator(), read.file.declaration, {
        prune: isSet(call, prune.flag),
      })
      if (!applied.ok) return refused(applied.refusal, read.file.place)
      await call.out.document(applied.value, planText(applied.value, 'Applied', call.out.style))
      return done
    })
  },
}
