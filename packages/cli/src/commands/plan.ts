/** `grantor plan` */
import { pruneOption } from '../declaration/prune.ts'
import { readDeclaration } from '../declaration/read.ts'
import { planText } from '../documents/plan.ts'
import { argument, type Command, hasFlag } from '../program/command.ts'
import { withDeployment } from '../program/deployment.ts'
import { adminFailure, done } from '../program/exit.ts'

export const plan: Command = {
  name: 'plan',
  description: 'show what `apply` would change, and change nothing',
  args: [{ form: '<file>', description: 'declared objects in YAML or JSON; - reads standard input' }],
  options: [pruneOption],
  run: async (context) => {
    const read = await readDeclaration(argument(context, 0), context.environment)
    if (read.kind === 'error') return read
    return withDeployment(context, async ({ authority }) => {
      const planned = await authority.admin.declared.plan(read.value.declaration, {
        prune: hasFlag(context, pruneOption.flag),
      })
      if (planned.kind === 'error') return adminFailure(planned.error, read.value.locate)
      await context.out.document(planned.value, planText(planned.value, 'Plan', context.out.style))
      return done
    })
  },
}
