/** `grantor apply` */
import { pruneOption } from '../declaration/prune.ts'
import { readDeclaration } from '../declaration/read.ts'
import { planText } from '../documents/plan.ts'
import { argument, type Command, hasFlag } from '../program/command.ts'
import { withDeployment } from '../program/deployment.ts'
import { adminFailure, done } from '../program/exit.ts'
import { operator } from '../program/operator.ts'

export const apply: Command = {
  name: 'apply',
  description: 'make it so: everything a file declares, or nothing',
  args: [{ form: '<file>', description: 'declared objects in YAML or JSON; - reads standard input' }],
  options: [pruneOption],
  run: async (context) => {
    const read = await readDeclaration(argument(context, 0), context.environment)
    if (read.kind === 'error') return read
    return withDeployment(context, async ({ authority, store }) => {
      const applied = await authority.admin.declared.apply(operator(), read.value.declaration, {
        prune: hasFlag(context, pruneOption.flag),
      })
      if (applied.kind === 'error') return adminFailure(applied.error, read.value.locate)
      // The objects may be as declared because of an earlier run that failed only for want of a standby's confirmation.
      await store.untilDurable()
      await context.out.document(applied.value, planText(applied.value, 'Applied', context.out.style))
      return done
    })
  },
}
